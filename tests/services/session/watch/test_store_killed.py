"""A store that is killed, and comes back with all it had or without its newest versions: what watchers are told."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.redis_server import LastingRedis
from tests.services.session.running import running_rules
from tests.services.session.setting_back import until, until_received
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two
from tests.services.session.watcher import watching


@pytest.fixture
def lasting(tmp_path: Path) -> Any:
    with LastingRedis(tmp_path / "redis") as server:
        yield server


@pytest.fixture
async def lasting_table(lasting: LastingRedis, tmp_path: Path) -> AsyncIterator[Table]:
    """A table whose store can be killed; its heartbeats would come only after the test."""
    async with running_rules() as rules:
        made = Table(lasting.url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", "lasting", heartbeat_s=300)
        await made.open()
        try:
            yield made
        finally:
            await made.close()


async def until_back(table: Table) -> None:
    """Return when the store of a table can be used again."""

    async def answers() -> bool:
        await table.wiring.store.is_ready()
        return True

    await until(answers)


async def kill(lasting: LastingRedis, table: Table) -> None:
    """Kill the store of a table, and return when everybody has noticed."""
    table.wiring.shard_channel._ready.clear()
    await asyncio.to_thread(lasting.kill)
    async with asyncio.timeout(30):
        while table.wiring.shard_channel.is_there:  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.005)


async def test_a_store_that_only_was_away_makes_nobody_begin_anew(lasting: LastingRedis, lasting_table: Table) -> None:
    table = lasting_table
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, "", 2)
        await play_out((anna, ben), game, 2)
        for number in (1, 2):
            await watcher.until(number, 6)
        for version in (7, 8, 9):
            await kill(lasting, table)
            await asyncio.to_thread(lasting.start)
            await until_back(table)
            await play_out((anna, ben), game, 1)
            for number in (1, 2):
                await watcher.until(number, version)
        assert watcher.kinds(1) == ["h4", "UNSPECIFIED4", "5", "6", "7", "8", "9"]
        assert watcher.kinds(2) == ["h4", "3", "4", "5", "6", "7", "8", "9"]


async def test_after_a_power_cut_everybody_ends_with_what_is_in_the_log(lasting: LastingRedis, lasting_table: Table) -> None:
    table = lasting_table
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, ben.token(game, 1))
        await watcher.follow(3, game, "")
        for cut, further in ((0, 1), (1, 1), (2, 2), (3, 5)):
            sizes = [lasting.written]
            for _ in range(cut):
                await play_out((anna, ben), game, 1)
                sizes.append(lasting.written)
            head = (await anna.see(game)).version
            for number in (1, 2, 3):
                await watcher.until(number, head)
            await kill(lasting, table)
            lasting.cut(sizes[0] + (60 if cut else 0))  # in the midst of a write
            table.clock.pass_s(1)
            await asyncio.to_thread(lasting.start)
            await until_back(table)
            assert (await anna.see(game)).version == head - cut
            await play_out((anna, ben), game, further)
            for number, seat in ((1, 0), (2, 1), (3, None)):
                await until_received(watcher, number, table, game, seat)
                aheads = [kind for kind in watcher.kinds(number) if kind.startswith("AHEAD")]
                assert bool(aheads) == (cut > 0)
