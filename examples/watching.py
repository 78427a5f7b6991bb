"""Plays a game against the computer and prints what happens, on asyncio: examples/watching.py [HOST:PORT of the gRPC endpoint].

It does by hand what `play` of the first example does, and reads the game's own view of the board.
"""

import asyncio
import sys

from brettwerk.v1.einstein_pb2 import EinsteinView
from brettwerk_client import AsyncClient, computer, me
from brettwerk_client.refusals import StaleVersion


async def main(address: str = "127.0.0.1:7800") -> None:
    """Play a game; print every action, the dice, and how it ended."""
    async with AsyncClient(address, name="Watching bot") as client:
        table = await client.create_session("einstein", [me(), computer("easy")], title="A table of an example")
        async for update in table.seat.watch():
            view = EinsteinView()
            update.view.Unpack(view)
            if update.happening.notation:
                print(update.happening.ply, update.happening.notation)
            if update.session.HasField("outcome"):
                print("won by seat", *update.session.outcome.winners, "by", update.session.outcome.rule)
            elif update.actions:
                print("rolled", view.position.roll, "and", len(update.actions), "actions to choose from")
                try:
                    await table.seat.act(update, update.actions[0])
                except StaleVersion:
                    print("something else happened first; the next update says what")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
