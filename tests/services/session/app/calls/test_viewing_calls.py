"""Viewings of finished games, with a real store: who sees what, whose it is to change, what is refused, and when they end."""

from typing import Any

import pytest

from brettwerk.v1 import play_pb2, talk_pb2, viewings_pb2
from services.archive.talk_reports import TalkReports
from services.runtime.refusal import moved_shard
from services.session.app.calls.viewing_calls import CHANGES_BURST
from services.session.domain import bounds
from services.session.watch import viewings
from tests.services.session.app.background.test_archive import archived
from tests.services.session.app.calls.test_blocks import blocking, peer  # noqa: F401 - fixtures
from tests.services.session.app.calls.test_talk_calls import strict_table  # noqa: F401 - a fixture
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two
from tests.services.session.watcher import Watcher, watching

State = viewings_pb2.WatchedViewing


class Room:
    """A viewing, as its people use it."""

    def __init__(self, game: str, viewing: viewings_pb2.Viewing) -> None:
        self.game = game
        self.id = viewing.id

    async def come(self, watcher: Watcher, number: int, who: Player, **fields: Any) -> None:
        fields = {"show_name": True, **fields}
        await watcher.follow(number, self.game, caller=who.caller, viewing_id=self.id, **fields)
        await watcher.until_so(lambda: watcher.viewings.get(number))

    async def change(self, who: Player, **change: Any) -> None:
        await who.ask(change_viewing=viewings_pb2.ChangeViewingRequest(session_id=self.game, viewing_id=self.id, **change))

    async def draw(self, who: Player, place: str, to_place: str = "") -> None:
        await self.change(who, added_mark=viewings_pb2.ViewingMark(place=place, to_place=to_place))

    async def say(self, who: Player, text: str = "", **fields: Any) -> talk_pb2.TalkLine:
        fields.setdefault("request_id", request_id())
        request = viewings_pb2.SayInViewingRequest(session_id=self.game, viewing_id=self.id, text=text, **fields)
        line: talk_pb2.TalkLine = (await who.ask(say_in_viewing=request)).line
        return line


async def start(who: Player, game: str, version: int = 0, request: str = "") -> Room:
    asked = viewings_pb2.StartViewingRequest(session_id=game, version=version, request_id=request or request_id())
    return Room(game, (await who.ask(start_viewing=asked)).viewing)


async def finished(table: Table) -> tuple[Player, Player, str]:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, plies=4)
    await ben.resign(game, 1)
    return anna, ben, game


def marks(watcher: Watcher, number: int) -> list[tuple[str, str, str]]:
    return [(one.place, one.to_place, one.name) for one in watcher.viewed(number).marks]


async def test_those_who_come_see_the_position_that_the_presenter_shows(table: Table) -> None:
    anna, ben, game = await finished(table)
    clara = table.player("Clara")
    room = await start(anna, game, 4)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await room.come(watcher, 2, ben)
        await room.come(watcher, 3, clara, show_name=False)
        await watcher.until_so(lambda: watcher.viewed(1).people == 3)
        assert [one.name for one in watcher.viewed(1).viewers] == ["Anna", "Ben"]
        assert [watcher.viewed(number).version for number in (1, 2, 3)] == [4, 4, 4]
        await room.change(anna, version=6)
        await watcher.until_so(lambda: [watcher.viewed(number).version for number in (1, 2, 3)] == [6, 6, 6])
        with refused("VIEWING") as caught:
            await room.change(ben, version=5)
        assert caught.value.refusal.details["viewing"] == "presenter"
        with refused("UNKNOWN"):
            await room.change(anna, version=1000)


async def test_marks_belong_to_a_position_and_are_drawn_by_those_who_may(table: Table) -> None:
    anna, ben, game = await finished(table)
    room = await start(anna, game, 4)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await room.come(watcher, 2, ben)
        await room.draw(anna, "A1", "B2")
        await room.draw(anna, "A1", "B2")  # a repeat
        with refused("VIEWING") as caught:
            await room.draw(ben, "C3")
        assert caught.value.refusal.details["viewing"] == "drawer"
        await room.change(anna, drawer=viewings_pb2.Drawer(player_id="p-ben", draws=True))
        await room.draw(ben, "C3")
        await watcher.until_so(lambda: marks(watcher, 2) == [("A1", "B2", "Anna"), ("C3", "", "Ben")])
        assert [one.draws for one in watcher.viewed(2).viewers] == [False, True]
        await room.change(anna, version=5)
        await watcher.until_so(lambda: marks(watcher, 2) == [])
        await room.change(anna, version=4)
        await watcher.until_so(lambda: len(marks(watcher, 2)) == 2)
        await room.change(ben, removed_mark=viewings_pb2.ViewingMark(place="A1", to_place="B2"))  # Anna's: it stays
        await room.change(anna, removed_mark=viewings_pb2.ViewingMark(place="C3"))
        await watcher.until_so(lambda: marks(watcher, 2) == [("A1", "B2", "Anna")])
        await room.change(
            anna,
            drawer=viewings_pb2.Drawer(player_id="p-ben"),
        )
        with refused("VIEWING"):
            await room.draw(ben, "C3")
        await room.change(anna, everybody_draws=True)
        await room.draw(ben, "C3")
        await room.change(anna, no_marks=True)
        await watcher.until_so(lambda: marks(watcher, 2) == [])


async def test_marks_are_on_places_of_the_board_and_bounded(table: Table) -> None:
    anna, _, game = await finished(table)
    room = await start(anna, game)
    for place, to_place in (("Z9", ""), ("", "A1"), ("A1", "Z9"), ("", "")):
        with refused("UNKNOWN"):
            await room.draw(anna, place, to_place)
    with refused("MALFORMED"):
        await room.draw(anna, "A1", "A1")
    with refused("MALFORMED"):
        await room.change(anna)
    squares = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
    pairs = [(one, other) for one in squares for other in squares if one < other]
    for one, other in pairs[: bounds.VIEWING_MARKS]:
        await room.draw(anna, one, other)
    with refused("FULL") as caught:
        await room.draw(anna, *pairs[bounds.VIEWING_MARKS])
    assert caught.value.refusal.details["bound"] == "marks"


async def test_presenting_is_handed_over_and_taken_over_from_those_who_have_gone(table: Table) -> None:
    anna, ben, game = await finished(table)
    clara = table.player("Clara")
    room = await start(anna, game)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await room.come(watcher, 2, ben)
        await room.come(watcher, 3, clara, show_name=False)
        with refused("UNKNOWN"):
            await room.change(anna, presenter_id="p-clara")  # who does not show her name
        with refused("VIEWING"):
            await room.change(ben, presenter_id="p-ben")
        await room.change(anna, presenter_id="p-ben")
        await watcher.until_so(lambda: watcher.viewed(1).presenter.name == "Ben")
        await room.change(ben, version=3)
        with refused("VIEWING"):
            await room.change(anna, version=2)
        await watcher.unfollow(2)
        await watcher.until_so(lambda: not watcher.viewed(1).presented)
        await room.change(clara, presenter_id="p-clara")
        await watcher.until_so(lambda: watcher.viewed(1).presenter.name == "Clara" and watcher.viewed(1).presented)
        await room.change(clara, ends=True)
        await watcher.until_so(lambda: watcher.viewings[1][-1].state == State.STATE_OVER)
    with refused("UNKNOWN"):
        await room.change(clara, version=1)


async def test_a_viewing_has_talk_of_its_own_that_can_be_reported(table: Table) -> None:
    anna, ben, game = await finished(table)
    room = await start(anna, game)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await watcher.follow(2, game, with_talk=True)
        line = await room.say(ben, "  Why\n this? ", request_id="the same request")
        again = await room.say(ben, "  Why\n this? ", request_id="the same request")
        assert line == again
        with refused("REQUEST_ID_REUSED"):
            await room.say(ben, "Something else", request_id="the same request")
        await room.say(anna, phrase="hello")
        await watcher.until_so(lambda: watcher.said_in_viewing(1) == ["Why this?", "(hello)"])
        await watcher.until_heard(2)  # nothing of it is said at the table
        await room.come(watcher, 3, ben)
        assert watcher.said_in_viewing(3) == ["Why this?", "(hello)"]
    for text, phrase in (("", ""), ("hi", "hello"), ("a\x07b", "")):
        with refused("MALFORMED"):
            await room.say(anna, text, phrase=phrase)
    with refused("UNKNOWN"):
        await room.say(anna, phrase="peace")
    report = talk_pb2.ReportTalkRequest(session_id=game, viewing_id=room.id, line_id=line.id)
    await anna.ask(report_talk=report)
    (kept,) = await TalkReports(table.wiring.archive).list(10)
    assert (kept.said, kept.room, kept.reporter_id) == ("Why this?", "viewing", "p-anna")


async def test_only_so_much_is_said_and_kept(table: Table) -> None:
    anna, _, game = await finished(table)
    room = await start(anna, game)
    with refused("TOO_MANY_REQUESTS"):
        for number in range(100):
            await room.say(anna, f"line {number}")
    for number in range(bounds.VIEWING_LINES):
        table.clock.pass_s(1)
        await room.say(anna, f"later {number}")
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        assert watcher.said_in_viewing(1) == [f"later {number}" for number in range(bounds.VIEWING_LINES)]
    with refused("TOO_MANY_REQUESTS"):
        for number in range(round(CHANGES_BURST) + 1):
            await room.change(anna, version=number % 2 + 1)


async def test_words_of_the_operators_list_are_not_said_in_viewings_either(strict_table: Table) -> None:  # noqa: F811
    anna, _, game = await finished(strict_table)
    room = await start(anna, game)
    with refused("WORD_NOT_ALLOWED"):
        await room.say(anna, "You Dummkopf!")


async def test_those_who_have_blocked_each_other_do_not_hear_each_other(blocking: Table) -> None:  # noqa: F811
    anna, clara = blocking.player("Anna"), blocking.player("Clara")
    game = (await clara.create("me", "open")).id
    await anna.join(game)
    await anna.resign(game, 1)
    ben = blocking.player("Ben")
    room = await start(clara, game)
    async with watching(blocking.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await room.come(watcher, 2, clara)
        await room.say(ben, "Hello Anna")
        await room.say(clara, "Hello all")
        await watcher.until_so(lambda: watcher.said_in_viewing(2) == ["Hello Anna", "Hello all"])
        await watcher.until_so(lambda: watcher.said_in_viewing(1) == ["Hello all"])
        await room.say(anna, "Hello Clara")
        await room.come(watcher, 3, ben)
        assert watcher.said_in_viewing(3) == ["Hello Anna", "Hello all"]


async def test_a_game_from_the_archive_is_looked_at_together_too(table: Table) -> None:
    anna, ben, game = await archived(table)
    room = await start(anna, game, 2)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, ben)
        await room.change(anna, version=3)
        await room.draw(anna, "A1")
        await room.say(ben, "Well played")
        await watcher.until_so(lambda: watcher.viewed(1).version == 3 and marks(watcher, 1))
        await watcher.until_so(lambda: watcher.said_in_viewing(1) == ["Well played"])
        report = talk_pb2.ReportTalkRequest(session_id=game, viewing_id=room.id, line_id=(await room.say(ben, "x")).id)
        await anna.ask(report_talk=report)


@pytest.mark.parametrize("game", ["emperado", "plateau", "wec"])
async def test_every_game_has_places_to_mark(table: Table, game: str) -> None:
    anna = table.player("Anna")
    played = (await anna.create("me", "easy", game=game)).id
    await anna.ask(close_session=play_pb2.CloseSessionRequest(session_id=played, request_id=request_id()))
    room = await start(anna, played)
    view = (await anna.see(played)).view
    scene = (await anna.ask(describe_view=play_pb2.DescribeViewRequest(game=game, view=view))).scene
    await room.draw(anna, scene.places[0].name, scene.places[1].name)


async def test_a_game_that_goes_on_is_not_looked_at_together(table: Table) -> None:
    anna, _, game = await two(table)
    with refused("STILL_RUNNING"):
        await start(anna, game)
    nobody = table.player("Nobody")
    nobody.caller.player_id = ""
    with refused("NO_TOKEN"):
        await start(nobody, game)
    with refused("UNKNOWN"):
        await start(anna, game[:-1] + ("a" if game[-1] != "a" else "b"))


async def test_a_request_that_is_repeated_starts_one_viewing(table: Table) -> None:
    anna, ben, game = await finished(table)
    one, again = await start(anna, game, 2, "the same request"), await start(anna, game, 2, "the same request")
    assert one.id == again.id
    assert (await start(ben, game, 2, "the same request")).id != one.id


async def test_a_player_has_only_so_many_viewings_until_some_have_ended(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben, game = await finished(table)
    rooms = [await start(anna, game) for _ in range(bounds.VIEWINGS_PER_PLAYER)]
    with refused("FULL") as caught:
        await start(anna, game)
    assert caught.value.refusal.details["bound"] == "player"
    await rooms[0].change(anna, ends=True)
    await start(anna, game)
    table.clock.pass_s(bounds.VIEWING_KEPT_S + 1)
    monkeypatch.setattr("services.session.store.store.VIEWINGS", 1)
    await start(anna, game)
    with refused("FULL") as caught:
        await start(ben, game)
    assert caught.value.refusal.details["bound"] == "total"


async def test_only_so_many_can_be_in_a_viewing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewings, "VIEWERS", 2)
    anna, ben, game = await finished(table)
    room = await start(anna, game)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await room.come(watcher, 2, ben)
        await room.come(watcher, 3, table.player("Clara"))
        assert watcher.viewings[3][-1].state == State.STATE_FULL
        assert not watcher.viewings[3][-1].HasField("viewing")


async def test_a_viewing_ends_when_nobody_has_watched_it_for_some_minutes(table: Table) -> None:
    anna, _, game = await finished(table)
    room = await start(anna, game)
    client = table.wiring.store._client
    (key,) = [key async for key in client.scan_iter("*:viewing:*")]
    await client.expire(key, 100)
    await table.wiring.viewings.prolong()
    assert await client.ttl(key) <= 100
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        await table.wiring.viewings.prolong()
        assert await client.ttl(key) > 500
    await client.delete(key)
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        assert watcher.viewings[1][-1].state == State.STATE_OVER


async def test_a_viewing_outlives_the_process_that_served_it(table: Table) -> None:
    anna, ben, game = await finished(table)
    room = await start(anna, game, 3)
    await room.draw(anna, "A1", "B1")
    await room.say(ben, "Here?")
    async with watching(table.wiring) as watcher:
        await room.come(watcher, 1, anna)
        other = await table.another_process()
        await table.hand_over(game, other)
        refusal = await watcher.until_refused(1)
        assert moved_shard(refusal) is not None
    anna.wiring = ben.wiring = 1
    async with watching(other) as watcher:
        await room.come(watcher, 1, anna)
        assert watcher.viewed(1).version == 3
        assert marks(watcher, 1) == [("A1", "B1", "Anna")]
        assert watcher.said_in_viewing(1) == ["Here?"]
        await room.change(anna, version=4)
        await watcher.until_so(lambda: watcher.viewed(1).version == 4)
