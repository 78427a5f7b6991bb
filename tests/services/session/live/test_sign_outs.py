"""After its player has signed out a seat token is good for nothing, wherever its session is; JoinSession gives another one."""

from brettwerk.v1 import play_pb2
from services.session.domain.state import hash_token
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watcher import watching

ANNA = "p-anna"


def sign_out(table: Table, player: Player, number: int) -> None:
    """Let all processes hear that a player has signed out."""
    for wiring in table.processes:
        wiring.sign_outs.note(player.caller.player_id, number)
        wiring.session_cache.void_tokens()


async def check_void(player: Player, game: str, token: str) -> None:
    """The token neither shows nor does anything, and is refused as any wrong one is."""
    wrong = play_pb2.GetSessionRequest(session_id=game, seat_token="wrong")
    for name, request in (
        ("get_session", play_pb2.GetSessionRequest(session_id=game, seat_token=token)),
        ("resign", play_pb2.ResignRequest(session_id=game, seat_token=token, request_id="resigned-once")),
    ):
        with refused("NOT_YOUR_SEAT") as found:
            await player.ask(**{name: request})
        with refused("NOT_YOUR_SEAT") as usual:
            await player.ask(get_session=wrong)
        assert found.value.refusal == usual.value.refusal


async def test_a_token_given_before_a_sign_out_is_void_and_joining_gives_another(table: Table) -> None:
    anna, ben, game = await two(table)
    token = anna.token(game, 0)
    await anna.act(game, 0)
    sign_out(table, anna, 7)
    await check_void(anna, game, token)
    assert (await ben.see(game, 1)).session.id == game, "the others' tokens are good"
    anna.caller.sign_out = 7
    assert await anna.join(game, 0) == 0
    assert anna.token(game, 0) != token
    assert (await anna.see(game, 0)).session.id == game
    await check_void(anna, game, token)


async def test_sessions_that_are_not_in_memory_and_processes_that_begin_later_know_it(table: Table) -> None:
    anna, _, game = await two(table)
    token = anna.token(game, 0)
    table.wiring.session_cache.forget(game)
    sign_out(table, anna, 7)
    await check_void(anna, game, token)
    await table.restart()
    assert (await anna.see(game, 0)).session.id == game, "what nobody has told it yet it cannot know"
    sign_out(table, anna, 7)
    await check_void(anna, game, token)


async def test_a_new_token_stays_good_in_the_store_and_for_later_owners(table: Table) -> None:
    anna, _, game = await two(table)
    sign_out(table, anna, 7)
    anna.caller.sign_out = 7
    await anna.join(game, 0)
    await table.restart()
    sign_out(table, anna, 7)
    assert (await anna.see(game, 0)).session.id == game


async def test_a_gateway_that_does_not_know_of_the_sign_out_gets_no_token(table: Table) -> None:
    anna, _, game = await two(table)
    sign_out(table, anna, 7)
    version = (await anna.see(game)).version
    with refused("UNAVAILABLE") as caught:
        await anna.join(game, 0)
    assert caught.value.refusal.retry_after_ms
    with refused("UNAVAILABLE"):
        await anna.create("me", "open")
    assert (await anna.see(game)).version == version


async def test_a_token_that_was_given_while_nobody_knew_of_the_sign_out_is_void(table: Table) -> None:
    anna, _, game = await two(table)
    await anna.join(game, 0)
    sign_out(table, anna, 7)
    await check_void(anna, game, anna.token(game, 0))


async def test_an_action_that_is_being_carried_out_brings_no_void_token_back(table: Table) -> None:
    anna, _, game = await two(table)
    token = anna.token(game, 0)
    cache = table.wiring.session_cache
    begun = await cache.newest(game)
    sign_out(table, anna, 7)
    cache.put(begun, cache.validity.era(game))  # what a write keeps that began before
    await check_void(anna, game, token)


async def test_each_seat_of_a_player_at_a_shared_board_is_void(table: Table) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    tokens = [anna.token(game, seat) for seat in (0, 1)]
    sign_out(table, anna, 3)
    for token in tokens:
        await check_void(anna, game, token)
    anna.caller.sign_out = 3
    for seat in (0, 1):
        await anna.join(game, seat)
        assert (await anna.see(game, seat)).session.id == game


async def test_a_watch_with_a_void_token_goes_on_as_a_spectators(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, ben.token(game, 1))
        sign_out(table, anna, 7)
        head = (await ben.see(game)).version
        await watcher.until_received(1, f"SEAT{head}")
        assert not any(kind.startswith("SEAT") for kind in watcher.kinds(2))


async def test_a_watch_of_a_session_that_is_not_in_memory_loses_its_seat_too(table: Table) -> None:
    anna, _, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        table.wiring.session_cache.forget(game)
        sign_out(table, anna, 7)
        await watcher.until_received(1, f"SEAT{(await anna.see(game)).version}")


async def test_after_which_sign_out_a_token_was_given_is_kept_with_it(table: Table) -> None:
    _, _, game = await two(table)
    state = (await table.wiring.session_cache.newest(game)).state
    given = state.with_token(0, "t", 5)
    again = given.with_beside_log(given.beside_log())
    assert (again.seats[0].token_hash, again.seats[0].token_sign_out) == (hash_token("t"), 5)
    assert again.without_void_tokens({ANNA: 5}) is again
    assert again.without_void_tokens({ANNA: 6}).seats[0].token_hash == b""
