"""Measures speed on one core, in CPU time: `python -m brettwerk_games.players.einstein.measure.speed`."""

import random
import statistics
import time

from brettwerk_games.players.einstein.engine import SLOTS_LOG2
from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.playout import play_on
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.files import open_tables
from brettwerk_games.players.einstein.training import start

_ROUNDS = 11
_GAMES = 100_000


def _rate(count: int, began: float) -> float:
    return count / (time.process_time() - began) / 1e6


def main() -> None:
    """Print medians of eleven rounds."""
    dice = random.Random(1)
    engine = Engine(layout(), evaluation(), open_tables(place.folder()), SLOTS_LOG2)
    engine.begin(2**62, 2**62, lambda: False)
    games, positions, shares = [], [], []
    for number in range(_ROUNDS):
        first = start(dice)
        began = time.process_time()
        won, _ = play_on(*first, _GAMES, number + 1)
        games.append(_rate(_GAMES, began))
        shares.append(won / _GAMES)
        engine.forget()
        before, began = engine.looked_at(), time.process_time()
        for depth in range(1, 7):
            engine.chance(*first, depth)
        positions.append(_rate(engine.looked_at() - before, began))
    print(f"random games: {statistics.median(games):.2f} million a second ({min(games):.2f} to {max(games):.2f})")
    print(f"positions searched from the start, 6 plies: {statistics.median(positions):.1f} million a second")
    print(f"the first mover wins {100 * statistics.mean(shares):.1f} % of random games")


if __name__ == "__main__":
    main()
