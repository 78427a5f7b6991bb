"""A worker as it is, but that EinStein's best player hangs once and hears no alarm; the file BRETTWERK_HUNG is then there."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from services.ai import worker
from services.ai.players import einstein
from services.ai.players.einstein.thinking import DEEPEST
from services.ai.players.interface import Thought


class Hanging(einstein.EinsteinPlayer):
    """Hangs at its first thought."""

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        hung = Path(os.environ["BRETTWERK_HUNG"])
        if self._depth == DEEPEST and not hung.exists():
            hung.write_text(str(os.getpid()))
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            while True:
                time.sleep(60)
        return super().think(view, deadline, seed)


if __name__ == "__main__":
    einstein.PLAYER = Hanging
    worker.main()
