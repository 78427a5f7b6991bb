"""Fits what a worth means as a chance to win in Empire Plateau to games among equals, and checks it with other games.

    python -m brettwerk_games.players.measure.match --game plateau --first normal --second normal --games 300 --kept FILE
    python -m brettwerk_games.players.plateau.measure.chances FILE...

Every other game is fitted, the rest checks. It prints the scale and the limit that fit (those in force are in
`brettwerk_games/players/plateau/chances.py`), and how the fit, what is in force, and always saying one half compare on the games
that were not fitted.
"""

import argparse
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from brettwerk_games.players.measure.records import Played, kept
from brettwerk_games.players.plateau.chances import LIMIT, LOST, SCALE

Turn: TypeAlias = tuple[float, int, float]
"""The worth that the mover stated, how many sides there were, and what came."""
Said: TypeAlias = Callable[[float, int], float]
_FARTHEST = 12.0
"""Chances that are closer to the limit than floats can tell count as those of so many times the limit's worth."""


def turns(games: Iterable[Played]) -> list[Turn]:
    """Return the turns of games of two without those that began with a win in the turn, or before a loss that was sure.

    Games of more are left out: what a chance means depends on how many sides are still there.
    """
    of_two = (game for game in games if game.seats == 2)
    stated = (one for game in of_two for part in (game.first, game.second) for one in part.stated)
    return [(worth(one.chance, 2), 2, one.came) for one in stated if LOST < one.chance < 1]


def worth(chance: float, sides: int) -> float:
    """Return the worth that was stated as a chance, below 1, that is in force."""
    share = math.log(max(chance, 1e-9) / (1 - chance) * max(1, sides - 1)) / LIMIT
    return LIMIT * SCALE * max(-_FARTHEST, min(_FARTHEST, math.atanh(max(-1 + 1e-12, min(1 - 1e-12, share)))))


def stated_with(scale: float, limit: float) -> Said:
    """Return what is said of a worth with a scale and a limit."""

    def said(stated: float, sides: int) -> float:
        return 1 / (1 + max(1, sides - 1) * math.exp(-limit * math.tanh(stated / (limit * scale))))

    return said


def fitted(pairs: Sequence[Turn]) -> tuple[float, float]:
    """Return the scale and the limit with the least loss."""
    found = (SCALE, LIMIT)
    width = 0.5
    while width > 0.005:
        around = [(found[0] * (1 + a * width), found[1] * (1 + b * width)) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        best = min(around, key=lambda one: loss(pairs, stated_with(*one)))
        width, found = (width / 2, found) if best == found else (width, best)
    return found


def loss(pairs: Sequence[Turn], said: Said) -> float:
    """Return the mean of minus the logarithm of what was said of what came."""
    chances = [(said(stated, sides), came) for stated, sides, came in pairs]
    return -sum(came * math.log(chance) + (1 - came) * math.log(1 - chance) for chance, came in chances) / len(pairs)


def brier(pairs: Sequence[Turn], said: Said) -> float:
    """Return the Brier score."""
    return sum((said(stated, sides) - came) ** 2 for stated, sides, came in pairs) / len(pairs)


def main() -> None:
    """Fit and check with the files of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", type=Path)
    games = kept(parser.parse_args().files)
    learnt, held = turns(games[::2]), turns(games[1::2])
    scale, limit = fitted(learnt)
    print(f"{len(games)} games; fitted to {len(learnt)} turns: scale {scale:.0f}, limit {limit:.2f}; to all: ", end="")
    print("scale {:.0f}, limit {:.2f}".format(*fitted(learnt + held)))
    print(f"on the {len(held)} turns of the other games:")
    ways = {
        "fitted": stated_with(scale, limit),
        "in force": stated_with(SCALE, LIMIT),
        "one half": lambda _stated, sides: 1 / sides,
    }
    for name, said in ways.items():
        print(f"  {name}: loss {loss(held, said):.4f}, Brier score {brier(held, said):.4f}")


if __name__ == "__main__":
    main()
