"""Plays matches: each deal of set-ups and dice is played twice, with the players' sides exchanged."""

import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from brettwerk_games.players.interface import Player
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.einstein import GAME
from brettwerk_games.rules.einstein.options import Options, Setup
from brettwerk_games.rules.einstein.position import Position

BOTH = 2


@dataclass(frozen=True, slots=True)
class Score:
    """The share of the first player, and half the width of its 95 % interval; pairs of mirrored games are the trials."""

    games: int
    share: float
    half_width: float

    def __str__(self) -> str:
        """Return it in words."""
        return f"{100 * self.share:.1f} % ± {100 * self.half_width:.1f} of {self.games:,} games"


def summed(pairs: list[float]) -> Score:
    """Return the score of pairs of games (0, 0.5 or 1 each)."""
    mean = sum(pairs) / len(pairs)
    spread = sum((pair - mean) ** 2 for pair in pairs) / max(1, len(pairs) - 1)
    return Score(BOTH * len(pairs), mean, 1.96 * math.sqrt(spread / len(pairs)))


def start(seed: int) -> Position:
    """Return a start position with both sides set up by lot and a roll."""
    position: Position = GAME.new(Options(setup=Setup.RANDOM), 2, None, random.Random(seed).randbytes(SEED_BYTES)).position
    return position


def play(position: Position, players: tuple[Player, Player], seed: int, think_s: float) -> int:
    """Return the seat that won."""
    dice = random.Random(seed)
    while position.winner is None:
        view = GAME.view(position, position.to_move)
        thought = players[position.to_move].think(view, time.monotonic() + think_s, dice.getrandbits(64))
        position = GAME.apply(position, position.to_move, thought.action, dice.randbytes(SEED_BYTES)).position
    return position.winner


def match(
    first: Player,
    second: Player,
    games: int,
    seed: int,
    think_s: float = math.inf,
    progress: Callable[[Score], None] | None = None,
) -> Score:
    """Return the first player's score in that many games (an even number)."""
    pairs: list[float] = []
    for number in range(games // BOTH):
        deal = seed * 1_000_003 + number
        both = enumerate(((first, second), (second, first)))
        won = [play(start(deal), players, deal, think_s) == seat for seat, players in both]
        pairs.append(sum(won) / BOTH)
        if progress is not None and (number + 1) % 25 == 0:
            progress(summed(pairs))
    return summed(pairs)


def show(score: Score) -> None:
    """Show how a match goes on."""
    print(f"\r  so far {score}   ", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
