"""Mail addresses: nobody gets mail who has not asked for it, and everybody can end it."""

from typing import Any

import pytest

from brettwerk.v1 import accounts_pb2, errors_pb2
from brettwerk.v1 import notifications_pb2 as pb
from services.players.accounts.tables import TICKETS
from services.players.calls import Caller
from services.players.news.tables import MAILBOXES
from services.players.notifications import mail_counts
from services.players.notifications.notifications import Notifications
from services.runtime.refusal import Refused
from tests.services.players.notifications.place import ADA, ADDRESS, BOB, HOUR, Place

NOBODY = Caller("", "", "192.0.2.9")


async def refused(place: Place, name: str, request: Any, caller: Caller = ADA) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        await place.call(name, request, caller)
    return caught.value.refusal


async def test_an_address_gets_nothing_but_the_question_until_its_owner_has_answered(any_place: Place) -> None:
    code = await any_place.ask_for_mail()
    assert not (await any_place.own()).mail.is_confirmed
    await any_place.note("07abc")
    await any_place.pass_time(HOUR)
    assert len(any_place.mails.mails) == 1
    confirmed = await any_place.call("confirm_mail", pb.ConfirmMailRequest(code=code), NOBODY)
    assert confirmed.address == ADDRESS
    assert (await any_place.own()).mail.is_confirmed
    await any_place.note("07abd")
    await any_place.pass_time(HOUR)
    assert any_place.mails.mails[-1]["Subject"] == "EinStein würfelt nicht: It is your turn."


async def test_a_link_confirms_once_and_for_two_hours(place: Place) -> None:
    code = await place.ask_for_mail()
    await place.call("confirm_mail", pb.ConfirmMailRequest(code=code), NOBODY)
    again = await refused(place, "confirm_mail", pb.ConfirmMailRequest(code=code), NOBODY)
    assert again.details["what"] == "used_mail_link"
    late = await place.ask_for_mail("late@example.org")
    place.now_ms += 2 * HOUR
    assert (await refused(place, "confirm_mail", pb.ConfirmMailRequest(code=late), NOBODY)).details["what"] == "old_mail_link"
    other = await refused(place, "confirm_mail", pb.ConfirmMailRequest(code="nonsense"), NOBODY)
    assert (other.reason, other.details["what"]) == (errors_pb2.REASON_UNKNOWN, "mail_link")


async def test_a_newer_link_makes_the_older_one_void(place: Place) -> None:
    first = await place.ask_for_mail("first@example.org")
    second = await place.ask_for_mail("second@example.org")
    await refused(place, "confirm_mail", pb.ConfirmMailRequest(code=first), NOBODY)
    await place.call("confirm_mail", pb.ConfirmMailRequest(code=second), NOBODY)
    assert (await place.own()).mail.address == "second@example.org"


async def test_an_address_goes_on_getting_mail_until_the_next_one_is_confirmed(place: Place) -> None:
    await place.switch_mail_on("old@example.org")
    code = await place.ask_for_mail("new@example.org")
    assert (await place.own()).mail.address == "old@example.org"
    await place.call("confirm_mail", pb.ConfirmMailRequest(code=code), NOBODY)
    assert (await place.own()).mail.address == "new@example.org"
    await place.note("07abc")
    await place.pass_time(HOUR)
    assert place.mails.to("old@example.org") == []


async def test_the_code_of_a_link_is_stored_as_a_hash(place: Place) -> None:
    code = await place.ask_for_mail()
    (ticket,) = place.rows(TICKETS)
    assert code.encode() not in bytes(ticket.digest) + bytes(ticket.payload)


async def test_the_link_of_a_mail_ends_mail_without_signing_in_and_forgets_the_address(any_place: Place) -> None:
    await any_place.switch_mail_on()
    await any_place.note("07abc")
    await any_place.pass_time(HOUR)
    code = any_place.mails.mails[-1]["List-Unsubscribe"].strip(" <>").rpartition("/")[2]
    await any_place.call("unsubscribe_mail", pb.UnsubscribeMailRequest(code=code), NOBODY)
    assert any_place.rows(MAILBOXES) == []
    await any_place.note("07abd")
    await any_place.pass_time(HOUR)
    assert len(any_place.mails.mails) == 1
    again = await refused(any_place, "unsubscribe_mail", pb.UnsubscribeMailRequest(code=code), NOBODY)
    assert again.details["what"] == "mail_link"
    for wrong in ("", "nonsense"):
        await refused(any_place, "unsubscribe_mail", pb.UnsubscribeMailRequest(code=wrong), NOBODY)


async def test_a_player_removes_the_address_and_the_link_that_would_confirm_it(place: Place) -> None:
    code = await place.ask_for_mail()
    await place.call("remove_mail", pb.RemoveMailRequest())
    assert not (await place.own()).HasField("mail")
    await refused(place, "confirm_mail", pb.ConfirmMailRequest(code=code), NOBODY)


async def test_a_deleted_account_gets_no_mail_and_its_export_had_the_address(place: Place) -> None:
    await place.switch_mail_on()
    assert ADDRESS in (await place.call("export_account", accounts_pb2.ExportAccountRequest())).json
    await place.call("delete_account", accounts_pb2.DeleteAccountRequest(name="Ada"))
    assert place.rows(MAILBOXES) == []


async def test_strangers_can_be_sent_only_few_mails_a_day(any_place: Place) -> None:
    for number in range(mail_counts.MAX_A_DAY["to"]):
        await any_place.ask_for_mail("stranger@example.org", Caller(f"{number}" * 26, "Eve", f"192.0.2.{number}"))
    asked = pb.StartMailRequest(address="Stranger@Example.org")
    over = await refused(any_place, "start_mail", asked, BOB)
    assert over.reason == errors_pb2.REASON_TOO_MANY_REQUESTS
    assert 0 < over.retry_after_ms <= mail_counts.DAY_MS
    assert len(any_place.mails.mails) == mail_counts.MAX_A_DAY["to"]
    any_place.now_ms += mail_counts.DAY_MS
    await any_place.call("start_mail", asked, BOB)


async def test_a_player_asks_for_few_confirmations_a_day(place: Place) -> None:
    for number in range(mail_counts.MAX_A_DAY["by"]):
        await place.ask_for_mail(f"a{number}@example.org")
    over = await refused(place, "start_mail", pb.StartMailRequest(address="one@example.org"))
    assert over.reason == errors_pb2.REASON_TOO_MANY_REQUESTS


async def test_while_the_mail_server_is_down_the_player_is_told_so_and_can_ask_again(place: Place) -> None:
    place.mails.stop()
    asked = pb.StartMailRequest(address=ADDRESS)
    away = await refused(place, "start_mail", asked)
    assert (away.reason, away.details["service"]) == (errors_pb2.REASON_UNAVAILABLE, "mail server")
    place.mails.start()
    await place.switch_mail_on()
    place.mails.stop()
    test = await refused(place, "send_test", pb.SendTestRequest(mail=True))
    assert test.reason == errors_pb2.REASON_UNAVAILABLE


async def test_an_address_that_the_server_does_not_know_is_said_to_be_none(place: Place) -> None:
    place.mails.refused[ADDRESS] = "550 No such user"
    assert (await refused(place, "start_mail", pb.StartMailRequest(address=ADDRESS))).field == "address"
    assert (await refused(place, "start_mail", pb.StartMailRequest(address="no address"))).field == "address"


async def test_a_test_mail_arrives_and_goes_to_confirmed_addresses_only(place: Place) -> None:
    await refused(place, "send_test", pb.SendTestRequest(mail=True))
    await place.switch_mail_on()
    await place.call("send_test", pb.SendTestRequest(mail=True))
    (mail,) = place.mails.to(ADDRESS)
    assert mail["Subject"] == "A test email"
    assert mail["List-Unsubscribe"]
    assert (await refused(place, "send_test", pb.SendTestRequest())).field == "to"


async def test_only_a_player_is_notified(place: Place) -> None:
    for name, request in (
        ("get_notifications", pb.GetNotificationsRequest()),
        ("set_notifications", pb.SetNotificationsRequest()),
        ("start_mail", pb.StartMailRequest(address=ADDRESS)),
        ("remove_mail", pb.RemoveMailRequest()),
        ("add_push_device", pb.AddPushDeviceRequest(endpoint=place.endpoint.browser("x").endpoint)),
        ("remove_push_device", pb.RemovePushDeviceRequest(id="00")),
        ("send_test", pb.SendTestRequest(mail=True)),
    ):
        assert (await refused(place, name, request, NOBODY)).reason == errors_pb2.REASON_NO_TOKEN, name


async def test_where_nothing_is_set_up_the_player_sees_that_and_is_refused(place: Place) -> None:
    bare = Notifications(place.store, b"k" * 32, None, None, None, place.clock)
    own = (await bare.get(pb.GetNotificationsRequest(), ADA)).response
    assert isinstance(own, pb.GetNotificationsResponse)
    assert (own.notifications.push_key, own.notifications.can_mail) == ("", False)
    with pytest.raises(Refused, match="sends no mail"):
        await bare.start_mail(pb.StartMailRequest(address=ADDRESS), ADA)
    with pytest.raises(Refused, match="sends no push"):
        await bare.add_device(pb.AddPushDeviceRequest(endpoint=place.endpoint.browser("x").endpoint), ADA)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("time_zone", "Mars/Olympus"),
        ("language", "xx"),
        ("unpushed", [63]),
        ("unmailed", [1, 256]),
        ("unpushed", [-1]),
        ("open_seats", ["ludo"]),
    ],
)
async def test_settings_that_cannot_be_are_refused_and_change_nothing(place: Place, field: str, value: object) -> None:
    await place.set(
        time_zone="Europe/Berlin", language="de", quiet_from=60, quiet_until=120, mail_wait=60, open_seats=["plateau", "emperado"]
    )
    wrong = pb.NotificationSettings(**{field: value})  # type: ignore[arg-type]
    assert (await refused(place, "set_notifications", pb.SetNotificationsRequest(settings=wrong))).field == field
    kept = (await place.own()).settings
    assert (kept.time_zone, kept.language, kept.quiet_from, kept.quiet_until, kept.mail_wait) == (
        "Europe/Berlin",
        "de",
        60,
        120,
        60,
    )
    assert kept.open_seats == ["emperado", "plateau"]
