"""Compares set-ups and the value of moving first: `python -m brettwerk_games.players.einstein.measure.setups --depth 3`.

All pairs of set-ups are searched; reversing the numbers of a side changes no value, so 360 of a side's 720 are enough.
With `--out` the best ones go to the file that the player arranges its stones by.
"""

import argparse
import json
import math
import sys
from pathlib import Path

from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.setups import ALL, PATH
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.files import open_tables
from brettwerk_games.rules.einstein.board import STONES

_ROWS = 10


def main() -> None:
    """Print the first mover's chance and the best set-ups as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--tables", type=Path, default=place.folder())
    parser.add_argument(
        "--out", type=Path, nargs="?", const=PATH, help="write the best set-ups to a file; by default, the player's"
    )
    args = parser.parse_args()
    engine = Engine(layout(), evaluation(), open_tables(args.tables), 12)
    engine.begin(2**62, 2**62, lambda: False)
    kinds = [one for one in ALL if one <= tuple(STONES + 1 - number for number in one)]
    first: dict[tuple[int, ...], float] = {}
    second = dict.fromkeys(kinds, 0.0)
    values = []
    for done, mine in enumerate(kinds, 1):
        row = [engine.chance(ALL[mine], ALL[yours], args.depth) for yours in kinds]
        first[mine] = sum(row) / len(row)
        for yours, value in zip(kinds, row, strict=True):
            second[yours] += value / len(kinds)
        values += row
        if done % 20 == 0:
            print(f"{done} of {len(kinds)} set-ups", file=sys.stderr, flush=True)
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    print(f"First mover, set-ups by lot: {100 * mean:.2f} %, standard deviation {100 * spread:.1f}, ", end="")
    print(f"from {100 * min(values):.1f} to {100 * max(values):.1f} % ({len(values):,} pairs, {args.depth} plies)\n")
    print("| set-up (A1 B1 C1, A2 B2, A3) | as first mover | as second |\n| --- | --- | --- |")
    order = sorted(kinds, key=lambda one: -first[one])
    if args.out is not None:
        rows = [
            {"stones": one, "first": round(100 * first[one], 1), "second": round(100 * (1 - second[one]), 1)}
            for one in order[:_ROWS]
        ]
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        args.out.write_text(f'{{\n  "depth": {args.depth},\n  "best": [\n{lines}\n  ]\n}}\n')
    for one in [*order[:_ROWS], *order[-3:]]:
        a, b, c, d, e, f = one
        print(f"| {a} {b} {c} / {d} {e} / {f} | {100 * first[one]:.1f} % | {100 * (1 - second[one]):.1f} % |")


if __name__ == "__main__":
    main()
