"""Arbiters: who is one, what they rule while a game is played, and what they find once it is over."""

from typing import Any

import pytest

from brettwerk.v1 import record_pb2, sessions_pb2
from services.runtime.refusal import Refused
from services.session.domain.state import State
from services.session.domain.storage_format import FORMAT
from services.session.store import store
from tests.services.session.app.saving import check, import_
from tests.services.session.arbiters import CLOCK, judged, name, rule, table_talk, time
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.substitutes import ask, leave
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two

_Kind = sessions_pb2.Happening
_State = sessions_pb2.Session
HOUR_MS = 3_600_000


@pytest.fixture(autouse=True)
def skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * 86_400_000)  # moments at which nothing happens are skipped; that is no outage


def why(caught: Any) -> str:
    return str(caught.value.refusal.details["arbiter"])


async def state_of(table: Table, session_id: str) -> State:
    return (await table.owner(session_id).session_cache.newest(session_id)).state


async def records_well(player: Player, session_id: str) -> record_pb2.Record:
    """Return the record of a game that is over, which a check finds good."""
    record = await player.export(session_id)
    checked = await check(player, record)
    assert checked.good, checked.fault
    return record


def happened(update: sessions_pb2.Update) -> tuple[int, str]:
    return update.happening.kind, update.happening.arbitration.ruling.reason


async def test_a_creator_who_takes_no_seat_is_the_arbiter_and_everybody_sees_that(table: Table) -> None:
    ruth, (anna, _), session = await judged(table)
    shown = (await anna.see(session)).session
    assert [one.name for one in shown.arbiters] == ["Ruth"]
    assert shown.state == _State.STATE_RUNNING
    assert (await state_of(table, session)).min_reader == FORMAT
    with refused("MALFORMED"):
        await ruth.create("me", "open", arbiter=True)
    with refused("MALFORMED"):
        await ruth.create("open", "open", arbiter=True, practice=True)


async def test_a_table_without_an_arbiter_needs_no_newer_release_and_has_none(table: Table) -> None:
    anna, ben, session = await two(table)
    assert (await state_of(table, session)).min_reader == 0
    for player in (anna, ben, table.player("Ruth")):
        with refused("ARBITER") as caught:
            await rule(player, session, pause=True)
        assert why(caught) == "not_arbiter"


async def test_an_arbiter_takes_no_seat(table: Table) -> None:
    ruth = table.player("Ruth")
    session = (await ruth.create("open", "open", arbiter=True)).id
    for work in (ruth.join(session), ruth.set_seat(session, 0, "me")):
        with refused("ARBITER") as caught:
            await work
        assert why(caught) == "seat"


async def test_the_creator_names_others_before_the_game_begins(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def name_of(_self: object, player: str) -> str:
        return {"p-ruth": "Ruth", "p-ben": "Ben"}.get(player, "")

    monkeypatch.setattr("services.session.app.calls.blocks.Blocks.name_of", name_of)
    anna, ben, ruth = (table.player(each) for each in ("Anna", "Ben", "Ruth"))
    session = (await anna.create("me", "open", clock=CLOCK)).id
    with refused("ARBITER") as caught:
        await name(ben, session, "p-ruth")
    assert why(caught) == "not_arbiter"
    with refused("UNKNOWN"):
        await name(anna, session, "p-nobody")
    with refused("ARBITER") as caught:
        await name(anna, session, "p-anna")
    assert why(caught) == "seat"
    named = await name(anna, session, "p-ruth")
    assert [(one.player_id, one.name) for one in named.arbiters] == [("p-ruth", "Ruth")]
    update = await ben.see(session)
    assert (update.happening.kind, update.happening.arbitration.arbiter.name) == (_Kind.KIND_ARBITER_NAMED, "Ruth")
    assert (await name(anna, session, "p-ruth")).version == named.version
    with refused("NOT_RUNNING"):
        await rule(ruth, session, pause=True)
    assert not (await name(anna, session, "p-ruth", withdraw=True)).arbiters
    await name(anna, session, "p-ruth")
    await ben.join(session)
    with refused("ARBITER") as caught:
        await name(anna, session, "p-ruth", withdraw=True)
    assert why(caught) == "begun"
    assert not (await name(ruth, session, "p-ruth", withdraw=True)).arbiters
    await check_rebuilt(table, session)


async def test_no_player_ends_the_pause_of_an_arbiter_and_clocks_stand(table: Table) -> None:
    ruth, (anna, ben), session = await judged(table)
    table.clock.pass_s(10)
    await rule(ruth, session, "A call of nature", pause=True)
    update = await anna.see(session)
    assert happened(update) == (_Kind.KIND_RULED, "A call of nature")
    assert update.session.arbitration.arbiter.name == "Ruth"
    assert (update.session.state, update.clocks[0].left_ms) == (_State.STATE_PAUSED, 590_000)
    table.clock.pass_s(1000)
    await table.sweep()
    with refused("NOT_RUNNING"):
        await anna.act(session, 0, action=(await ben.see(session)).view)
    with refused("ARBITER") as caught:
        await anna.propose(session, 0, pause=False)
    assert why(caught) == "paused"
    with refused("ARBITER") as caught:
        await rule(ruth, session, pause=True)
    assert why(caught) == "state"
    await rule(ruth, session, "Back again", pause=False)
    update = await anna.see(session)
    assert (update.session.state, update.clocks[0].left_ms) == (_State.STATE_RUNNING, 590_000)
    assert not update.session.HasField("arbitration")
    await anna.act(session, 0)
    await check_rebuilt(table, session)


async def test_an_arbiter_keeps_a_pause_that_players_have_agreed_to_and_ends_one(table: Table) -> None:
    ruth, (anna, ben), session = await judged(table)
    asked = await anna.propose(session, 0, pause=True)
    await ben.reply(session, 1, asked.proposal_id, True)
    await anna.propose(session, 0, pause=False)
    await rule(ruth, session, pause=True)
    assert not (await ben.see(session)).session.proposals
    await rule(ruth, session, pause=False)
    with refused("ARBITER") as caught:
        await rule(ruth, session, pause=False)
    assert why(caught) == "state"
    asked = await anna.propose(session, 0, pause=True)
    await ben.reply(session, 1, asked.proposal_id, True)
    await rule(ruth, session, "Time to play", pause=False)
    await anna.act(session, 0)


async def test_time_is_given_within_bounds(table: Table) -> None:
    ruth, (anna, _), session = await judged(table)
    await rule(ruth, session, given_time=time(0, 60_000))
    update = await anna.see(session)
    assert [one.left_ms for one in update.clocks] == [660_000, 600_000]
    assert update.happening.arbitration.ruling.given_time.seat == update.happening.concerned_seat == 0
    await rule(ruth, session, given_time=time(1, HOUR_MS))
    for seat, time_ms in ((0, 999), (0, HOUR_MS + 1), (0, 0)):
        with refused("ARBITER") as caught:
            await rule(ruth, session, given_time=time(seat, time_ms))
        assert why(caught) == "clock"
    with refused("UNKNOWN"):
        await rule(ruth, session, given_time=time(2, 60_000))
    table.clock.pass_s(659)
    await anna.act(session, 0)


async def test_where_turns_have_a_time_only_a_seat_to_act_gets_more(table: Table) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=60_000)
    ruth, (anna, _), session = await judged(table, clock=clock)
    with refused("ARBITER"):
        await rule(ruth, session, given_time=time(1, 60_000))
    await rule(ruth, session, given_time=time(0, 60_000))
    assert (await anna.see(session)).clocks[0].left_ms == 120_000


async def test_a_game_without_a_clock_has_no_time_to_give(table: Table) -> None:
    ruth, _, session = await judged(table, clock=None)
    with refused("ARBITER") as caught:
        await rule(ruth, session, given_time=time(0, 60_000))
    assert why(caught) == "clock"


@pytest.mark.parametrize(("ruling", "winner"), [({"forfeited_seat": 0}, 1), ({"ranking": {"seats": [0, 1]}}, 0)])
async def test_a_ruling_decides_a_game_of_two_for_good(table: Table, ruling: dict[str, Any], winner: int) -> None:
    ruth, (anna, ben), session = await judged(table)
    await play_out((anna, ben), session, 4)
    await rule(ruth, session, "Help from outside", **ruling)
    update = await anna.see(session)
    assert update.session.state == _State.STATE_FINISHED
    assert list(update.session.outcome.winners) == [winner]
    assert update.happening.cause == record_pb2.Acted.CAUSE_ARBITER
    assert update.session.arbitration.ruling.reason == "Help from outside"
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, 3)
    with refused("NOTHING_TO_UNDO"):
        await anna.propose(session, 0, undo_to_plies=3)
    record = await records_well(anna, session)
    entries = [entry.WhichOneof("change") for entry in record.entries]
    assert entries[-2:] == ["arbiter_acted", "acted"]
    await check_rebuilt(table, session)


async def test_a_draw_is_ruled_also_while_the_game_is_stopped(table: Table) -> None:
    ruth, (anna, _), session = await judged(table, game="wec")
    await rule(ruth, session, pause=True)
    await rule(ruth, session, "Power cut", draw=True)
    update = await anna.see(session)
    assert update.session.state == _State.STATE_FINISHED
    assert not update.session.outcome.winners
    await records_well(anna, session)


async def test_a_ruling_that_the_rules_do_not_know_is_refused(table: Table) -> None:
    ruth, (anna, _), session = await judged(table)  # no EinStein is drawn
    before = (await anna.see(session)).version
    with pytest.raises(Refused):
        await rule(ruth, session, draw=True)
    assert (await anna.see(session)).version == before


async def test_of_three_one_forfeits_and_the_others_play_on(table: Table) -> None:
    ruth, (anna, ben, _), session = await judged(table, 3, game="emperado", clock=None)
    await rule(ruth, session, "Insults", forfeited_seat=1)
    update = await anna.see(session)
    assert update.session.state == _State.STATE_RUNNING
    assert not update.session.HasField("arbitration")
    with refused("ARBITER") as caught:
        await rule(ruth, session, forfeited_seat=1)
    assert why(caught) == "out"
    with refused("NOTHING_TO_UNDO"):
        await anna.propose(session, 0, undo_to_plies=0)
    await rule(ruth, session, "The hall closes", ranking=record_pb2.Ranking(seats=[2, 0, 1]))
    update = await ben.see(session)
    assert update.session.state == _State.STATE_FINISHED
    assert list(update.session.outcome.winners) == [2]
    await records_well(anna, session)
    await check_rebuilt(table, session)


async def test_a_ranking_has_each_seat_once(table: Table) -> None:
    ruth, _, session = await judged(table)
    for seats in ([0], [0, 0], [0, 1, 2]):
        with refused("MALFORMED"):
            await rule(ruth, session, ranking=record_pb2.Ranking(seats=seats))
    with refused("MALFORMED"):
        await rule(ruth, session)
    with refused("MALFORMED"):
        await rule(ruth, session, draw=False)


@pytest.mark.parametrize("reason", ["", "  ", "a\u202eb", "x" * 201])
async def test_a_ruling_has_a_reason_that_can_be_read(table: Table, reason: str) -> None:
    ruth, _, session = await judged(table)
    with refused("MALFORMED"):
        await rule(ruth, session, reason, pause=True)


async def test_an_arbiter_rules_no_more_once_the_game_is_over(table: Table) -> None:
    ruth, (anna, _), session = await judged(table)
    await anna.resign(session, 0)
    with refused("GAME_OVER"):
        await rule(ruth, session, pause=True)
    with refused("GAME_OVER"):
        await name(ruth, session, "p-ruth", withdraw=True)


async def test_the_arbiter_watches_like_everybody_and_finds_what_was_said_only_afterwards(table: Table) -> None:
    ruth, (anna, ben, _), session = await judged(table, 3, game="emperado", clock=None)
    await anna.say(session, "Shall we?", 0, listener_seat=1)
    await ben.say(session, "Hello", 1)
    spectator = await table.player("Sam").see(session)
    assert (await ruth.see(session)).view == spectator.view
    with refused("STILL_RUNNING"):
        await table_talk(ruth, session)
    await rule(ruth, session, ranking=record_pb2.Ranking(seats=[2, 0, 1]))
    assert [line.text for line in await table_talk(ruth, session)] == ["Shall we?", "Hello"]
    for other in (anna, table.player("Sam")):
        with refused("ARBITER") as caught:
            await table_talk(other, session)
        assert why(caught) == "not_arbiter"


async def test_with_a_delay_the_arbiter_sees_no_more_than_other_spectators(table: Table) -> None:
    ruth, (anna, ben), session = await judged(table, competitive=True, spectator_delay=4)
    for ply in range(6):
        seat = ply % 2
        await (anna, ben)[seat].act(session, seat)
    seen = await ruth.see(session)
    version = await rule(ruth, session, pause=True)
    assert version <= (await anna.see(session, 0)).version
    assert (await ruth.see(session)).view == seen.view == (await table.player("Sam").see(session)).view
    shown = (await table.player("Sam").see(session)).session
    assert shown.state == _State.STATE_RUNNING
    assert (await anna.see(session, 0)).session.state == _State.STATE_PAUSED


async def test_a_game_that_goes_on_and_a_rematch_have_no_arbiter(table: Table) -> None:
    ruth, (anna, ben), session = await judged(table)
    await play_out((anna, ben), session, 4)
    record = await anna.export(session)
    assert not (await import_(anna, record, "me", "open")).arbiters
    await rule(ruth, session, forfeited_seat=0)
    await check_rebuilt(table, session)
    assert not (await import_(anna, await anna.export(session), "me", "open")).arbiters


async def test_a_killed_process_forgets_no_ruling(table: Table) -> None:
    ruth, (anna, ben), session = await judged(table)
    for _ in range(9):
        await rule(ruth, session, pause=True)
        await rule(ruth, session, pause=False)
    await rule(ruth, session, "Fire alarm", pause=True)
    before = await state_of(table, session)
    assert State.decode(before.encode()) == before
    await table.kill(0)
    assert await state_of(table, session) == before
    with refused("ARBITER"):
        await ben.propose(session, 1, pause=False)
    await rule(ruth, session, pause=False)
    await anna.act(session, 0)


async def test_no_arbiter_becomes_a_substitute(table: Table) -> None:
    _, (_, ben, _), session = await judged(table, 3, game="emperado", clock=None, substitutes=True)
    await leave(ben, session, 1)
    with refused("ARBITER"):
        await ask(table.player("Ruth"), session, 1)
