"""Tries installed games before they are loaded, in a process of their own: `python -m brettwerk_games.packages.trial GAME...`.

Loading a package runs its code, which may be broken in any way: raise, end the process, never return. Here that costs one
process, and the game is left out. Run by hand, it also says where a game fails.
"""

import argparse
import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from brettwerk_games.packages import faults
from brettwerk_games.packages.discovery import found

CPU_S = 10
"""The most CPU time that a game may take, which needs some tenths of a second."""
WALL_S = 30.0
"""How long a game may take on a machine that is busy, and a second for each one after it."""


class Trial(NamedTuple):
    """The games that have passed, in order of id, and why others are left out."""

    games: Sequence[str]
    left_out: Mapping[str, str]


@cache
def trial() -> Trial:
    """Return which installed games can be loaded and begun; those that this process could not load are among the others."""
    games, left_out = found()
    left_out, passed = dict(left_out), []
    waiting = list(games)
    while waiting:
        said, ended = _run(waiting)
        for name, why in said.items():
            if why:
                left_out[name] = faults.sentence(name, why, games[name].module)
            else:
                passed.append(name)
        waiting = [name for name in waiting if name not in said]
        if waiting:  # the process has ended while it tried the first of them
            name = waiting.pop(0)
            left_out[name] = faults.sentence(name, ended, games[name].module)
    return Trial(tuple(passed), MappingProxyType(left_out))


def _run(games: Sequence[str]) -> tuple[dict[str, str], str]:
    """Try games in a new process; return what is wrong with each (empty: nothing), and how it ended where games are missing."""
    command = [sys.executable, "-m", "brettwerk_games.packages.trial", f"--cpu-s={CPU_S}", *games]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(  # noqa: S603
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=WALL_S + len(games) - 1)
        ended = f"loading it ends the process ({process.returncode})"
        if process.returncode == -signal.SIGXCPU:
            ended = f"loading it takes more than {CPU_S} s of CPU time"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        ended = f"loading it takes more than {WALL_S:.0f} s"
    return dict(json.loads(line) for line in said.splitlines() if line.endswith(b"]")), ended


def main(games: Sequence[str], cpu_s: int = CPU_S) -> None:
    """Try games, in order, and write one line for each: its id and what is wrong with it, as JSON.

    `cpu_s`: the most seconds of CPU time that each of them may take.
    """
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a package prints must not stand among the results
    # Not earlier: whoever only wants to know what has passed needs none of it.
    from brettwerk_games.packages.soundness import require_sound

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    for name in games:
        limit = math.ceil(time.process_time()) + cpu_s
        resource.setrlimit(resource.RLIMIT_CPU, (limit if hard < 0 else min(limit, hard), hard))
        try:
            require_sound(name)
        except faults.Fault as fault:
            why = faults.reason(fault)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a package may be broken in any way
            traceback.print_exc()
            why = f"it cannot be loaded and begun ({faults.reason(error)})"
        else:
            why = ""
        print(json.dumps([name, why]), file=results, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m brettwerk_games.packages.trial")
    parser.add_argument("--cpu-s", type=int, default=CPU_S, help="the most seconds of CPU time that a game may take")
    parser.add_argument("games", nargs="+")
    asked = parser.parse_args()
    main(asked.games, asked.cpu_s)
