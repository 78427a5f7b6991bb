"""A delay for spectators: nobody without a seat sees a version younger than it, wherever they look, and seats see all at once."""

import random
from typing import Any

import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.session.domain.perception import SPECTATOR
from tests.night import at_night
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.settling import wec_options
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watch.test_unseen import updates
from tests.services.session.watcher import Watcher, watching

ANNA, STRANGER, LATE = 1, 9, 100
"""Watches: of a seat, of nobody's from the beginning, and of those who come in between."""
GAMES = ["einstein", "wec", at_night("plateau"), at_night("emperado")]


async def last_in_log(table: Table, session: str, delay: int) -> int:
    """Return the newest version of the log that spectators may be told: made from the log, whatever the service thinks."""
    state = (await table.owner(session).session_cache.newest(session)).state
    entries = await table.owner(session).rebuilds.entries(session)
    if state.is_over:
        return len(entries)
    unseen = {one.version for one in state.unperceived if one.audiences >> SPECTATOR & 1}
    acted = [entry.version for entry in entries if entry.HasField("acted") and entry.version not in unseen]
    return acted[-delay:][0] - 1 if acted else len(entries)


async def number(table: Table, session: str, version: int) -> int:
    """Return which number a version of the log, or the last before it that they perceive, has for spectators."""
    state = (await table.owner(session).session_cache.newest(session)).state
    return version - sum(1 for one in state.unperceived if one.audiences >> SPECTATOR & 1 and one.version <= version)


def pictures(watcher: Watcher, watch: int) -> list[sessions_pb2.Update]:
    """Return all updates that a watch has been given."""
    found = [response.update if response.HasField("update") else response.resync.update for response in watcher.responses(watch)]
    return [update for update in found if update.version]


async def listed(
    who: Player, session: str, filter: play_pb2.ListFilter.ValueType
) -> tuple[sessions_pb2.Session, sessions_pb2.TurnState]:
    """Return what a list says of a session."""
    response = await who.ask(list_sessions=play_pb2.ListSessionsRequest(filter=filter))
    at = [one.id for one in response.sessions].index(session)
    return response.sessions[at], response.turns[at]


async def look_everywhere(table: Table, who: Player, session: str, may: int, log: int, watcher: Watcher) -> None:
    """Look at a session in every way in which somebody without a seat can; `may`: the newest version, as spectators count."""
    seen = await who.see(session)
    assert seen.version == may
    assert seen.session.version == may
    assert (await updates(who, session, None, 50))[-1] == seen
    if seen.session.state == sessions_pb2.Session.STATE_RUNNING:
        there, turn = await listed(who, session, play_pb2.LIST_FILTER_RUNNING)
        assert there == seen.session
        assert turn == sessions_pb2.TurnState()
    record = await who.export(session)
    assert max((entry.version for entry in record.entries), default=0) <= log
    if not seen.session.HasField("outcome"):
        assert not record.position_hash or not record.entries or record.entries[-1].version == log
    await watcher.until(STRANGER, may)
    await watcher.until_live(session)
    assert pictures(watcher, STRANGER)[-1] == seen
    for watch in watcher.messages:
        if watch != ANNA:
            assert max((update.version for update in pictures(watcher, watch)), default=0) <= may
            heads = [one.heartbeat.head_version for one in watcher.responses(watch) if one.HasField("heartbeat")]
            assert max(heads, default=0) <= may


async def begun(table: Table, game: str, delay: int) -> tuple[tuple[Player, Player], str]:
    """Return the players of a public competitive game, and its session."""
    fields: dict[str, object] = {}
    if game == "wec":
        fields["options"] = wec_options(competitive=True)
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=1_000)
    anna, ben, session = await two(table, game=game, competitive=True, public=True, spectator_delay=delay, clock=clock, **fields)
    return (anna, ben), session


@pytest.mark.parametrize("delay", [1, 3, at_night(8)])
@pytest.mark.parametrize("game", GAMES)
async def test_people_without_a_seat_see_no_version_younger_than_the_delay(table: Table, game: str, delay: int) -> None:
    players, session = await begun(table, game, delay)
    stranger, dice = table.player("Zoe"), random.Random(delay)
    async with watching(table.wiring) as watcher:
        await watcher.follow(STRANGER, session)
        await watcher.follow(ANNA, session, players[0].token(session, 0))
        for turn in range(14):
            head = await players[0].see(session, 0)
            if head.session.state != sessions_pb2.Session.STATE_RUNNING:
                break
            assert head.session.spectator_delay == delay
            table.clock.pass_s(1)
            seat = head.to_act[0]
            await players[seat].act(session, seat, pick=dice.randrange(40))
            log = await last_in_log(table, session, delay)
            may = await number(table, session, log)
            await look_everywhere(table, stranger, session, may, log, watcher)
            await watcher.until(ANNA, (await players[0].see(session, 0)).version)
            # Newcomers are told no more, whichever version they have.
            after = dice.choice([0, 1, may, may + 1, may + delay, 999])
            await watcher.follow(LATE + turn, session, dice.choice(["", "no token at all"]), after)
            await watcher.until_live(session)
            await table.wiring.tails.beat()
            await watcher.until_live(session)
            await look_everywhere(table, stranger, session, may, log, watcher)
        await check_rebuilt(table, session)
        if not (await players[0].see(session, 0)).session.HasField("outcome"):
            await players[0].resign(session, 0)
        # All of it is told once it is over, each version once and in order where the numbers stay.
        last = (await stranger.see(session)).version
        assert last == (await players[0].see(session, 0)).version
        await watcher.until(STRANGER, last)
        if game in ("einstein", "plateau"):
            versions = [update.version for update in pictures(watcher, STRANGER)]
            assert versions == list(range(versions[0], last + 1))
        assert len(await updates(stranger, session, None, 50)) == last


async def test_a_spectator_sees_later_just_the_picture_that_there_was_then(table: Table) -> None:
    (anna, ben), session = await begun(table, "einstein", 3)
    zoe, seen, texts = table.player("Zoe"), [], {}
    ask = play_pb2.ExportSessionRequest(session_id=session, as_text=True)
    for turn in range(8):
        seen.append(await zoe.see(session))
        own = play_pb2.ExportSessionRequest(session_id=session, as_text=True, seat_token=anna.token(session, 0))
        texts[(await anna.see(session, 0)).version] = (await anna.ask(export_session=own)).text
        if seen[-1].version in texts:
            assert (await zoe.ask(export_session=ask)).text == texts[seen[-1].version]
        seat = (await anna.see(session, 0)).to_act[0]
        await (anna, ben)[seat].act(session, seat, pick=turn)
    await anna.resign(session, 0)
    by_version = {update.version: update for update in await updates(zoe, session, None, 50)}
    for update in seen:
        assert update == by_version[update.version]


async def test_a_delay_that_reaches_beyond_memory_leaves_gaps_and_nothing_else(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_KEPT", 1)
    monkeypatch.setattr("services.session.live.rebuilds.BACKLOG", 0)
    (anna, ben), session = await begun(table, "einstein", 4)
    async with watching(table.wiring) as watcher:
        await watcher.follow(STRANGER, session)
        for _ in range(8):
            seat = (await anna.see(session, 0)).to_act[0]
            await (anna, ben)[seat].act(session, seat)
            may = await last_in_log(table, session, 4)
            await watcher.until(STRANGER, may)
            await table.wiring.tails.beat()
            await watcher.until_live(session)
            assert pictures(watcher, STRANGER)[-1].version == may


async def test_a_seat_that_is_lost_sees_no_more_than_others(table: Table) -> None:
    (anna, ben), session = await begun(table, "einstein", 3)
    async with watching(table.wiring) as watcher:
        await watcher.follow(ANNA, session, anna.token(session, 0))
        for _ in range(5):
            seat = (await ben.see(session, 1)).to_act[0]
            await (anna, ben)[seat].act(session, seat)
        head = (await anna.see(session, 0)).version
        await watcher.until(ANNA, head)
        left = play_pb2.LeaveSessionRequest(session_id=session, seat_token=anna.token(session, 0), request_id=request_id())
        answer = await anna.ask(leave_session=left)
        may = await last_in_log(table, session, 3)
        assert answer.session.version == may < head
        await watcher.until_received(ANNA, f"SEAT{may}")
        assert (await anna.see(session)).version == may


async def test_events_between_two_actions_are_shown_with_the_later_one(table: Table) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3 * 86_400_000, vacation_days=3)
    anna, ben, session = await two(table, competitive=True, public=True, spectator_delay=2, clock=clock)
    zoe = table.player("Zoe")
    for _ in range(3):
        seat = (await anna.see(session, 0)).to_act[0]
        await (anna, ben)[seat].act(session, seat)
    async with watching(table.wiring) as watcher:
        await watcher.follow(STRANGER, session, with_talk=True)
        await watcher.until_live(session)

        async def shown() -> tuple[Any, ...]:
            record = await zoe.export(session)
            seen = await zoe.see(session), await listed(zoe, session, play_pb2.LIST_FILTER_RUNNING)
            await watcher.until_live(session)
            return *seen, list(record.entries), len(record.sealed), list(watcher.messages[STRANGER]), len(watcher.talks[STRANGER])

        before = await shown()
        waits = (await anna.see(session, 0)).to_act[0] ^ 1
        table.clock.pass_s(7 * 3600)
        token = (anna, ben)[waits].token(session, waits)
        nudge = play_pb2.NudgeRequest(session_id=session, seat_token=token, request_id=request_id())
        await (anna, ben)[waits].ask(nudge=nudge)
        await ben.take_vacation(session, 1, days=1)
        pause = await anna.propose(session, 0, pause=True)
        assert await shown() == before
        await ben.reply(session, 1, pause.proposal_id, accept=True)
        assert (await anna.see(session, 0)).session.state == sessions_pb2.Session.STATE_PAUSED
        token = anna.token(session, 0)
        left = play_pb2.LeaveSessionRequest(session_id=session, seat_token=token, request_id=request_id())
        await anna.ask(leave_session=left)
        seen, (session_listed, turn), *others = await shown()
        assert [seen, turn, *others] == [before[0], sessions_pb2.TurnState(), *before[2:]]
        session_listed.seats[0].CopyFrom(seen.session.seats[0])  # lists tell who sits there now
        assert session_listed == seen.session


async def test_calls_about_the_newest_position_need_a_seat(table: Table) -> None:
    _, session = await begun(table, "einstein", 1)
    with refused("NO_TOKEN"):
        await table.player("Zoe").ask(read_notation=play_pb2.ReadNotationRequest(session_id=session, notation="A1-B2"))
    with refused("NO_TOKEN"):
        await table.player("Zoe").look_ahead(session)


async def test_spectators_are_not_told_which_computer_is_waited_for(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", competitive=True, spectator_delay=2)).id
    async with watching(table.wiring) as watcher:
        await watcher.follow(ANNA, session, anna.token(session, 0))
        await watcher.follow(STRANGER, session)
        if 0 in (await anna.see(session, 0)).to_act:
            await anna.act(session, 0)
        await table.until_quiet()
        table.clock.pass_s(30)
        table.wiring.tails.tell_waits(session)
        await watcher.until_live(session)
        assert watcher.waits[STRANGER] == []


@pytest.mark.parametrize("asked", [0, 2, 9])
async def test_a_server_can_want_a_delay_for_all_competitive_games(
    redis_url: str, rules_address: str, tmp_path, asked: int
) -> None:
    table = Table(redis_url, rules_address, f"sqlite:///{tmp_path}/archive.sqlite3", spectator_delay=5)
    await table.open()
    try:
        anna = table.player("Anna")
        rated = await anna.create("me", "open", competitive=True, spectator_delay=asked)
        assert rated.spectator_delay == max(5, asked)
        assert (await anna.create("me", "open")).spectator_delay == 0
    finally:
        await table.close()


async def test_only_competitive_games_have_a_delay(table: Table) -> None:
    anna = table.player("Anna")
    with refused("MALFORMED"):
        await anna.create("me", "open", spectator_delay=3)
    assert (await anna.create("me", "open")).spectator_delay == 0


async def test_a_rematch_has_the_same_delay(table: Table) -> None:
    (anna, _), session = await begun(table, "einstein", 4)
    await anna.resign(session, 0)
    again = play_pb2.RematchRequest(session_id=session, seat_token=anna.token(session, 0), request_id=request_id())
    assert (await anna.ask(rematch=again)).session.spectator_delay == 4
