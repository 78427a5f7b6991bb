"""Random games of any game, many side by side: how fast its rules are, how long its games, and who wins them.

Each round plays one action in every game of a batch. Chance and choices are drawn for the whole batch at once; the rules
themselves are Python, and asked game by game. So a batch saves the draws, and not much more than that.
"""

import time
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from brettwerk_games.adapters.match import Match, Setting, reward
from brettwerk_games.rules.chance import SEED_BYTES

BATCH = 256
"""Games that are played side by side, unless somebody says otherwise."""


class RandomGames(NamedTuple):
    """The games, by their numbers, and what they took."""

    plies: NDArray[numpy.int32]
    """How many actions each had."""
    rewards: NDArray[numpy.float64]
    """By game and seat: 1 for a win, -1 for a loss, between in a draw, 0 in a game that was cut off."""
    most_legal: NDArray[numpy.int32]
    """How many actions were legal in each at a time, at most; no more than the setting has."""
    cpu_s: float
    """Seconds of one core."""

    @property
    def plies_per_second(self) -> float:
        """Actions in a second of one core."""
        return float(self.plies.sum()) / self.cpu_s


def play_random(setting: Setting, games: int, seed: int = 0, batch: int = BATCH, most_plies: int = 0) -> RandomGames:
    """Play random games, in which every legal action is as likely as any other, and return how they went.

    The same setting, seed and batch make the same games. `most_plies` cuts games off, 0 for never. Raises Malformed or Illegal
    for options and seats that the game cannot have.
    """
    began, dice = time.process_time(), numpy.random.default_rng(seed)
    plies, most_legal = numpy.zeros(games, numpy.int32), numpy.zeros(games, numpy.int32)
    rewards = numpy.zeros((games, setting.seats))
    for first in range(0, games, batch):
        part = slice(first, min(games, first + batch))
        positions = [Match(setting, int(dice.integers(2**63))).position for _ in range(first, part.stop)]
        _play(setting, positions, dice, plies[part], most_legal[part], most_plies)
        rewards[part] = [[reward(setting.game, position, seat) for seat in range(setting.seats)] for position in positions]
    return RandomGames(plies, rewards, most_legal, time.process_time() - began)


def _play(
    setting: Setting,
    positions: list[Any],
    dice: numpy.random.Generator,
    plies: NDArray[numpy.int32],
    most_legal: NDArray[numpy.int32],
    most_plies: int,
) -> None:
    """Play from all of the positions, and put there how the games ended, and into the arrays what they had."""
    game = setting.game
    running = list(range(len(positions)))
    while running:
        choices, seeds = dice.random(len(running)).tolist(), dice.bytes(SEED_BYTES * len(running))
        left = []
        for slot, number in enumerate(running):
            position = positions[number]
            seat = game.to_act(position)[0]
            legal = game.first_actions(game.view(position, seat), setting.most)
            action = legal[int(choices[slot] * len(legal))]
            seed = seeds[SEED_BYTES * slot : SEED_BYTES * (slot + 1)]
            positions[number] = position = game.position_after(position, seat, action, seed)
            plies[number] += 1
            most_legal[number] = max(most_legal[number], len(legal))
            if game.to_act(position) and plies[number] != most_plies:
                left.append(number)
        running = left
