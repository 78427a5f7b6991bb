"""Plays every level against the one below: `python -m brettwerk_games.players.einstein.measure.levels --games 2000`.

The best level is given a number of positions in the place of its tenth of a second, so that a run can be repeated.
"""

import argparse
from itertools import pairwise
from pathlib import Path

from brettwerk_games.players.einstein import BEST, NODE_LIMIT, EinsteinPlayer
from brettwerk_games.players.einstein.engine import Opened
from brettwerk_games.players.einstein.measure.match import match, show
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.rules.einstein import GAME


def main() -> None:
    """Play the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=300_000, help="positions per move of the best level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=Path, default=place.folder())
    args = parser.parse_args()
    opened = Opened(args.tables)
    levels = [level for level in GAME.facts.levels if not level.max_depth]
    players = {
        level.id: EinsteinPlayer(GAME, level.strength, args.nodes if level.strength == BEST else NODE_LIMIT, opened)
        for level in levels
    }
    for below, level in pairwise(levels):
        score = match(players[level.id], players[below.id], args.games, args.seed, progress=show)
        print(f"{level.id} against {below.id}: {score}", flush=True)


if __name__ == "__main__":
    main()
