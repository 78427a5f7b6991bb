"""A client of Brettwerk: sign in, sit down, watch and act. A bot is a function from an update to an action.

    import random

    from brettwerk_client import Client, computer, me


    def bot(update):
        return random.choice(update.actions)


    with Client("127.0.0.1:7800", name="Dice") as client:
        print(client.create_session("einstein", [me(), computer("easy")]).seat.play(bot).winners)

`AsyncClient` is the same for asyncio. The messages are those of the contract, in `brettwerk.v1`.
"""

from brettwerk_client.async_client import AsyncClient
from brettwerk_client.async_seat import AsyncSeat, AsyncTable
from brettwerk_client.client import Client
from brettwerk_client.identity import Player
from brettwerk_client.outages import Waits
from brettwerk_client.refusals import Refused
from brettwerk_client.requests import Action, computer, me, nobody, packed
from brettwerk_client.retries import Timing
from brettwerk_client.running import Ended, Filter, OnMistake
from brettwerk_client.seat import Seat, Table
from brettwerk_client.turns import AsyncBot, Bot

__all__ = [
    "Action",
    "AsyncBot",
    "AsyncClient",
    "AsyncSeat",
    "AsyncTable",
    "Bot",
    "Client",
    "Ended",
    "Filter",
    "OnMistake",
    "Player",
    "Refused",
    "Seat",
    "Table",
    "Timing",
    "Waits",
    "computer",
    "me",
    "nobody",
    "packed",
]
