"""A process that follows a session of another's plays on what was done there, and comes to the same, whatever it remembers."""

import random

import pytest

from services.session.live.memory import Memory
from services.session.live.session_cache import SessionCache, SessionEvents
from tests.services.session.player import Player
from tests.services.session.table import Table

KEPT = 3
"""Positions that are remembered, so that short games are long."""


def follower(table: Table) -> SessionCache:
    """Return the sessions of a process that owns nothing."""
    return SessionCache(table.wiring.store, table.wiring.rules, lambda _: 0, lambda _: False, SessionEvents())


async def step(anna: Player, session: str, dice: random.Random) -> None:
    """Play or take back; a game that is over is taken back from."""
    update = await anna.see(session)
    plies, seats = update.session.plies, update.to_act
    if plies and (not seats or dice.random() < 0.15):
        seat = seats[0] if seats else dice.randrange(2)
        back = (await anna.see(session, seat)).free_undo_plies
        wanted = range(plies - back, -1, -2) if back else ()
        if wanted:
            await anna.undo(session, seat, dice.choice(wanted))
            return
    if seats:
        await anna.act(session, seats[0], pick=dice.randrange(256))


@pytest.mark.parametrize("seed", range(4))
async def test_a_follower_comes_to_the_position_that_was_played(table: Table, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    for module in ("transaction", "memory"):
        monkeypatch.setattr(f"services.session.live.{module}.POSITIONS_KEPT", KEPT)
    anna, dice = table.player("Anna"), random.Random(seed)
    session = (await anna.create("me", "me")).id
    following, looks = follower(table), 0
    for _ in range(60):
        await step(anna, session, dice)
        if dice.random() < 0.15:
            loaded = await following.newest(session)
            assert loaded.state == (await table.wiring.session_cache.newest(session)).state
            await check_positions(table, session, loaded.memory)
            looks += 1
    assert looks


async def check_positions(table: Table, session: str, memory: Memory) -> None:
    """Check that positions that are remembered are those of the line."""
    session_cache = table.wiring.session_cache
    transaction = session_cache.transaction(await session_cache.newest(session))
    for plies in range(transaction.state.ply_count):
        remembered = memory.position(plies)
        if remembered is not None:
            assert remembered == await session_cache._position(transaction, plies)
