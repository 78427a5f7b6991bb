"""A write leaves the same in memory as in the store."""

from services.sharding.shards import shard_of
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two


async def test_when_something_is_due_is_remembered_as_the_store_has_it_noted(table: Table) -> None:
    """Or each write would note it again, or none would."""
    anna, ben, game = await two(table)
    client = table.wiring.store._client
    noted = set()
    for _ in range(4):
        await play_out((anna, ben), game, 1)
        table.clock.pass_s(200)
        loaded = await table.wiring.session_cache.newest(game)
        noted.add(loaded.due_ms)
        assert loaded.due_ms == await client.zscore(f"bw:{{s{shard_of(game):02x}}}:due", game)
    assert len(noted) == 2, "a little later is not worth noting, much later is"
