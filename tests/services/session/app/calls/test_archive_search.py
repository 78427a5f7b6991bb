"""A search through finished games for those of the arena, which only the arena can make."""

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from tests.services.session.domain.commands.test_seats_endings import rematch
from tests.services.session.player import Player
from tests.services.session.table import Table


async def arranged(table: Table, *players: Player, arena: bool) -> str:
    """Return a public, competitive game that is called Arena, to which its players have come."""
    wishes = [play_pb2.SeatWish(open=True) for _ in players]
    create = play_pb2.CreateSessionRequest(game="einstein", seats=wishes, title="Arena", public=True, competitive=True)
    asked = session_pb2.ArrangeSessionRequest(
        arrangement_id=f"arena {arena}", create=create, kept_for=[player.caller.player_id for player in players], arena=arena
    )
    session_id = (await table.wiring.arrangements.arrange(asked)).session_id
    for seat, player in enumerate(players):
        await player.join(session_id, seat)
    return session_id


async def found(who: Player, *, arena: bool) -> list[str]:
    """Return the games that a search finds once the archive has them."""
    answer = await who.ask(search_games=play_pb2.SearchGamesRequest(arena=arena))
    return [game.session.id for game in answer.games]


async def test_games_of_the_arena_are_known_by_what_the_arena_noted_and_not_by_a_title(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    paired, other = [await arranged(table, anna, ben, arena=arena) for arena in (True, False)]
    assert (await anna.see(paired)).session.arena
    assert not (await anna.see(other)).session.arena
    await anna.resign(paired, 0)
    again = (await ben.ask(rematch=rematch(ben, paired))).session
    assert (again.title, again.public, again.competitive, again.arena) == ("Arena", True, True, False)
    await anna.ask(rematch=rematch(anna, paired))
    await anna.resign(other, 0)
    await anna.resign(again.id, 1)
    await table.sweep()
    assert set(await found(anna, arena=False)) == {paired, other, again.id}
    assert await found(anna, arena=True) == [paired]
