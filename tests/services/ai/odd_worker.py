"""A worker as it is, but for two players of EinStein, so that tests decide what happens while somebody thinks.

At depth 12 a player searches until the file BRETTWERK_GO is there. The best player hangs for good and hears no alarm, until the
file BRETTWERK_HUNG is there, which it makes.
"""

import os
import signal
import time
from pathlib import Path
from typing import Any

from brettwerk_games.players import einstein
from brettwerk_games.players.einstein.search import DEEPEST
from brettwerk_games.players.interface import Thought
from services.ai import worker

WAITS = 12


class Odd(einstein.EinsteinPlayer):
    """Urgency, or hangs."""

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        if self._depth == WAITS:
            while not Path(os.environ["BRETTWERK_GO"]).exists():
                time.sleep(0.01)
            self._depth = 1
        if self._depth == DEEPEST and not Path(os.environ["BRETTWERK_HUNG"]).exists():
            Path(os.environ["BRETTWERK_HUNG"]).write_text(str(os.getpid()))
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            while True:
                time.sleep(60)  # it never ends: this is the fault
        return super().think(view, deadline, seed)


if __name__ == "__main__":
    einstein.PLAYER = Odd
    worker.main()
