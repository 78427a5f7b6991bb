"""Rulings of arbiters on their way to players: stored, watched, pushed, mailed and sent to webhooks, with the reason."""

import json

import pytest

from brettwerk.v1 import accounts_pb2, news_pb2, record_pb2
from brettwerk.v1 import webhooks_pb2 as hooks_pb
from services.players.news import feed
from tests.services.players.notifications.place import ADA, ADDRESS, HOUR, OVER, TURN, Place

RULED = news_pb2.News.KIND_RULED
STOPPED = record_pb2.Ruling(reason="Fire alarm", pause=True)


async def stored(place: Place) -> list[news_pb2.News]:
    """Return the news that a player has."""
    page = await place.store.run(lambda connection: feed.page(connection, ADA.player_id, 0))
    return list(page.news)


async def test_a_ruling_is_kept_whole_and_others_have_none(any_place: Place) -> None:
    await any_place.note("07abc", TURN)
    await any_place.note("07abc", RULED, ruling=STOPPED)
    turn, ruled = await stored(any_place)
    assert not turn.HasField("ruling")
    assert (ruled.kind, ruled.ruling) == (RULED, STOPPED)


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        ({"pause": True}, "An arbiter has stopped the game: Why {not}"),
        ({"pause": False}, "An arbiter has restarted the game: Why {not}"),
        ({"given_time": record_pb2.GivenTime(seat=1, time_ms=60_000)}, "An arbiter has given time: Why {not}"),
        ({"forfeited_seat": 0}, "An arbiter lets a seat forfeit: Why {not}"),
        ({"draw": True}, "An arbiter has decided the game: Why {not}"),
        ({"ranking": record_pb2.Ranking(seats=[1, 0])}, "An arbiter has decided the game: Why {not}"),
        ({}, "An arbiter has ruled at your table."),
    ],
)
async def test_a_device_is_told_what_was_ruled_and_why(place: Place, ruling: dict[str, object], said: str) -> None:
    phone = await place.add_device()
    made = record_pb2.Ruling(reason="Why {not}", **ruling)  # type: ignore[arg-type]
    await place.note("07abc", RULED, title="Final", ruling=made)
    await place.deliver()
    shown = [(one["title"], one["body"], one["path"]) for one in place.endpoint.messages(phone)]
    assert shown == [("Final", said, "/s/07abc")]


async def test_mail_and_devices_speak_their_languages(place: Place) -> None:
    await place.switch_mail_on(language="de")
    phone = await place.add_device(language="fr")
    await place.note("07abc", RULED, ruling=STOPPED)
    await place.deliver()
    await place.pass_time(HOUR)
    (message,) = place.endpoint.messages(phone)
    assert message["body"] == "Un arbitre a arrêté la partie\u00a0: Fire alarm"
    (mail,) = place.mails.to(ADDRESS)
    assert mail["Subject"] == "EinStein würfelt nicht: Ein Schiedsrichter hat das Spiel angehalten: Fire alarm"


async def test_a_reason_as_long_as_can_be_is_said_whole(place: Place) -> None:
    phone, long = await place.add_device(), "x y" * 66 + "zz"
    assert len(long.encode()) == 200
    await place.note("07abc", RULED, ruling=record_pb2.Ruling(reason=long, pause=True))
    await place.deliver()
    assert place.endpoint.messages(phone)[0]["body"].endswith(long)


async def test_webhooks_get_the_reason(place: Place) -> None:
    request = hooks_pb.AddWebhookRequest(url=f"{place.endpoint.origin}/hook", language="en")
    await place.call("add_webhook", request)
    await place.note("07abc", RULED, ruling=STOPPED)
    await place.hooks.deliver()
    (received,) = place.endpoint.received
    body = json.loads(received.body)
    assert (body["type"], body["data"]["kind"], body["data"]["reason"]) == ("news.ruled", "ruled", "Fire alarm")
    assert body["data"]["text"] == "An arbiter has stopped the game: Fire alarm"


async def test_a_player_who_does_not_want_them_hears_of_the_end_alone(place: Place) -> None:
    phone = await place.add_device()
    await place.set(unpushed=[RULED])
    assert list((await place.own()).settings.unpushed) == [RULED]
    await place.note("07abc", OVER)
    await place.note("07abc", RULED, ruling=record_pb2.Ruling(reason="Late", draw=True))
    await place.deliver()
    assert [one["body"] for one in place.endpoint.messages(phone)] == ["The game is over."]


async def test_a_kind_of_news_that_a_newer_release_knows_is_told_in_general_words(place: Place) -> None:
    phone = await place.add_device()
    await place.call("add_webhook", hooks_pb.AddWebhookRequest(url=f"{place.endpoint.origin}/hook", language="en"))
    await place.note("07abc", 49)  # type: ignore[arg-type]
    await place.deliver()
    assert [one["body"] for one in place.endpoint.messages(phone)] == ["There is news."]
    place.endpoint.received.clear()
    await place.hooks.deliver()
    (received,) = place.endpoint.received
    assert json.loads(received.body)["data"]["kind"] == "other"


async def test_the_data_of_an_account_say_what_was_ruled(place: Place) -> None:
    await place.note("07abc", RULED, ruling=STOPPED)
    exported = (await place.call("export_account", accounts_pb2.ExportAccountRequest())).json
    (row,) = json.loads(exported)["players_news"]
    assert row["ruling"] == {"reason": "Fire alarm", "pause": True}
