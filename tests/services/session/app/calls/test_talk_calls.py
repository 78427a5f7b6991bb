"""Talk at a table, with a real store: who hears it, what is refused, and what is left of it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brettwerk.v1 import errors_pb2, play_pb2, talk_pb2
from services.archive.talk_reports import TalkReports
from services.runtime import word_list
from services.runtime.refusal import Refused, moved_shard
from services.session.domain.ids import session_key
from services.session.watch.talk import LINES, PRIVATE, TABLE, WATCHERS
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two
from tests.services.session.watcher import Watcher, watching


async def listening(table: Table, watcher: Watcher, number: int, game: str, who: Player, seat: int | None = None) -> None:
    token = "" if seat is None else who.token(game, seat)
    await watcher.follow(number, game, token, caller=who.caller, with_talk=True, show_name=True)


async def emperado(table: Table, *names: str, **fields: object) -> tuple[list[Player], str]:
    players = [table.player(name) for name in names]
    game = (await players[0].create("me", *["open"] * (len(names) - 1), game="emperado", **fields)).id
    for player in players[1:]:
        await player.join(game)
    return players, game


async def test_all_at_a_table_and_those_who_watch_hear_what_is_said(table: Table) -> None:
    anna, ben, game = await two(table)
    clara = table.player("Clara")
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, ben, 1)
        line = await anna.say(game, "  Hello \n Ben ", 0)
        await listening(table, watcher, 2, game, clara)
        await ben.say(game, seat=1, phrase="hello")
        await watcher.until_heard(1, "Hello Ben", "(hello)")
        await watcher.until_heard(2, "Hello Ben", "(hello)")
        await clara.say(game, "May I watch?")
        await watcher.until_heard(1, "Hello Ben", "(hello)", "May I watch?")
    assert (line.seat, line.name, line.player_id, line.room) == (1, "Anna", "p-anna", TABLE)


@pytest.mark.parametrize("fields", [{"competitive": True}, {"game": "emperado"}], ids=["competitive", "hidden"])
async def test_spectators_cannot_coach_until_the_game_is_over(table: Table, fields: dict[str, object]) -> None:
    anna, ben, game = await two(table, **fields)
    clara, dora = table.player("Clara"), table.player("Dora")
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, anna, 0)
        await listening(table, watcher, 2, game, dora)
        await listening(table, watcher, 3, game, anna)  # in another window, as if she watched
        line = await clara.say(game, "She should move left")
        await watcher.until_heard(2, "She should move left")
        await ben.say(game, "Your turn", 1)
        for number in (1, 3):
            await watcher.until_heard(number, "Your turn")
        with refused("NOT_YOUR_SEAT"):
            await anna.say(game, "What should I do?")
        await ben.resign(game, 1)
        await watcher.until_heard(1, "She should move left", "Your turn")
        await clara.say(game, "Well played")
        await watcher.until_heard(1, "She should move left", "Your turn", "Well played")
    assert line.room == WATCHERS


async def test_private_offers_reach_two_seats_and_leave_no_trace_anywhere_else(table: Table) -> None:
    (anna, ben, clara), game = await emperado(table, "Anna", "Ben", "Clara")
    dora = table.player("Dora")
    before = await anna.see(game)
    async with watching(table.wiring) as watcher:
        for number, (who, seat) in enumerate([(anna, 0), (ben, 1), (clara, 2), (dora, None)]):
            await listening(table, watcher, number, game, who, seat)
        for number in range(4):
            await watcher.until_heard(number)
        line = await anna.say(game, seat=0, phrase="peace", listener_seat=1)
        for turn in range(LINES[PRIVATE] + 5):
            await ben.say(game, f"offer {turn}", 1, to_seat=1)
        await anna.say(game, "Go on, Clara", 0)
        await watcher.until_heard(2, "Go on, Clara")
        await watcher.until_heard(3, "Go on, Clara")
        await watcher.until_heard(0, "(peace)", *(f"offer {turn}" for turn in range(LINES[PRIVATE] + 5)), "Go on, Clara")
        assert [len(watcher.talks[number]) for number in (2, 3)] == [2, 2]  # all, which was nothing, and the one line
        await listening(table, watcher, 5, game, ben, 1)
        await watcher.until_heard(5, *(f"offer {turn}" for turn in range(5, LINES[PRIVATE] + 5)), "Go on, Clara")
        await listening(table, watcher, 6, game, clara, 2)
        await watcher.until_heard(6, "Go on, Clara")
    assert (line.room, line.speaker_seat, line.listener_seat) == (PRIVATE, 0, 1)
    assert (line.seat, line.to_seat) == (1, 2)
    assert (await anna.see(game)).SerializeToString(deterministic=True) == before.SerializeToString(deterministic=True)


async def test_an_offer_belongs_to_the_persons_and_not_to_their_successors(table: Table) -> None:
    (anna, ben, clara), game = await emperado(table, "Anna", "Ben", "Clara")
    await anna.say(game, "Peace?", 0, to_seat=2)
    await ben.set_seat(game, 1, "easy", by=1)
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, anna, 0)
        await watcher.until_heard(1, "Peace?")
        await listening(table, watcher, 2, game, ben)
        await watcher.until_heard(2)
    with refused("MALFORMED"):
        await anna.say(game, "Still there?", 0, to_seat=2)
    with refused("MALFORMED"):
        await clara.say(game, "To myself", 2, to_seat=3)
    with refused("UNKNOWN"):
        await clara.say(game, "To nobody", 2, to_seat=6)


async def test_a_watch_that_loses_its_seat_hears_what_those_hear_who_watch(table: Table) -> None:
    (anna, ben, _), game = await emperado(table, "Anna", "Ben", "Clara")
    await anna.say(game, "Peace?", 0, to_seat=2)
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, ben, 1)
        await watcher.until_heard(1, "Peace?")
        await ben.set_seat(game, 1, "easy", by=1)
        await watcher.until_heard(1)


async def test_other_games_have_no_private_talk(table: Table) -> None:
    anna, _, game = await two(table)
    with refused("MALFORMED"):
        await anna.say(game, "psst", 0, to_seat=2)


async def test_an_invalid_line_is_refused_with_the_reason(table: Table) -> None:
    anna, ben, game = await two(table)
    for text, phrase in (("", ""), ("hi", "hello"), ("   ", ""), ("a\x07b", ""), ("ü" * 151, ""), ("\u202eback", "")):
        with refused("MALFORMED"):
            await anna.say(game, text, 0, phrase=phrase)
    with refused("UNKNOWN"):
        await anna.say(game, seat=0, phrase="peace")
    nobody = table.player("Nobody")
    nobody.caller.player_id = ""
    with refused("NO_TOKEN"):
        await nobody.say(game, "hello")
    with refused("UNKNOWN"):
        await ben.say("00" + "a" * 22, "hello")


async def test_a_repeated_request_says_nothing_twice(table: Table) -> None:
    anna, _, game = await two(table)
    first = await anna.say(game, "Hello", 0, request_id="request-once")
    assert await anna.say(game, "Hello", 0, request_id="request-once") == first
    with refused("REQUEST_ID_REUSED"):
        await anna.say(game, "Hello!", 0, request_id="request-once")
    assert len(await table.wiring.talk.lines(game)) == 1


async def test_acknowledged_talk_is_there_after_the_owner_has_died_and_after_it_moved(table: Table) -> None:
    anna, ben, game = await two(table)
    await anna.say(game, "one", 0)
    await table.restart()
    await ben.say(game, "two", 1)
    other = await table.another_process()
    await table.hand_over(game, other)
    await anna.say(game, "three", 0)
    async with watching(other) as watcher:
        await listening(table, watcher, 1, game, ben, 1)
        await watcher.until_heard(1, "one", "two", "three")
    await table.hand_over(game, table.wiring)
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, ben, 1)
        await watcher.until_heard(1, "one", "two", "three")


async def test_a_former_owner_can_say_nothing_any_more(table: Table) -> None:
    anna, _, game = await two(table)
    other = await table.another_process()
    shard, served = int(game[:2], 16), table.wiring.shards._served
    token = served[shard]
    await table.hand_over(game, other)
    served[shard] = token
    with refused("UNAVAILABLE") as caught:
        await table.wiring.store.add_talk(game, b"late", [])
    assert moved_shard(caught.value.refusal) == shard
    del served[shard]
    assert await table.wiring.talk.lines(game) == []
    await anna.say(game, "on time", 0)


async def test_talk_is_bounded_by_room_and_the_oldest_goes(table: Table) -> None:
    anna, _, game = await two(table)
    for number in range(LINES[TABLE] + 3):
        table.clock.pass_s(1)
        await anna.say(game, str(number), 0)
    await table.restart()
    kept = [stored.line.text for stored in await table.wiring.talk.lines(game)]
    assert kept == [str(number) for number in range(3, LINES[TABLE] + 3)]


async def test_many_who_watch_do_not_drown_a_table(table: Table) -> None:
    anna, _, game = await two(table)
    crowd = [table.player(f"Watcher {number}") for number in range(31)]
    with refused("TOO_MANY_REQUESTS") as caught:
        for one in crowd:
            await one.say(game, "me too")
    table.clock.pass_s(caught.value.refusal.retry_after_ms / 1000)
    await anna.say(game, "Quiet, please", 0)


async def test_talk_is_in_no_record_and_goes_with_its_session(table: Table) -> None:
    anna, ben, game = await two(table)
    secret = "nobody is to find this"
    await anna.say(game, secret, 0)
    versions = (await table.wiring.session_cache.newest(game)).state.version
    await play_out((anna, ben), game)
    assert secret.encode() not in (await anna.export(game)).SerializeToString()
    listed = await anna.ask(list_updates=play_pb2.ListUpdatesRequest(session_id=game, from_version=versions))
    assert secret.encode() not in listed.SerializeToString()
    for _ in range(2):
        table.clock.pass_s(7200)
        await table.sweep()
    assert await table.wiring.store.version(game) is None
    assert await table.wiring.store.talk(game) == []
    assert secret.encode() not in (await table.wiring.archive.find(game) or b"")
    with refused("GAME_OVER"):
        await anna.say(game, "still there?", 0)
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, anna)
        await watcher.until_heard(1)


async def test_talk_that_nobody_adds_to_is_forgotten_some_day(table: Table) -> None:
    anna, _, game = await two(table)
    await anna.say(game, "hello", 0)
    kept_s = await table.wiring.store._servers.send("TTL", session_key(game, "talk"))
    assert 179 * 86_400 < kept_s <= 180 * 86_400


async def test_a_line_is_reported_once_with_what_came_before_it(table: Table) -> None:
    (anna, ben, clara), game = await emperado(table, "Anna", "Ben", "Clara")
    await anna.say(game, "private", 0, to_seat=3)
    await anna.say(game, "You play badly", 0)
    line = await anna.say(game, "Really badly", 0)
    report = talk_pb2.ReportTalkRequest(
        session_id=game, seat_token=ben.token(game), line_id=line.id, comment="He goes on and on."
    )
    for _ in range(2):
        await ben.ask(report_talk=report)
    found = await TalkReports(table.wiring.archive).list()
    assert len(found) == 1
    assert (found[0].player_id, found[0].said, found[0].reporter_id) == ("p-anna", "Really badly", "p-ben")
    assert (found[0].before, found[0].comment, found[0].room) == (("Anna: You play badly",), "He goes on and on.", "table")
    table.clock.pass_s(1)
    report.line_id = (await anna.say(game, "psst", 0, to_seat=3)).id
    with refused("UNKNOWN"):
        await ben.ask(report_talk=report)
    report.seat_token = clara.token(game)
    await clara.ask(report_talk=report)
    assert (await TalkReports(table.wiring.archive).list())[0].before == ("Anna: private",)


async def test_spectators_are_counted_once_and_named_if_they_like(table: Table) -> None:
    anna, ben, game = await two(table)
    clara, dora = table.player("Clara"), table.player("Dora")
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, anna, 0)
        await listening(table, watcher, 2, game, clara)
        await listening(table, watcher, 3, game, clara)
        await watcher.follow(4, game, caller=dora.caller)
        await listening(table, watcher, 5, game, ben)  # who plays here
        await watcher.follow(6, game)
        await watcher.until_watched(1, 3, "Clara")
        await watcher.unfollow(2)
        await watcher.unfollow(4)
        await watcher.until_watched(1, 2, "Clara")
        await watcher.unfollow(3)
        await watcher.until_watched(1, 1)


@pytest.fixture
async def strict_table(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    monkeypatch.setattr(word_list, "LOOK_S", 0.0)
    (tmp_path / "words.txt").write_text("# ours\nDUMMKOPF\nsilly goose\n", encoding="utf-8")
    async with running_rules() as rules:
        made = Table(redis_url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", talk_words=str(tmp_path / "words.txt"))
        await made.open()
        try:
            yield made
        finally:
            await made.close()


async def test_words_of_the_operators_list_are_refused_by_name_until_the_list_changes(
    strict_table: Table, tmp_path: Path
) -> None:
    anna, _, game = await two(strict_table)
    with refused("WORD_NOT_ALLOWED") as caught:
        await anna.say(game, "You Dummkopf!", 0)
    assert caught.value.refusal.details == {"word": "dummkopf"}
    await anna.say(game, "Some dummkopfs are clever", 0)
    (tmp_path / "words.txt").write_text("clever\n", encoding="utf-8")
    await anna.say(game, "You Dummkopf!", 0)
    with refused("WORD_NOT_ALLOWED"):
        await anna.say(game, "How clever", 0)


async def test_a_server_without_talk_says_so(redis_url: str, tmp_path: Path) -> None:
    async with running_rules() as rules:
        table = Table(redis_url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", talk=False)
        await table.open()
        try:
            anna, _, game = await two(table)
            with refused("TALK_OFF"):
                await anna.say(game, "hello", 0)
            async with watching(table.wiring) as watcher:
                await listening(table, watcher, 1, game, anna, 0)
                await watcher.until_heard(1)
                assert watcher.talks[1][0].off
        finally:
            await table.close()


async def test_lines_said_at_the_same_time_are_sent_in_the_order_in_which_they_are_kept(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, anna, 0)
        await asyncio.gather(
            *(who.say(game, f"{who.caller.name} {n}", seat) for n in range(10) for seat, who in enumerate((anna, ben)))
        )
        await listening(table, watcher, 2, game, ben, 1)
        kept = [stored.line.text for stored in await table.wiring.talk.lines(game)]
        assert len(kept) == 20
        await watcher.until_heard(1, *kept)
        await watcher.until_heard(2, *kept)


def test_a_refusal_is_one_of_the_catalogue() -> None:
    assert Refused(errors_pb2.REASON_TALK_OFF, "no talk").code.name == "FAILED_PRECONDITION"
    assert Refused(errors_pb2.REASON_WORD_NOT_ALLOWED, "a word").code.name == "INVALID_ARGUMENT"


@pytest.mark.parametrize(("public", "counted"), [(True, 1), (False, 2)])
async def test_a_caller_looking_in_at_a_public_table_is_not_counted(table: Table, public: bool, counted: int) -> None:
    anna, _, game = await two(table, public=public)
    async with watching(table.wiring) as watcher:
        await listening(table, watcher, 1, game, anna, 0)
        await watcher.follow(2, game, in_passing=True)
        await watcher.follow(3, game)
        await watcher.until_watched(1, counted)
