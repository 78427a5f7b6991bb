"""A session that is read from its log: many plies are asked for in one question, and nothing else comes of it."""

import random
from typing import Any

import pytest

from brettwerk.v1 import sessions_pb2
from brettwerk_games.rules import registry
from services.session.domain.perception import EVERYBODY
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache, SessionEvents
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player
from tests.services.session.table import Table

RUNNING = sessions_pb2.Session.STATE_RUNNING
CLOCK = {"kind": 2, "time_ms": 60_000, "increment_ms": 1000}


async def played(table: Table, game: str, moves: int, **fields: Any) -> tuple[Player, str]:
    """Return who plays both sides of a game in which things are proposed and taken back, and time runs out."""
    anna, dice = table.player("Anna"), random.Random(game)
    session = (await anna.create("me", "me", game=game, **fields)).id
    for _ in range(moves):
        update = await anna.see(session)
        if update.session.state != RUNNING:
            break
        seat = update.to_act[0]
        match dice.randrange(8):
            case 0:
                back = (await anna.see(session, seat)).free_undo_plies
                if back:
                    await anna.undo(session, seat, update.session.plies - back)
            case 1:
                await anna.propose(session, seat, pause=True)
                await anna.propose(session, seat, pause=False)
            case _:
                await anna.act(session, seat, pick=dice.randrange(256))
    return anna, session


@pytest.mark.parametrize("game", registry.games())
async def test_a_session_read_from_its_log_is_the_one_that_was_played(table: Table, game: str) -> None:
    anna, session = await played(table, game, 40)
    await check_rebuilt(table, session)
    if (await anna.see(session)).session.state == RUNNING:  # the dice may have ended a short game before
        await anna.resign(session, 0)
        await check_rebuilt(table, session)


@pytest.mark.parametrize("game", registry.games())
async def test_time_that_ran_out_is_read_too(table: Table, game: str) -> None:
    _, session = await played(table, game, 10, clock=CLOCK)
    await table.pass_s(90)
    await check_rebuilt(table, session)


async def test_plies_without_anything_between_them_are_one_question(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.session.live.writer.snapshot_interval", lambda _state: 1000)
    anna = table.player("Anna")
    session = (await anna.create("me", "me", game="wec")).id
    for _ in range(40):
        await anna.act(session, (await anna.see(session)).to_act[0])
    asked: list[str] = []
    for name in ("play", "play_on", "look"):
        monkeypatch.setattr(RulesClient, name, _noted(getattr(RulesClient, name), name, asked))
    wiring = table.wiring
    nobody = SessionCache(wiring.store, wiring.rules, lambda _: 0, lambda _: False, SessionEvents())
    loaded = await nobody.newest(session)
    assert asked == ["play_on"]
    assert loaded.state == (await table.wiring.session_cache.newest(session)).state
    asked.clear()
    head = loaded.head.version
    packed = await nobody.updates(loaded, head, head, EVERYBODY)
    assert packed == await table.wiring.rebuilds.updates(session, head, head)
    assert asked == ["play_on"]
    assert loaded.memory.position(loaded.state.ply_count - 1) is not None


def _noted(ask: Any, name: str, asked: list[str]) -> Any:
    async def noted(*args: Any, **fields: Any) -> Any:
        asked.append(name)
        return await ask(*args, **fields)

    return noted
