"""The session moves for a computer only when no worker has lived for long, or none can make the move: and not just anything."""

import asyncio
import time

import pytest

from brettwerk.internal.v1 import ai_pb2, session_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk_games.players.registry import cheapest
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.registry import games
from services.ai.thought import emergency_player
from services.runtime.refusal import Refused, unavailable
from services.session.computers.overdue_moves import Fallback
from services.session.domain.ids import search_seed
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.watcher import watching

FALLBACK = record_pb2.Acted.CAUSE_FALLBACK


class Beside:
    """A pool whose work is done in a thread of this process; a process of its own takes a second to start."""

    def __init__(self, *_name_and_target: str, **_bounds: float) -> None:
        self._target = emergency_player.work

    async def run(self, data: bytes) -> bytes:
        return await asyncio.to_thread(self._target, data, lambda: True)

    async def close(self) -> None:
        """Nothing to do."""


@pytest.fixture(autouse=True)
def no_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "a_process" not in request.fixturenames:
        monkeypatch.setattr("services.session.computers.overdue_moves.Pool", Beside)


@pytest.fixture
def a_process() -> None:
    """Takes the real pool: what stands in knows players, which this process must not need."""


async def wanted(table: Table, *seats: str) -> str:
    """Return a session in which a computer is to move."""
    anna = table.player("Anna")
    session = (await anna.create(*(seats or ("easy", "me")))).id
    await table.until_quiet()
    return session


async def pass_s(table: Table, seconds: int) -> None:
    """Let time go by, second by second: as sessions are swept and the AI service is asked."""
    for _ in range(seconds):
        table.clock.pass_s(1)
        await table.wiring.waits.ask()
        await table.sweep()
        await table.until_quiet()


async def causes(table: Table, session: str) -> list[int]:
    """Return why each action was played."""
    entries = await table.wiring.rebuilds.entries(session)
    return [entry.acted.cause for entry in entries if entry.HasField("acted")]


async def test_when_no_worker_lives_for_long_the_level_plays_without_thinking(table: Table) -> None:
    table.ai.demand.workers = 0
    session = await wanted(table)
    asked = await table.until_asked()
    await pass_s(table, 19)
    assert not await causes(table, session)
    await pass_s(table, 5)
    assert await causes(table, session) == [FALLBACK]
    await table.until_quiet()
    assert not table.ai.noted
    late = await table.answer_for(asked)
    assert not late.played


async def test_when_the_ai_service_is_away_for_long_the_level_plays_without_thinking(table: Table) -> None:
    table.ai.refusal = unavailable("board")
    session = await wanted(table)
    await pass_s(table, 18)
    assert not await causes(table, session)
    await pass_s(table, 8)
    assert await causes(table, session) == [FALLBACK]


async def test_a_short_absence_of_workers_costs_no_computer_its_move(table: Table) -> None:
    table.ai.refusal = unavailable("board")
    session = await wanted(table)
    await pass_s(table, 15)
    table.ai.refusal = None
    await table.until_all_is_noted()
    await pass_s(table, 15)
    table.ai.demand.workers = 0
    await pass_s(table, 15)
    table.ai.demand.workers = 1
    await pass_s(table, 60)
    assert not await causes(table, session)
    await table.until_all_is_noted()
    await table.computer_moves()


async def test_a_move_that_has_just_become_wanted_is_waited_for_though_nobody_has_lived_for_long(table: Table) -> None:
    table.ai.demand.workers = 0
    await wanted(table)
    await pass_s(table, 40)
    session = await wanted(table)
    await pass_s(table, 15)
    assert not await causes(table, session)
    await pass_s(table, 10)
    assert await causes(table, session) == [FALLBACK]


async def test_as_long_as_a_worker_lives_no_move_is_made_for_it(table: Table) -> None:
    session = await wanted(table)
    await pass_s(table, 120)
    assert not await causes(table, session)


async def test_a_move_without_an_audience_is_waited_for_ten_minutes(table: Table) -> None:
    table.ai.demand.workers = 0
    session = await wanted(table, "easy", "easy")
    await pass_s(table, 590)
    assert not await causes(table, session)
    await pass_s(table, 15)
    assert await causes(table, session) == [FALLBACK]


async def test_a_watched_move_is_not_waited_for_that_long(table: Table) -> None:
    table.ai.demand.workers = 0
    session = await wanted(table, "easy", "easy")
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session)
        await pass_s(table, 27)
        assert await causes(table, session) == [FALLBACK]


@pytest.mark.usefixtures("a_process")
async def test_a_move_that_no_worker_can_make_is_made_at_once(table: Table) -> None:
    table.ai.unplayable.add("easy")
    session = await wanted(table)
    await settled(table)
    assert await causes(table, session) == [FALLBACK]


async def settled(table: Table) -> None:
    """Return when no move is looked for any more."""
    while table.wiring.overdue_moves._open or table.wiring.want_reporter._task is not None:
        await table.until_quiet()
        await table.wiring.store.is_ready()


async def test_a_move_at_which_all_workers_have_failed_is_made_though_nobody_watches(table: Table) -> None:
    session = await wanted(table)
    want = table.ai.moves[-1]
    table.ai.status = ai_pb2.WantStatus(state=ai_pb2.WantStatus.STATE_UNPLAYABLE, version=want.version - 1)
    await pass_s(table, 6)
    await settled(table)
    assert not await causes(table, session)  # it was another one
    table.ai.status.version = want.version
    await pass_s(table, 6)
    await settled(table)
    assert await causes(table, session) == [FALLBACK]


@pytest.mark.parametrize(
    ("game", "seats"),
    [("einstein", 2), ("emperado", 4), ("plateau", 3), ("wec", 2)],
)
async def test_every_level_of_every_game_has_a_move_without_thinking(table: Table, game: str, seats: int) -> None:
    facts = await table.wiring.games.facts(game)
    for level in facts.levels:
        session = (await table.player("Anna").create(level.id, *(["me"] * (seats - 1)), game=game)).id
        state = (await table.wiring.session_cache.newest(session)).state
        seat = state.to_act[0]
        view = await table.wiring.session_cache.view(state, seat)
        computer = record_pb2.Computer(level=level.id)
        wanted = session_pb2.WantedPosition(game=game, view=view, computer=computer, search_seed=search_seed(session, seat, 1))
        began = time.process_time()
        packed = emergency_player.work(wanted.SerializeToString(), lambda: True)
        assert packed == emergency_player.work(wanted.SerializeToString(), lambda: True)
        assert time.process_time() - began < 5
        action = record_pb2.Ply(actor=seat + 1, seed=bytes(32))
        action.action.MergeFromString(packed)
        assert state.position is not None
        await table.wiring.rules.play(game, state.position, action)


async def test_the_move_is_the_levels_own(table: Table) -> None:
    session = (await table.player("Anna").create("me", "me", game="emperado")).id
    state = (await table.wiring.session_cache.newest(session)).state
    view = await table.wiring.session_cache.view(state, state.to_act[0])
    game = games()["emperado"]
    for level in game.facts.levels:
        found = await table.wiring.fallback.action("emperado", view, record_pb2.Computer(level=level.id), 7)
        own = cheapest(game, level, 0, game.codec.decode(Kind.VIEW, view.value), 7)
        assert game.codec.decode(Kind.ACTION, found.value) == own


@pytest.mark.usefixtures("a_process")
async def test_where_no_player_stands_in_a_legal_action_is_drawn(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    session = (await table.player("Anna").create("me", "me")).id
    view = await table.wiring.session_cache.view((await table.wiring.session_cache.newest(session)).state, 0)
    legal = [one.action for one in (await table.wiring.rules.legal("einstein", view)).actions]
    fallback = table.wiring.fallback
    assert await fallback.action("einstein", view, record_pb2.Computer(level="none"), 5) == legal[5 % len(legal)]
    monkeypatch.setattr(fallback._pool, "_target", "services.session.none:none")
    await fallback._pool.close()
    assert await fallback.action("einstein", view, record_pb2.Computer(level="easy"), 4) == legal[4 % len(legal)]


async def test_when_too_many_moves_are_looked_for_the_others_wait(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_data: bytes) -> bytes:
        raise Refused(errors_pb2.REASON_FULL, "full", retry_after_ms=1)

    fallback = Fallback(table.wiring.rules, table.wiring.session_cache, table.wiring.writer)
    monkeypatch.setattr(fallback._pool, "run", full)
    with refused("FULL"):
        await fallback.action("einstein", session_pb2.WantedPosition().view, record_pb2.Computer(level="easy"), 4)
    await fallback.close()
