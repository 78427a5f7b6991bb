"""The worker of finished games: `python -m services.players.results.worker`. It ends with whoever started it.

SIGTERM ends it in peace: nothing new is taken, the task in hand is carried out.
"""

import os
import signal
import threading

from services.players.results.app import RESULTS, app
from services.runtime import logs
from services.runtime.settings import settings


def main() -> None:
    """Work until SIGTERM, or until standard input ends."""
    logs.configure("players-worker", settings().log_level)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    app.worker_main(["worker", "--queues", RESULTS, "--loglevel", "WARNING", "--without-gossip", "--without-mingle"])


def _end_with_parent() -> None:
    while os.read(0, 4096):  # a stream's lock would be held when the process ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
