"""Who is connected: told to everybody who watches, known by no version, and forgotten with the process that knew it."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from services.session.watching.presence import BEATS, seats_of
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watcher import watching


@given(st.sets(st.integers(0, 5)))
def test_seats_are_the_bits_of_a_number(seats: set[int]) -> None:
    assert seats_of(sum(1 << seat for seat in seats)) == sorted(seats)


async def test_whoever_watches_a_seat_is_there_for_all_until_his_last_watch_ends(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.house) as watcher, watching(table.house) as bens:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game)
        assert watcher.present == {1: [0], 2: [0]}
        await bens.follow(1, game, ben.token(game, 1))
        await bens.follow(2, game, ben.token(game, 1))
        assert bens.present[1] == [0, 1]
        await watcher.until_present(1, 0, 1)
        await watcher.until_present(2, 0, 1)
        await bens.unfollow(1)
        await asyncio.sleep(0.2)
        assert watcher.present[1] == [0, 1]
        await bens.unfollow(2)
        await watcher.until_present(1, 0)
        await watcher.until_present(2, 0)


async def test_a_gateway_that_dies_takes_its_people_with_it(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        async with watching(table.house) as other:
            await other.follow(1, game, ben.token(game, 1))
            await watcher.until_present(1, 0, 1)
        await watcher.until_present(1, 0)


async def test_watchers_of_other_processes_are_told_at_once(table: Table) -> None:
    anna, ben, game = await two(table)
    other = await table.another_house()
    async with watching(table.house) as here, watching(other) as there:
        await here.follow(1, game, anna.token(game, 0))
        await there.follow(1, game, ben.token(game, 1))
        assert there.present[1] == [0, 1]
        await here.until_present(1, 0, 1)
        await here.unfollow(1)
        await there.until_present(1, 1)


async def test_who_was_known_by_a_process_that_died_is_gone_after_a_few_heartbeats(table: Table) -> None:
    anna, ben, game = await two(table)
    other = await table.another_house()
    async with watching(table.house) as watcher:
        async with watching(other) as theirs:
            await theirs.follow(1, game, ben.token(game, 1))
            await watcher.follow(1, game, anna.token(game, 0))
            assert watcher.present[1] == [0, 1]
            other.tails._presence.is_leaving = True  # as if it was killed: it says nothing any more
        for _ in range(BEATS):
            await table.house.tails.beat()
            table.clock.pass_s(59)
        await table.house.tails.beat()
        await asyncio.sleep(0.1)
        assert watcher.present[1] == [0, 1]
        table.clock.pass_s(10)
        await table.house.tails.beat()
        await watcher.until_present(1, 0)


async def test_presence_makes_no_version_and_stays_out_of_the_log(table: Table) -> None:
    anna, ben, game = await two(table)
    before = await table.house.store.head(game), await table.house.store.log(game)
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, "", 4)
        for number in range(2, 6):
            await watcher.follow(number, game, (anna, ben)[number % 2].token(game, number % 2))
            await watcher.unfollow(number)
        await watcher.until_present(1)
        assert watcher.kinds(1) == ["h4"]
    assert before == (await table.house.store.head(game), await table.house.store.log(game))


async def test_a_seat_that_a_computer_took_over_has_nobody_there(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, ben.token(game, 1))
        await watcher.until_present(1, 0, 1)
        await ben.set_seat(game, 1, "easy", by=1)
        await watcher.until_present(1, 0)
        await watcher.until_present(2, 0)
        await ben.set_seat(game, 1, "me")
        await watcher.follow(3, game, ben.token(game, 1))
        await watcher.until_present(1, 0, 1)


async def test_the_store_keeps_nothing_of_it_for_long(table: Table) -> None:
    anna, _, game = await two(table)
    key = f"bw:{{s{game[:2]}}}:present:{game}"
    client = table.house._reader
    async with watching(table.house) as watcher:
        await watcher.follow(1, game)
        assert not await client.exists(key)
        await watcher.follow(2, game, anna.token(game, 0))
        assert 0 < await client.pttl(key) <= 2 * BEATS * 60_000
        await watcher.unfollow(2)
        await watcher.until_present(1)
        assert not await client.exists(key)
