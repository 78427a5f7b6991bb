"""Due work is seen to wherever it can be, whatever else is away."""

import asyncio
from typing import Any

import pytest

from services.runtime.refusal import unavailable
from services.session.app.background.sweeper import STIRRED_S
from services.sharding.shards import shard_of
from tests.services.session.refusing import refused
from tests.services.session.table import Table


async def test_while_the_server_of_one_shard_is_away_the_others_are_swept(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = table.player("Anna")
    games = [(await anna.create("me", "open")).id for _ in range(8)]
    away = shard_of(games[0])
    others = [game for game in games if shard_of(game) != away]
    assert others
    claim = table.wiring.store.claim

    async def claim_elsewhere(shard: int, *arguments: Any, **named: Any) -> Any:
        await asyncio.sleep(0)
        if shard == away:
            raise unavailable("store")
        return await claim(shard, *arguments, **named)

    monkeypatch.setattr(table.wiring.store, "claim", claim_elsewhere)
    table.clock.pass_s(90_000)  # nobody has moved for more than a day
    with refused("UNAVAILABLE"):
        await table.wiring.sweeper.sweep()
    await table.wiring.sweeper.swept()
    for game in others:
        assert (await table.wiring.session_cache.newest(game)).state.is_over
    assert not (await table.wiring.session_cache.newest(games[0])).state.is_over


async def test_a_sweeper_at_rest_looks_seldom_and_is_woken_by_a_session_that_gets_a_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, sweeper = table.player("Anna"), table.wiring.sweeper
    await anna.create("me", "open")  # due in a day
    table.clock.pass_s(STIRRED_S + 1)
    await sweeper.sweep()
    rests = asyncio.create_task(sweeper._rest(0.0))
    await asyncio.sleep(0)
    assert not rests.done()
    game = await anna.create("me", "open")
    await rests
    await sweeper._rest(0.0)  # it stays awake for a while: what has stirred it may still be under way
    table.clock.pass_s(90_000)
    await sweeper._rest(0.0)  # something is due by now
    await sweeper.sweep()
    await sweeper.swept()
    assert (await table.wiring.session_cache.newest(game.id)).state.is_over
