"""The time that a computer's turn takes tells nothing of what it did unseen (WEC-RUL-53); planted leaks are found."""

import asyncio
from collections.abc import Sequence

import pytest

from brettwerk.internal.v1 import session_pb2
from services.session.computers import computer_moves
from services.session.domain import clocks
from services.session.domain.perception import audience, number_of
from services.session.domain.state import State
from tests.services.session.player import Player
from tests.services.session.settling import wec_options
from tests.services.session.table import Table
from tests.services.session.watch.test_unseen import received, state_of
from tests.services.session.watcher import watching

BEN, SPECTATOR = 1, 9
THINK_MS = 500
"""How long "easy" may think about a turn (facts.json)."""


async def begun(table: Table, *, competitive: bool = True) -> tuple[Player, str]:
    """Return a game whose history is closed, or not, in which a computer is to begin against Ben."""
    ben = table.player("Ben")
    return ben, (await ben.create("easy", "me", game="wec", options=wec_options(competitive=competitive))).id


async def plays(table: Table, begins: str) -> session_pb2.SubmitActionResponse:
    """Let the computer answer with the first action whose notation begins so."""
    asked = await table.until_asked()
    assert asked.view is not None
    request = await table.submission(asked)
    legal = await table.wiring.rules.legal("wec", asked.view)
    request.action.CopyFrom(next(each.action for each in legal.actions if each.notation.startswith(begins)))
    return await table.owner(asked.session_id).computers.submit(request)


async def until_version(table: Table, session: str, version: int) -> State:
    async with asyncio.timeout(60):
        while (state := await state_of(table, session)).version < version:  # noqa: ASYNC110 - a commit sets no event
            await asyncio.sleep(0.01)
    return state


async def moments_of_a_turn(table: Table, delays_ms: Sequence[int], *actions: str) -> list[list[int]]:
    """Return after how many milliseconds Ben and a spectator are told of what a computer does in its first turn.

    So long the computer takes for each action.
    """
    ben, session = await begun(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(BEN, session, ben.token(session, 1))
        await watcher.follow(SPECTATOR, session)
        await watcher.until_live(session)
        state = await state_of(table, session)
        since = state.at_ms
        for action, delay_ms in zip(actions, delays_ms, strict=True):
            table.clock.now_ms += delay_ms
            response = await plays(table, action)
            assert response.played != response.held
            state = await until_version(table, session, state.version + 1)
            table.clock.now_ms = max(table.clock.now_ms, state.at_ms)
        for number in (BEN, SPECTATOR):
            await watcher.until(number, number_of(state, audience(BEN if number == BEN else None), state.version))
        return [
            [update.at_ms - since for update in received(watcher, number) if update.happening.ply] for number in (BEN, SPECTATOR)
        ]


async def no_turn_tells_how_long_its_actions_took(table: Table) -> None:
    for delays_ms in ((0, 0), (3, 240), (180, 20), (250, 249)):
        unseen = await moments_of_a_turn(table, delays_ms, "MV:AAA", "END")
        assert unseen == [[THINK_MS]] * 2
    for delays_ms in ((0, 0), (40, 90), (499, 124)):
        seen = await moments_of_a_turn(table, delays_ms, "MV:FP", "END")
        assert seen == [[THINK_MS, THINK_MS + THINK_MS // 4]] * 2


async def test_perceived_actions_of_a_computers_turn_come_on_the_beat(table: Table) -> None:
    await no_turn_tells_how_long_its_actions_took(table)


@pytest.mark.nightly
async def test_a_computer_that_keeps_no_beat_is_found_to_tell_how_long_it_took(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "played_at_ms", lambda _state, _step, _seat, now_ms, _think_ms: now_ms)
    with pytest.raises(AssertionError):
        await no_turn_tells_how_long_its_actions_took(table)


async def test_an_unperceived_action_is_played_at_once_and_a_waiting_answer_is_taken_once(table: Table) -> None:
    _ben, session = await begun(table)
    assert (await plays(table, "MV:AAA")).played
    asked = await table.until_asked()
    assert (await plays(table, "END")).held
    assert (await plays(table, "END")).held, "somebody else was asked as well"
    state = await until_version(table, session, asked.version + 1)
    assert state.to_act == (1,)
    assert not (await table.answer_for(asked)).held


async def test_where_the_history_is_open_computers_need_not_wait(table: Table) -> None:
    _ben, _session = await begun(table, competitive=False)
    assert (await plays(table, "MV:AAA")).played
    assert (await plays(table, "END")).played


async def test_an_answer_that_waits_when_its_process_ends_is_wanted_of_the_next_one(table: Table) -> None:
    _ben, session = await begun(table)
    assert (await plays(table, "MV:AAA")).played
    assert (await plays(table, "END")).held
    version = (await state_of(table, session)).version
    await table.restart()
    assert (await state_of(table, session)).version == version
    await table.pass_s(10.037)  # between two beats
    assert (await plays(table, "END")).held
    await until_version(table, session, version + 1)


async def test_beyond_the_bound_no_answer_waits_and_the_move_is_asked_for_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_moves, "MAX_WAITING", 0)
    _ben, session = await begun(table)
    assert (await plays(table, "MV:FP")).held
    monkeypatch.undo()
    asked = len(table.ai.moves)
    await table.pass_s(10.037)  # between two beats
    await table.until_quiet()
    assert len(table.ai.moves) > asked
    assert (await plays(table, "MV:FP")).held
    await until_version(table, session, 3)
