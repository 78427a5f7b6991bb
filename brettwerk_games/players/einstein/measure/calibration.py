"""Draws whether chances come true: `python -m brettwerk_games.players.einstein.measure.calibration`.

The player plays against itself. Its chance before every roll is put into one of twenty classes, and compared with how often
the side to move went on to win.
"""

import argparse
import random
import sys
from array import array
from pathlib import Path

from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.kernels.selfplay import Gamer
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.training import start

_CLASSES = 20
_SIZE = 400
_MAX = 64


def collect(engine: Engine, games: int, depth: int, seed: int) -> list[tuple[int, float, float]]:
    """Return for each class how many positions were in it, their mean chance and the share that was won."""
    dice = random.Random(seed)
    positions, chances = array("Q", bytes(16 * _MAX)), array("f", bytes(4 * _MAX))
    count, sums, won = [0] * _CLASSES, [0.0] * _CLASSES, [0] * _CLASSES
    for game in range(games):
        met = Gamer(engine).play(start(dice), dice.randrange(1, 2**32), depth, 0.0, positions, chances)
        for index in range(met):
            place = min(_CLASSES - 1, int(chances[index] * _CLASSES))
            count[place] += 1
            sums[place] += chances[index]
            won[place] += (met - 1 - index) % 2 == 0  # whoever moves last has won
        if (game + 1) % 1000 == 0:
            print(f"{game + 1:,} of {games:,} games", file=sys.stderr, flush=True)
    return [(n, s / n, w / n) for n, s, w in zip(count, sums, won, strict=True) if n]


def drawn(classes: list[tuple[int, float, float]]) -> str:
    """Return the diagram as SVG."""
    most = max(count for count, _, _ in classes)
    marks = [
        f'<circle cx="{50 + said * _SIZE:.1f}" cy="{20 + (1 - won) * _SIZE:.1f}" r="{2 + 6 * (count / most) ** 0.5:.1f}"/>'
        for count, said, won in classes
    ]
    ticks = []
    for tenth in range(0, 11, 2):
        x, y = 50 + tenth * _SIZE / 10, 20 + (10 - tenth) * _SIZE / 10
        ticks.append(f'<text x="{x:.0f}" y="{_SIZE + 38}" text-anchor="middle">{10 * tenth} %</text>')
        ticks.append(f'<text x="44" y="{y + 4:.0f}" text-anchor="end">{10 * tenth} %</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE + 70} {_SIZE + 70}"',
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{_SIZE + 70}" height="{_SIZE + 70}" fill="white"/>',
            f'<path d="M50 20V{20 + _SIZE}H{50 + _SIZE}" fill="none" stroke="#444"/>',
            f'<path d="M50 {20 + _SIZE}L{50 + _SIZE} 20" stroke="#bbb" stroke-dasharray="4"/>',
            *ticks,
            f'<text x="{50 + _SIZE / 2:.0f}" y="{_SIZE + 58}" text-anchor="middle">chance that was said</text>',
            '<text x="60" y="34">share that was won</text>',
            '<g fill="#2a6fb0">',
            *marks,
            "</g></svg>",
            "",
        ]
    )


def main() -> None:
    """Play, print the classes and write the diagram."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("docs/einstein-calibration.svg"))
    args = parser.parse_args()
    engine = Engine(layout(), evaluation(), {}, 12)  # without tables: games go to their end, and nothing is exact
    engine.begin(2**62, 2**62, lambda: False)
    classes = collect(engine, args.games, args.depth, args.seed)
    for count, said, won in classes:
        print(f"said {100 * said:5.1f} %, won {100 * won:5.1f} % of {count:,}")
    total = sum(count for count, _, _ in classes)
    error = sum(count * (said - won) ** 2 for count, said, won in classes) / total
    print(f"root mean square of the difference: {100 * error**0.5:.2f} points, {total:,} positions")
    args.out.write_text(drawn(classes), encoding="utf-8")


if __name__ == "__main__":
    main()
