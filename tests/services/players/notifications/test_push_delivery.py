"""News on their way to devices: by a real push service, which the test runs, on both databases."""

import asyncio

import pytest

from brettwerk.v1 import accounts_pb2, news_pb2
from brettwerk.v1 import notifications_pb2 as pb
from services.players.news import backlog
from services.players.news.tables import DEVICES
from services.players.notifications import push_delivery
from services.runtime.refusal import Refused
from tests.push_endpoint import checked_sender
from tests.services.players.notifications.place import (
    ADA,
    BOB,
    HOUR,
    INVITED,
    KEY,
    MINUTE,
    NOON,
    OVER,
    TAKEN,
    Place,
    device_id,
)


async def test_a_turn_reaches_the_device_in_its_language_and_names_the_table(any_place: Place) -> None:
    phone, laptop = await any_place.add_device("phone", language="de"), await any_place.add_device("laptop")
    await any_place.note("07abc", title="Friday night")
    await any_place.note("07abd", INVITED)
    await any_place.deliver()
    shown = [(one["title"], one["body"], one["path"], one["tag"]) for one in any_place.endpoint.messages(phone)]
    assert shown == [
        ("Friday night", "Du bist am Zug.", "/s/07abc", "07abc"),
        ("EinStein würfelt nicht", "Ein Platz ist für dich reserviert.", "/s/07abd", "07abd"),
    ]
    assert [one["body"] for one in any_place.endpoint.messages(laptop)] == ["It is your turn.", "A seat is being kept for you."]


async def test_the_push_service_learns_who_sends_and_no_more(place: Place) -> None:
    await place.add_device()
    await place.note("07abc", title="Friday night", until_ms=NOON + HOUR)
    await place.deliver()
    (received,) = place.endpoint.received
    own = await place.own()
    assert checked_sender(received, place.endpoint.origin, NOON / 1000) == own.push_key
    assert received.headers["content-encoding"] == "aes128gcm"
    assert received.headers["ttl"] == "3600"
    assert len(received.headers["topic"]) == 32
    assert b"Friday" not in received.body


async def test_each_news_is_pushed_once(any_place: Place) -> None:
    phone = await any_place.add_device()
    await any_place.note("07abc")
    await any_place.deliver()
    await any_place.pass_time(10 * MINUTE)
    assert len(any_place.endpoint.messages(phone)) == 1
    await any_place.note("07abc")
    await any_place.deliver()
    assert len(any_place.endpoint.messages(phone)) == 2


async def test_items_from_before_a_device_was_added_are_not_pushed_to_it(place: Place) -> None:
    await place.note("07abc")
    phone = await place.add_device()
    await place.note("07abd")
    await place.deliver()
    assert [one["tag"] for one in place.endpoint.messages(phone)] == ["07abd"]


async def test_others_are_told_nothing(place: Place) -> None:
    phone, other = await place.add_device(), await place.add_device("other", BOB)
    await place.note("07abc")
    await place.deliver()
    assert len(place.endpoint.messages(phone)) == 1
    assert place.endpoint.messages(other) == []


async def test_a_player_who_has_moved_meanwhile_is_not_told_of_that_turn(any_place: Place) -> None:
    phone = await any_place.add_device()
    version = await any_place.note("07abc")
    await any_place.handle("07abc", version)
    await any_place.deliver()
    await any_place.note("07abc")
    await any_place.handle("07abc", version)
    await any_place.deliver()
    assert len(any_place.endpoint.messages(phone)) == 1


async def test_unwanted_kinds_of_news_are_not_pushed(place: Place) -> None:
    phone = await place.add_device()
    await place.set(unpushed=[TAKEN])
    await place.note("07abc", TAKEN)
    await place.note("07abd", OVER)
    await place.deliver()
    assert [one["tag"] for one in place.endpoint.messages(phone)] == ["07abd"]


@pytest.mark.parametrize("kind", [one for one in news_pb2.News.Kind.values() if one])
async def test_every_kind_of_news_can_be_turned_off(place: Place, kind: news_pb2.News.Kind.ValueType) -> None:
    phone = await place.add_device()
    await place.set(unpushed=[kind], unmailed=[kind])
    settings = (await place.own()).settings
    assert (list(settings.unpushed), list(settings.unmailed)) == ([kind], [kind])
    await place.note("07abc", kind)
    await place.deliver()
    assert place.endpoint.messages(phone) == []


async def test_in_quiet_hours_nothing_is_pushed_and_after_them_the_newest_of_each_table(any_place: Place) -> None:
    phone = await any_place.add_device(zone="Europe/Berlin")
    await any_place.set(quiet_from=12 * 60, quiet_until=15 * 60, time_zone="Europe/Berlin")  # it is 13:00 there
    for session in ("07abc", "07abd", "07abc"):
        await any_place.note(session)
    await any_place.pass_time(2 * HOUR - 1)
    assert any_place.endpoint.messages(phone) == []
    await any_place.pass_time(1)
    assert [one["tag"] for one in any_place.endpoint.messages(phone)] == ["07abd", "07abc"]


async def test_a_player_who_ends_quiet_hours_is_told_at_once(place: Place) -> None:
    phone = await place.add_device()
    await place.set(quiet_from=0, quiet_until=1439)
    await place.note("07abc")
    await place.deliver()
    assert place.endpoint.messages(phone) == []
    await place.set(quiet_from=0, quiet_until=0)
    await place.deliver()
    assert len(place.endpoint.messages(phone)) == 1


async def test_of_many_tables_one_message_says_how_many(place: Place) -> None:
    phone = await place.add_device()
    for number in range(push_delivery.MAX_MESSAGES + 1):
        await place.note(f"07ab{number}")
    await place.pass_time(MINUTE)
    (message,) = place.endpoint.messages(phone)
    assert (message["body"], message["path"]) == (f"There is news at {push_delivery.MAX_MESSAGES + 1} tables.", "/")


@pytest.mark.parametrize("status", [404, 410])
async def test_a_device_that_has_left_is_removed(any_place: Place, status: int) -> None:
    phone = await any_place.add_device()
    any_place.endpoint.answers["/push/phone"] = (status, {})
    await any_place.note("07abc")
    await any_place.deliver()
    assert any_place.rows(DEVICES) == []
    assert list((await any_place.own()).devices) == []
    any_place.endpoint.answers.clear()
    await any_place.note("07abd")
    await any_place.deliver()
    assert any_place.endpoint.messages(phone) == []


@pytest.mark.parametrize("status", [400, 403, 429, 500, 503])
async def test_a_failed_push_is_tried_again_later_and_then_comes_once(any_place: Place, status: int) -> None:
    phone = await any_place.add_device()
    any_place.endpoint.answers["/push/phone"] = (status, {})
    await any_place.note("07abc")
    await any_place.deliver()
    (device,) = (await any_place.own()).devices
    assert device.failing_since_ms == NOON
    any_place.endpoint.answers.clear()
    await any_place.deliver()
    assert any_place.endpoint.messages(phone) == []
    await any_place.pass_time(2 * MINUTE)
    assert len(any_place.endpoint.messages(phone)) == 1
    assert (await any_place.own()).devices[0].failing_since_ms == 0


async def test_a_push_service_that_asks_for_a_pause_gets_it(place: Place) -> None:
    phone = await place.add_device()
    place.endpoint.answers["/push/phone"] = (429, {"retry-after": "7200"})
    await place.note("07abc")
    await place.deliver()
    place.endpoint.answers.clear()
    await place.pass_time(2 * HOUR - 1)
    assert place.endpoint.messages(phone) == []
    await place.pass_time(1)
    assert len(place.endpoint.messages(phone)) == 1


async def test_a_device_that_fails_for_a_week_is_removed_and_waits_grow_until_then(place: Place) -> None:
    await place.add_device()
    attempts = 0
    place.endpoint.answers["/push/phone"] = (500, {})
    await place.note("07abc")
    while place.rows(DEVICES):
        await place.deliver()
        attempts += 1
        place.now_ms += 6 * HOUR + HOUR
        assert place.now_ms < NOON + 8 * 24 * HOUR
    assert attempts > 20
    assert place.now_ms > NOON + 7 * 24 * HOUR


async def test_a_slow_push_service_keeps_no_other_device_waiting(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.players.notifications.push_service.TIMEOUT_S", 0.3)
    await place.add_device("slow")
    place.endpoint.hangs_s = 5
    await place.note("07abc")
    began = asyncio.get_running_loop().time()
    await place.deliver()
    assert asyncio.get_running_loop().time() - began < 4
    place.endpoint.hangs_s = 0
    other = await place.add_device("other", BOB)
    await place.note("07abd", caller=BOB)
    await place.deliver()
    assert len(place.endpoint.messages(other)) == 1


async def test_a_claim_that_was_not_finished_is_taken_by_somebody_else_when_it_is_over(any_place: Place) -> None:
    phone = await any_place.add_device()
    await any_place.note("07abc")
    taken = await any_place.store.run(lambda connection: backlog.claim(connection, DEVICES, any_place.now_ms, 10))
    assert len(taken) == 1
    await any_place.deliver()
    assert any_place.endpoint.messages(phone) == []
    await any_place.pass_time(2 * MINUTE)
    assert len(any_place.endpoint.messages(phone)) == 1


async def test_two_processes_push_nothing_twice(any_place: Place) -> None:
    phones = [await any_place.add_device(f"phone{number}") for number in range(8)]
    for session in ("07abc", "07abd", "07abe"):
        await any_place.note(session)
    await asyncio.gather(*(any_place.push.deliver() for _ in range(4)))
    await any_place.pass_time(5 * MINUTE)
    for phone in phones:
        assert sorted(one["tag"] for one in any_place.endpoint.messages(phone)) == ["07abc", "07abd", "07abe"]


async def test_news_that_come_while_others_are_pushed_are_not_overlooked(any_place: Place) -> None:
    phone = await any_place.add_device()

    async def play() -> None:
        for number in range(20):
            await any_place.note(f"07a{number:02}")

    async def deliver() -> None:
        for _ in range(40):
            await any_place.push.deliver()
            any_place.now_ms += push_delivery.PAUSE_MS

    await asyncio.gather(play(), deliver())
    await any_place.pass_time(5 * MINUTE)
    await any_place.note("07zzz")
    await any_place.pass_time(MINUTE)
    assert any_place.endpoint.messages(phone)[-1]["tag"] == "07zzz"
    (row,) = any_place.rows(DEVICES)
    assert (row.sent_version, row.due_at_ms) == (21, None)


async def test_a_device_belongs_to_the_player_who_added_it_last(place: Place) -> None:
    await place.add_device()
    phone = await place.add_device(caller=BOB)
    await place.note("07abc", caller=ADA)
    await place.note("07abd", caller=BOB)
    await place.deliver()
    assert [one["tag"] for one in place.endpoint.messages(phone)] == ["07abd"]
    assert list((await place.own(ADA)).devices) == []


async def test_of_more_devices_than_a_player_can_have_the_oldest_goes(place: Place) -> None:
    for number in range(11):
        place.now_ms += 1
        await place.add_device(f"phone{number}")
    assert [one.label for one in (await place.own()).devices] == [f"phone{number}" for number in range(1, 11)]


async def test_after_the_key_is_replaced_for_good_devices_of_the_former_one_are_removed(place: Place) -> None:
    await place.add_device()
    await place.note("07abc")
    later = Place(place.url, place.endpoint, place.mails, "another key of thirty-two characters")
    await later.deliver()
    assert later.rows(DEVICES) == []
    assert place.endpoint.received == []
    await later.close()


async def test_a_push_service_that_is_not_allowed_is_refused_with_a_word_to_the_operator(place: Place) -> None:
    browser = place.endpoint.browser("phone")
    for wrong in ("https://10.0.0.1/push", "http://localhost/push", "https://redis:6379/"):
        request = pb.AddPushDeviceRequest(endpoint=wrong, key=browser.key, secret=browser.secret)
        with pytest.raises(Refused) as caught:
            await place.call("add_push_device", request)
        assert caught.value.refusal.field == "endpoint"
    assert place.rows(DEVICES) == []


@pytest.mark.parametrize(
    ("field", "value"), [("key", b"\x04" + b"x" * 64), ("key", b""), ("secret", b"short"), ("label", "a\nb"), ("language", "xx")]
)
async def test_a_subscription_that_no_browser_makes_is_refused(place: Place, field: str, value: object) -> None:
    browser = place.endpoint.browser("phone")
    request = pb.AddPushDeviceRequest(endpoint=browser.endpoint, key=browser.key, secret=browser.secret, language="en")
    setattr(request, field, value)
    with pytest.raises(Refused) as caught:
        await place.call("add_push_device", request)
    assert caught.value.refusal.field == field


async def test_a_test_message_arrives_and_says_when_the_device_is_gone_or_its_service_away(place: Place) -> None:
    phone = await place.add_device()
    await place.call("send_test", pb.SendTestRequest(device_id=device_id(phone)))
    assert place.endpoint.messages(phone)[0]["body"] == "Messages reach this device."
    place.endpoint.answers["/push/phone"] = (500, {})
    with pytest.raises(Refused, match="does not take the message now"):
        await place.call("send_test", pb.SendTestRequest(device_id=device_id(phone)))
    with pytest.raises(Refused, match="no such device"):
        await place.call("send_test", pb.SendTestRequest(device_id=device_id(phone)), BOB)
    place.endpoint.answers["/push/phone"] = (410, {})
    with pytest.raises(Refused, match="switch them on there again"):
        await place.call("send_test", pb.SendTestRequest(device_id=device_id(phone)))
    assert list((await place.own()).devices) == []


async def test_a_removed_device_and_a_deleted_account_are_told_nothing_more(place: Place) -> None:
    phone, laptop = await place.add_device("phone"), await place.add_device("laptop")
    await place.call("remove_push_device", pb.RemovePushDeviceRequest(id=device_id(phone)))
    await place.note("07abc")
    await place.call("delete_account", accounts_pb2.DeleteAccountRequest(name="Ada"))
    await place.deliver()
    assert place.endpoint.received == []
    assert place.rows(DEVICES) == []
    assert laptop != phone


async def test_an_export_holds_the_device_and_no_key_of_it(place: Place) -> None:
    phone = await place.add_device()
    exported = (await place.call("export_account", accounts_pb2.ExportAccountRequest())).json
    assert '"label": "phone"' in exported
    assert phone.endpoint not in exported
    assert KEY not in exported
