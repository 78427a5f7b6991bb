"""Builds, checks or deletes the endgame tables: `brettwerk tables`, or `python -m brettwerk_games.players.einstein.tables`."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from brettwerk_games.players.einstein.kernels import fill
from brettwerk_games.players.einstein.layout import MAX_STONES
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.build import NoRoom, build, delete, estimate, missing
from brettwerk_games.players.einstein.tables.files import MIN_STONES, Broken, check
from brettwerk_games.players.einstein.tables.lock import Busy

_WIDTH = 30
EVERY_S = 20.0
"""Where there is no terminal, as in a log, so often a line says how far it is."""
_LONG_S = 120.0
"""A longer time is said in minutes."""


class Orphaned(Exception):
    """The process that started this one has ended."""


class Bar:
    """A progress bar on a terminal, elsewhere a line for each table and now and then one between."""

    def __init__(self, parent: int, every_s: float = EVERY_S) -> None:
        self._parent = parent
        self._every_s = every_s
        self._began = self._said = time.monotonic()
        self._stones = 0

    def __call__(self, stones: int, done: int, total: int) -> None:
        """Show how far the table of so many stones is. Raises Orphaned when the parent has gone."""
        if self._parent and os.getppid() != self._parent:
            raise Orphaned
        if stones != self._stones:
            self._stones, self._began = stones, time.monotonic()
        spent = time.monotonic() - self._began
        share = done / total
        left = spent / share - spent if share else 0.0
        line = f"{stones} stones [{'#' * int(share * _WIDTH):{_WIDTH}}] {share:4.0%}  {spent:5.0f} s, {left:5.0f} s to go"
        if sys.stderr.isatty():
            print(f"\r{line}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif done == total or time.monotonic() >= self._said + self._every_s:
            self._said = time.monotonic()
            print(line, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None, program: str | None = None, folder: Path | None = None) -> int:
    """Build, check or delete; `folder` is where tables are unless `arguments` say otherwise.

    Returns 0 when that is done, 1 when it is not, 130 when it was interrupted.
    """
    parser = argparse.ArgumentParser(prog=program, description="Build the endgame tables of EinStein that are missing.")
    parser.add_argument("--folder", type=Path, default=folder or place.folder(), help="folder of the tables (%(default)s)")
    stones = range(MAX_STONES + 1)
    parser.add_argument("--stones", type=int, default=place.stones(), choices=stones, help="the largest table (%(default)s)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="verify every table's checksum; build nothing")
    what.add_argument(
        "--delete", action="store_true", help="delete the larger tables and what interrupted builds have left; build nothing"
    )
    parser.add_argument("--dying-with-parent", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    parent = os.getppid() if args.dying_with_parent else 0
    if args.dying_with_parent:
        os.nice(10)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if args.check:
            return _check(args.folder, args.stones)
        if args.delete:
            return _delete(args.folder, args.stones)
        return _build(args.folder, args.stones, parent)
    except KeyboardInterrupt:
        print("stopped: tables that are finished are kept, the others are not", file=sys.stderr)
        return 130


def _build(folder: Path, most: int, parent: int) -> int:
    lacking = missing(folder, most)
    if lacking and fill.__file__.endswith(".py"):
        print("the kernels are not compiled: this would take days (scripts/prepare.py says what is missing)", file=sys.stderr)
        return 1
    if lacking:
        size, seconds = estimate(lacking)
        takes = f"{seconds / 60:,.0f} minutes" if seconds > _LONG_S else f"{seconds:.0f} seconds"
        names = ", ".join(map(str, lacking))
        print(f"building tables of {names} stones: {size / 1e6:,.0f} MB in {folder}, about {takes} of a core", file=sys.stderr)
    try:
        built = build(folder, most, Bar(parent), place.bound())
    except Orphaned:
        return 0
    except (NoRoom, OSError) as error:
        print(f"not built: {error}", file=sys.stderr)
        return 1
    print(f"built {built or 'nothing, all is there'}; {os.times().user:.0f} s of CPU")
    return 0


def _delete(folder: Path, most: int) -> int:
    try:
        freed = delete(folder, most)
    except (Busy, OSError) as error:
        print(f"not deleted: {'tables are being built there' if isinstance(error, Busy) else error}", file=sys.stderr)
        return 1
    print(f"{freed / 1e6:,.0f} MB of {folder} are free, as soon as no computer player uses them any more")
    return 0


def _check(folder: Path, most: int) -> int:
    wrong = 0
    for stones in range(MIN_STONES, most + 1):
        try:
            check(folder, stones)
            print(f"{stones} stones: good")
        except (Broken, OSError) as error:
            print(f"{stones} stones: {error}")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
