"""The presence of players: told to everybody who watches, and known by no version."""

from services.session.watch.followers import WAIT_MS
from services.sharding.shards import shard_of
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watcher import watching


async def test_a_player_watching_a_seat_is_there_for_all_until_their_last_watch_ends(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher, watching(table.wiring) as bens:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game)
        assert watcher.present == {1: [0], 2: [0]}
        await bens.follow(1, game, ben.token(game, 1))
        await bens.follow(2, game, ben.token(game, 1))
        assert bens.present[1] == [0, 1]
        await watcher.until_present(1, 0, 1)
        await watcher.until_present(2, 0, 1)
        await bens.unfollow(1)
        await bens.follow(3, game)  # what is asked is done in turn
        assert table.wiring.tails.presence.seats(game) == 0b11
        await bens.unfollow(2)
        await watcher.until_present(1, 0)
        await watcher.until_present(2, 0)


async def test_a_gateway_that_dies_takes_its_people_with_it(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        async with watching(table.wiring) as other:
            await other.follow(1, game, ben.token(game, 1))
            await watcher.until_present(1, 0, 1)
        await watcher.until_present(1, 0)


async def test_players_are_not_held_to_be_away_until_watches_can_have_followed_their_shard(table: Table) -> None:
    anna, _, game = await two(table)
    other = await table.another_process()
    assert not table.wiring.tails.presence.is_attended(game)
    await table.hand_over(game, other)
    other.tails.presence.begin([shard_of(game)])
    assert other.tails.presence.is_attended(game)
    table.clock.pass_s(WAIT_MS / 1000)
    assert not other.tails.presence.is_attended(game)
    async with watching(other) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        assert other.tails.presence.is_attended(game)


async def test_presence_makes_no_version_and_stays_out_of_the_log(table: Table) -> None:
    anna, ben, game = await two(table)
    before = await table.wiring.store.head(game), await table.wiring.store.log(game)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 4)
        for number in range(2, 6):
            await watcher.follow(number, game, (anna, ben)[number % 2].token(game, number % 2))
            await watcher.unfollow(number)
        await watcher.until_present(1)
        assert watcher.kinds(1) == ["h4"]
    assert before == (await table.wiring.store.head(game), await table.wiring.store.log(game))


async def test_a_seat_that_a_computer_took_over_has_nobody_there(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, ben.token(game, 1))
        await watcher.until_present(1, 0, 1)
        await ben.set_seat(game, 1, "easy", by=1)
        await watcher.until_present(1, 0)
        await watcher.until_present(2, 0)
        await ben.set_seat(game, 1, "me")
        await watcher.follow(3, game, ben.token(game, 1))
        await watcher.until_present(1, 0, 1)
