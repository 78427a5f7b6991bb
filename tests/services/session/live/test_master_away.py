"""While a master of a cluster is away, only what is there is in doubt: memory of all other shards is believed as before."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from services.runtime.refusal import Refused
from services.sharding.leases import LEASE_MS
from services.sharding.shards import SHARDS, lease_key, shard_of
from tests.redis_cluster import RunningCluster, running_cluster
from tests.services.session.running import running_rules
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two
from tests.services.session.watcher import watching

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[RunningCluster]:
    with running_cluster(tmp_path / "cluster", arguments=("--cluster-require-full-coverage", "no")) as made:
        yield made


@pytest.fixture
async def table(cluster: RunningCluster, tmp_path: Path) -> AsyncIterator[Table]:
    """A table in a cluster, whose only process keeps its leases as it does outside of tests."""
    async with running_rules() as rules:
        made = Table(cluster.url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", "cluster")
        await made.open(keeps=True, lease_ms=LEASE_MS)
        keeping = asyncio.create_task(made.wiring.ownership.run())
        try:
            yield made
        finally:
            keeping.cancel()
            await made.close()


@pytest.mark.nightly
async def test_shards_at_other_masters_are_believed_while_one_is_away_for_longer_than_a_lease(
    cluster: RunningCluster, table: Table
) -> None:
    wiring = table.wiring
    games = [await two(table) for _ in range(12)]
    home = cluster.master_of(lease_key(shard_of(games[0][2])))
    lost = {shard for shard in range(SHARDS) if cluster.master_of(lease_key(shard)) == home}
    anna, _, away = games[0]
    others = [game for _, _, game in games if shard_of(game) not in lost]
    assert others, "ids are drawn by the table's dice: another throw is needed"
    players = {game: (one, other) for one, other, game in games}
    for game in (away, *others):
        await play_out(players[game], game, 1)
        assert wiring.session_cache.validity.holds(game)
    async with watching(wiring) as watcher:
        for number, game in enumerate((others[0], away)):
            await watcher.follow(number, game)
            await watcher.until_live(game)
        cluster.kill(cluster.replica_of(home))  # so that nobody takes over
        cluster.kill(home)
        async with asyncio.timeout(120):
            while wiring.shard_channel.hears(shard_of(away)):  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.005)
            kept = list(wiring.shards._certain_until_s)
            elsewhere = [shard for shard in range(SHARDS) if shard not in lost]
            # Until the leases at other masters hold for so much longer that none is left of what was before.
            while min(wiring.shards._certain_until_s[n] - kept[n] for n in elsewhere) < 2 * LEASE_MS / 1000:
                assert all(wiring.session_cache.validity.holds(game) for game in others)
                assert not wiring.session_cache.validity.holds(away)
                await asyncio.sleep(0.01)
        assert not any(wiring.shards.owns(shard) for shard in lost), "these leases have run out"
        received, silent = watcher.kinds(0), watcher.kinds(1)
        with pytest.raises(Refused, match="the store"):
            await wiring.tails.beat()
        await watcher.until_received(0, *received, received[0])
        assert watcher.kinds(1) == silent
    for game in others:
        await play_out(players[game], game, 1)
        assert wiring.session_cache.validity.holds(game)
    with pytest.raises(Refused, match="the store"):
        await anna.see(away)
