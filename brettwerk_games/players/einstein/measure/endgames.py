"""Plays endgames out: *best* with some tables against *best* with others, from positions that games reach.

    python -m brettwerk_games.players.einstein.measure.endgames --tables FOUR FIVE --stones 6 --games 2000

Each position is played twice with the same dice, with sides exchanged. Players that make the same moves share such a pair, and so
the share of the first differs from a half only by what their different moves are worth.
"""

import argparse
import math
from itertools import islice
from pathlib import Path

from brettwerk_games.players.einstein import BEST, EinsteinPlayer
from brettwerk_games.players.einstein.engine import Opened
from brettwerk_games.players.einstein.measure.match import BOTH, Score, play, show, summed
from brettwerk_games.players.einstein.measure.regret import reached
from brettwerk_games.players.interface import Player
from brettwerk_games.rules.einstein import GAME

_SHOWN = 50


def endgames(first: Player, second: Player, stones: int, games: int, seed: int) -> tuple[Score, int]:
    """Return the first player's score, and how many of the pairs of games were not shared."""
    pairs: list[float] = []
    for number, position in enumerate(islice(reached(stones, seed), games // BOTH)):
        both = ((first, second), (second, first))
        won = [play(position, players, seed * 1_000_003 + number, math.inf) for players in both]
        pairs.append(sum(players[seat] is first for players, seat in zip(both, won, strict=True)) / BOTH)
        if (number + 1) % _SHOWN == 0:
            show(summed(pairs))
    return summed(pairs), sum(pair != 1 / BOTH for pair in pairs)


def main() -> None:
    """Play them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=Path, nargs=2, required=True, help="folder of the first player, and of the second")
    parser.add_argument("--stones", type=int, default=6, help="on the board at first")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=2_000_000, help="positions a move")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    first, second = (EinsteinPlayer(GAME, BEST, args.nodes, Opened(folder)) for folder in args.tables)
    score, apart = endgames(first, second, args.stones, args.games, args.seed)
    print(f"{args.tables[0]} against {args.tables[1]}: {score}, {apart} of {score.games // BOTH} pairs not shared")


if __name__ == "__main__":
    main()
