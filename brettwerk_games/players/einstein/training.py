"""Learns the evaluation by playing against itself: `python -m brettwerk_games.players.einstein.training --help`.

TD(0): after each batch of games, the weights go towards the chances that looking ahead had found (kernels/learn.py), and the next
batch is played with them. Below the reach of the tables nothing is learnt, and exact chances take the place of estimates. The
same options, tables and seed give the same weights.
"""

import argparse
import random
import sys
import time
from array import array
from itertools import product
from pathlib import Path

from brettwerk_games.players.einstein import evaluation as form
from brettwerk_games.players.einstein.evaluation import PAIRS, PATH, PLACES, RACES, UNIT, WEIGHTS
from brettwerk_games.players.einstein.kernels.learn import Pupil
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.kernels.selfplay import Gamer
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.files import open_tables

_GREATEST = 32767
_START = (0, 1, 2, 5, 6, 10)
_MAX = 64
"""Positions of a game."""


class Sharing:
    """Which weights are one and the same by the symmetries of the game: the board mirrored, either side's numbers reversed."""

    def __init__(self) -> None:
        """Work it out (a second)."""
        places = [square % 5 * 5 + square // 5 if square < PLACES - 1 else square for square in range(PLACES)]
        own = {(a, b): number for number, (a, b) in enumerate(PAIRS)}
        names: dict[int, int] = {}
        self.by_weight = array("i")
        """By place in the file: the shared weight."""
        for a, b in PAIRS:
            kin = [(_renamed(a, mine, yours), _renamed(b, mine, yours)) for mine, yours in product((0, 1), repeat=2)]
            for p, q in product(range(PLACES), repeat=2):
                orbit = []
                for c, d in kin:
                    for r, s in ((p, q), (places[p], places[q])):
                        (e, x), (f, y) = sorted(((c, r), (d, s)))
                        orbit.append((own[e, f] * PLACES + x) * PLACES + y)
                self.by_weight.append(names.setdefault(min(orbit), len(names)))
        for side in range(2):
            for race in range(RACES):
                reverse, left = 0, race
                for _ in range(6):
                    reverse, left = reverse * 5 + left % 5, left // 5
                self.by_weight.append(names.setdefault(WEIGHTS * (1 + side) + min(race, reverse), len(names)))
        self.count = len(names)

    def matrix(self) -> "array[int]":
        """Return the shared weights by the columns of the evaluation's matrix."""
        found = array("i", bytes(4 * 384 * 384))
        columns = [*range(PLACES - 1), 31]
        begin = 0
        for a, b in PAIRS:
            for p, q in product(columns, repeat=2):
                found[(a * 32 + p) * 384 + b * 32 + q] = found[(b * 32 + q) * 384 + a * 32 + p] = self.by_weight[begin]
                begin += 1
        return found


def _renamed(stone: int, mine: int, yours: int) -> int:
    return (5 - stone if mine else stone) if stone < 6 else (17 - stone if yours else stone)


def whole(sharing: Sharing, weights: "array[float]") -> "array[int]":
    """Return the weights as they go into the file."""
    return array("h", [max(-_GREATEST, min(_GREATEST, round(weights[one] * UNIT))) for one in sharing.by_weight])


def start(dice: random.Random) -> tuple[int, int]:
    """Return two sides set up by lot."""
    sides = [sum(square << 5 * stone for stone, square in enumerate(dice.sample(_START, 6))) for _ in range(2)]
    return sides[0], sides[1]


def train(
    tables: dict[int, memoryview], games: int, batch: int, depth: int, rates: tuple[float, float], seed: int
) -> "array[int]":
    """Return weights learnt in that many games; the rate falls from the first to the second."""
    dice, sharing = random.Random(seed), Sharing()
    weights = array("d", bytes(8 * sharing.count))
    pupil = Pupil(weights, sharing.matrix(), sharing.by_weight[-2 * RACES :])
    engine = Engine(layout(), form.expanded(whole(sharing, weights)), tables, 14)
    engine.begin(2**62, 2**40, lambda: False)
    gamer = Gamer(engine)
    positions, chances = array("Q", bytes(16 * _MAX)), array("f", bytes(4 * _MAX))
    began, done = time.monotonic(), 0
    while done < games:
        engine.take_evaluation(form.expanded(whole(sharing, weights)))
        squares, met = 0.0, 0
        rate = rates[0] * (rates[1] / rates[0]) ** (done / games)
        for _ in range(min(batch, games - done)):
            count = gamer.play(start(dice), dice.randrange(1, 2**32), depth, 0.1, positions, chances)
            squares += pupil.learn(positions, chances, count, rate)
            met += count
            done += 1
        spent = time.monotonic() - began
        left = spent / done * (games - done)
        line = f"{done:,} of {games:,} games, error {(squares / max(1, met)) ** 0.5:.4f}, {left:,.0f} s to go"
        print(line, file=sys.stderr, flush=True)
    return whole(sharing, weights)


def main() -> None:
    """Train and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3_000_000)
    parser.add_argument("--batch", type=int, default=20_000, help="number of games played with the same weights")
    parser.add_argument("--depth", type=int, default=1, help="how many plies to look ahead for the chances to learn")
    parser.add_argument(
        "--rates", type=float, nargs=2, default=(0.02, 0.0005), help="learning rates at the beginning and at the end"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=Path, default=place.folder())
    parser.add_argument("--out", type=Path, default=PATH)
    args = parser.parse_args()
    weights = train(open_tables(args.tables), args.games, args.batch, args.depth, tuple(args.rates), args.seed)
    if sys.byteorder == "big":
        weights.byteswap()
    args.out.write_bytes(weights.tobytes())


if __name__ == "__main__":
    main()
