"""Builds the endgame tables: `python -m services.ai.players.einstein.tables [--stones 5] [--folder ...] [--check]`."""

import argparse
import os
import sys
import time
from pathlib import Path

from services.ai.players.einstein.kernels import fill
from services.ai.players.einstein.layout import MAX_STONES, layout
from services.ai.players.einstein.tables.build import Busy, NoRoom, build, missing
from services.ai.players.einstein.tables.files import MIN_STONES, Broken, check, size_of
from services.runtime.settings import settings

_WIDTH = 30
EVERY_S = 60.0
"""Where there is no terminal, as in a log, so often a line says how far it is."""


class Orphaned(Exception):
    """Whoever started this has ended."""


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


def main() -> int:
    """Build or check. Returns 0 when all that was wanted is there, 1 when it is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(settings().tables_folder), help="folder of the tables")
    parser.add_argument("--stones", type=int, default=5, choices=range(MIN_STONES, MAX_STONES + 1), help="the largest table (5)")
    parser.add_argument("--check", action="store_true", help="verify every table's checksum; build nothing")
    parser.add_argument(
        "--dying-with-parent",
        action="store_true",
        help="for workers: run at low priority, and only as long as the parent process lives",
    )
    args = parser.parse_args()
    parent = os.getppid() if args.dying_with_parent else 0
    if args.dying_with_parent:
        os.nice(10)
    if args.check:
        return _check(args.folder, args.stones)
    for stones in missing(args.folder, args.stones):
        print(f"{stones} stones: {layout().sizes[stones]:,} positions, {size_of(stones) / 1e6:,.1f} MB", file=sys.stderr)
    if fill.__file__.endswith(".py"):
        print("the kernels are not compiled: this would take days (scripts/prepare.py says what is missing)", file=sys.stderr)
        return 1
    try:
        built = build(args.folder, args.stones, Bar(parent), wait=not args.dying_with_parent)
    except (Busy, Orphaned):
        return 0
    except (NoRoom, OSError) as error:
        print(f"not built: {error}", file=sys.stderr)
        return 1
    print(f"built {built or 'nothing, all is there'}; {os.times().user:.0f} s of CPU", file=sys.stderr)
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
