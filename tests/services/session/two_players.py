"""Two people at a table, and games that they play by themselves."""

from brettwerk.v1 import einstein_pb2, sessions_pb2
from tests.services.session.player import Player
from tests.services.session.table import Table


async def two(table: Table, **fields: object) -> tuple[Player, Player, str]:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open", **fields)
    await ben.join(session.id)
    return anna, ben, session.id


def slowest(update: sessions_pb2.Update) -> int:
    """Which action brings a stone least far, so that a game lasts ten plies at least."""
    targets = []
    for choice in update.actions:
        action = einstein_pb2.EinsteinAction()
        assert choice.action.Unpack(action)
        targets.append(action.move.target)
    return targets.index(max(targets) if update.to_act[0] == 0 else min(targets))


async def play_out(players: tuple[Player, ...], session_id: str, plies: int = 100) -> None:
    """Play so many plies, at most ten of a game if it shall not end, or to the end."""
    for _ in range(plies):
        update = await players[0].see(session_id)
        if not update.to_act:
            break
        seat = update.to_act[0]
        pick = -1 if plies == 100 else slowest(await players[seat].see(session_id, seat))
        await players[seat].act(session_id, seat, pick=pick)
