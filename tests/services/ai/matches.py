"""Plays games between computer players, through the game interface and from views only, as the platform does."""

import math
import random
from collections.abc import Sequence
from typing import Any

from brettwerk_games.players.interface import Player
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame


def play(game: AnyGame, start: Any, players: Sequence[Player | RandomPlayer], seed: int, max_actions: int = 10_000) -> Any:
    """Return the position after a game, or after so many actions. Every action is checked to be a legal one."""
    dice = random.Random(seed)
    position = start
    for _ in range(max_actions):
        to_act = game.to_act(position)
        if not to_act:
            break
        seat = to_act[0]
        view = game.view(position, seat)
        action = players[seat].think(view, math.inf, dice.getrandbits(64)).action
        assert action in game.actions(view) or not game.facts.lists_all  # what is not listed is refused by `apply`
        position = game.apply(position, seat, action, dice.randbytes(SEED_BYTES)).position
    return position


def score(
    game: AnyGame, options: Any, first: Player | RandomPlayer, second: Player | RandomPlayer, games: int, seed: int
) -> float:
    """Return the share of a match that the first player wins; they change seats, and each deal of dice is played both ways."""
    won = 0.0
    for number in range(games):
        deal = random.Random(seed + number // 2)
        start = game.new(options, 2, None, deal.randbytes(SEED_BYTES)).position
        seats = (first, second) if number % 2 == 0 else (second, first)
        outcome = game.outcome(play(game, start, seats, deal.getrandbits(64)))
        assert outcome is not None
        won += outcome.scores[number % 2]
    return won / games
