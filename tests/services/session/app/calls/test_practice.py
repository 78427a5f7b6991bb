"""Sessions for practice: in no list, without news, counted nowhere, and never archived."""

import pytest

from brettwerk.v1 import play_pb2
from services.session.domain import news
from tests.services.session.app.calls.test_session_lists import listed
from tests.services.session.app.calls.test_statistics import rows, statistics
from tests.services.session.refusing import refused
from tests.services.session.table import Table


async def test_practice_is_played_like_any_game_and_leaves_no_trace(table: Table) -> None:
    anna = table.player("Anna")
    before = await table.wiring.store.unfinished("p-anna")
    session = await anna.create("me", "me", practice=True)
    assert session.practice
    assert await table.wiring.store.unfinished("p-anna") == before + 1, "it counts towards what a player may have open"
    assert await listed(anna, play_pb2.LIST_FILTER_MINE) == []
    await anna.act(session.id, 0)
    await anna.resign(session.id, 1)
    assert (await anna.see(session.id)).session.HasField("outcome")
    assert await table.wiring.store.unfinished("p-anna") == before
    await table.sweep()
    table.clock.pass_s(3601)
    await table.sweep()
    assert await table.wiring.store.read(session.id) is None
    assert await table.wiring.archive.find(session.id) is None
    assert await listed(anna, play_pb2.LIST_FILTER_MINE) == []
    assert rows(await statistics(anna, mine=True)) == set()


async def test_other_games_beside_it_are_listed_and_archived(table: Table) -> None:
    anna = table.player("Anna")
    await anna.create("me", "me", practice=True)
    other = (await anna.create("me", "me")).id
    assert await listed(anna, play_pb2.LIST_FILTER_MINE) == [other]
    await anna.resign(other, 1)
    await table.sweep()
    assert await table.wiring.archive.find(other) is not None


async def test_there_is_no_news_of_practice(table: Table) -> None:
    anna = table.player("Anna")
    sent = {}
    for practice in (True, False):
        session = await anna.create("me", "me", practice=practice)
        before = (await table.wiring.session_cache.newest(session.id)).state
        await anna.resign(session.id, 1)
        after = (await table.wiring.session_cache.newest(session.id)).state
        sent[practice] = len(news.news_of(before, after, 0))
    assert sent == {True: 0, False: 1}


@pytest.mark.parametrize("other", ["public", "competitive"])
async def test_practice_is_neither_public_nor_competitive(table: Table, other: str) -> None:
    with refused("MALFORMED"):
        await table.player("Anna").create("me", "me", practice=True, **{other: True})
