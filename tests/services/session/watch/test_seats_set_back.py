"""A store that lost its newest versions: who sits where, and with which token, is what the log has."""

from brettwerk.v1 import play_pb2
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.setting_back import KeptGame, Setback, until_received
from tests.services.session.table import Table
from tests.services.session.watcher import watching


async def taken_by_another(table: Table, setback: Setback) -> tuple[str, Player, Player]:
    """Return a table that waits, Carl, whose joining is lost, and Dora, who may join."""
    anna = table.player("Anna")
    session = await anna.create("me", "open", "open", game="emperado")
    await setback.keep()
    return session.id, table.player("Carl"), table.player("Dora")


async def test_a_player_who_sat_down_in_vain_is_told_so_and_sees_nothing_of_the_others_seat(table: Table) -> None:
    setback = Setback(table)
    game, carl, dora = await taken_by_another(table, setback)
    assert await carl.join(game, 1) == 1
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, carl.token(game, 1))
        await watcher.follow(2, game)
        for number in (1, 2):
            await watcher.until(number, 3)  # a watch that begins while the store is set back is refused, and comes again
        await setback.happen()
        await setback.be_noticed()
        await until_received(watcher, 1, table, game, None)
        assert watcher.kinds(1)[-1] == "SEAT2"
        await dora.join(game, 1)
        await until_received(watcher, 1, table, game, None)
        await until_received(watcher, 2, table, game, None)
        with refused("NOT_YOUR_SEAT"):
            await carl.see(game, 1)
        assert await carl.join(game) == 2, "and can sit down again"


async def test_a_player_who_lost_a_seat_in_a_version_that_is_lost_has_it_again(table: Table, kept_game: KeptGame) -> None:
    anna, ben, game, setback = kept_game
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, ben.token(game, 1), 4)
        await ben.set_seat(game, 1, "easy", by=1)
        await watcher.until(1, 5)
        assert watcher.kinds(1)[-1] == "SEAT5"
        await setback.happen()
        await setback.be_noticed()
        await until_received(watcher, 1, table, game, 1)
        await anna.act(game, 0)
        await until_received(watcher, 1, table, game, 1)


async def test_a_seat_set_back_to_a_lost_token_is_given_to_its_player_again(table: Table, kept_game: KeptGame) -> None:
    anna, ben, game, setback = kept_game
    await ben.set_seat(game, 1, "easy", by=1)
    await ben.set_seat(game, 1, "me")  # the first token is forgotten from here on
    await setback.happen()
    with refused("NOT_YOUR_SEAT"):
        await ben.see(game, 1)
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(game, 1)
    assert await ben.join(game, 1) == 1
    await anna.act(game, 0)
    await ben.act(game, 1)


async def test_a_joining_whose_answer_was_lost_with_it_can_be_repeated(table: Table) -> None:
    setback = Setback(table)
    game, carl, _ = await taken_by_another(table, setback)
    request = play_pb2.JoinSessionRequest(session_id=game, seat=1, request_id="the same request")
    first = await carl.ask(join_session=request)
    await setback.happen()
    second = await carl.ask(join_session=request)
    assert first.grant.seat_token != second.grant.seat_token
    assert (await carl.see(game, 1)).version == 3
