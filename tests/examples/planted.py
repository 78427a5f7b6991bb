"""An example with a fault in it, and the conformance kit: `python -m tests.examples.planted GAME` names the check that fails.

BRETTWERK_PACKAGES has the folder of examples into which the fault was planted.
"""

import contextlib
import os
import sys

from tests.brettwerk_games.packages.packages import packaged
from tests.brettwerk_games.rules.conformance import CHECKS, failed

LOADING = "it cannot be loaded"


def found_by(name: str) -> str:
    """Return the first check that does not pass, or that the game cannot be loaded; nothing where all pass."""
    try:
        game = packaged(name)
    except Exception:  # noqa: BLE001 - a fault may break anything
        return LOADING
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        return next((check for check in CHECKS if failed(game, [check])), "")


if __name__ == "__main__":
    print(found_by(sys.argv[1]))
