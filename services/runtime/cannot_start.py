"""How a process ends whose settings do not let it start: with one sentence, and without a traceback."""

import sys


def cannot_start(*sentences: str) -> SystemExit:
    """Print what is wrong, and return what has to be raised to end this process with 2."""
    for sentence in sentences:
        print(sentence, file=sys.stderr, flush=True)
    return SystemExit(2)
