"""Runs a program that ends when its starter ends: `python -I -S die_with_parent.py STARTER_PID PROGRAM ARGUMENTS...`.

On Linux the kernel sends SIGTERM to a process whose starter has died, even of SIGKILL (prctl(2), PR_SET_PDEATHSIG). The
request outlives exec, so this sets it and becomes the program. A preexec_fn would do the same, but is not safe with threads.
Elsewhere it only becomes the program. The starter must keep the thread that started it alive: it counts as the parent.
"""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def tie_to(starter: int) -> None:
    """Let this process end with its starter; end it now if that has ended."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != starter:
        sys.exit(1)  # it ended before we had asked


def main() -> None:
    """Tie this process to its starter and become the program."""
    starter, program = int(sys.argv[1]), sys.argv[2:]
    tie_to(starter)
    os.execvp(program[0], program)  # noqa: S606


if __name__ == "__main__":
    main()
