"""A bot that plays one game of EinStein würfelt nicht against the computer: examples/bot.py [HOST:PORT of the gRPC endpoint]."""

import random
import sys

from brettwerk.v1.sessions_pb2 import Update
from brettwerk_client import Action, Client, computer, me


def bot(update: Update) -> Action:
    """Choose one of the actions that the seat has now; here a better bot would think."""
    return random.choice(update.actions)  # noqa: S311


if __name__ == "__main__":
    with Client(*sys.argv[1:] or ["127.0.0.1:7800"], name="Example bot") as client:
        seat = client.create_session("einstein", [me(), computer("easy")]).seat
        outcome = seat.play(bot)
        print("won" if seat.number in outcome.winners else "lost", outcome.rule)
