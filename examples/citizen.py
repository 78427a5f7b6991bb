"""A bot that lives on a server: examples/citizen.py HOST:PORT API_TOKEN."""

import random
import sys

from brettwerk_client import Client

with Client(sys.argv[1], token=sys.argv[2]) as client:
    client.run(
        lambda update: random.choice(update.actions),  # noqa: S311 - here a better bot would think
        accepts=lambda challenge: not challenge.competitive,
    )
