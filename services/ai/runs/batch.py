"""One game among computers, and one batch of them: pure but for the clock that players look at, and that never runs out for them.

Chance comes from the run's seed and the game's number alone: a batch has the same result wherever and whenever it is played.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from brettwerk_games.players.registry import make_steady_player, simulator
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.statistics.result import Result
from brettwerk_games.statistics.tally import Tallies, count
from services.ai.runs.wish import Checked

MAX_ACTIONS = 5000
"""A game that is played action by action and has no end after so many counts as one without a winner."""
_FOREVER_S = 1e9
_SEARCH_SEED = 2**63


class Unwanted(Exception):
    """The run was cancelled, or the worker is to end: nobody wants the batch any more."""


def play_batch(checked: Checked, batch: int, go_on: Callable[[], bool] = lambda: True) -> tuple[int, Tallies]:
    """Return how many games a batch has, and what they count.

    `go_on` is asked now and then whether to go on. Raises Unwanted when it says no.
    """
    tallies = Tallies()
    numbers = checked.numbers(batch)
    for number in numbers:
        if not go_on():
            raise Unwanted
        tallies.add(count(play_one(checked, number, go_on)))
    return len(numbers), tallies


def play_one(checked: Checked, number: int, go_on: Callable[[], bool] = lambda: True) -> Result:
    """Return how game `number` of a run goes. Raises Unwanted."""
    levels = checked.levels_of(number)
    seed = checked.wish.seed + number
    names = [level.id for level in levels]
    play = simulator(levels)
    found = play([level.strength for level in levels], names, checked.options, seed, go_on) if play is not None else None
    return found or by_the_rules(checked.game, levels, checked.options, seed, go_on)


def by_the_rules(
    game: AnyGame, levels: Sequence[LevelFacts], options: Any, seed: int, go_on: Callable[[], bool] = lambda: True
) -> Result:
    """Return how a game goes that is played action by action, each seat from its view. Raises Unwanted."""
    deadline = time.monotonic() + _FOREVER_S
    names = tuple(level.id for level in levels)
    players = [make_steady_player(game, level) for level in levels]
    position = game.new(options, len(levels), None, step_seed(seed, 0)).position
    if game.facts.tells_seats:
        teller: Any = game
        position = teller.seated(position, (True,) * len(levels), step_seed(seed, 0)).position
    mover, actions = -1, 0
    while to_act := game.to_act(position):
        if actions == MAX_ACTIONS:
            return Result(names, (), "", actions)
        if not go_on():
            raise Unwanted
        seat, actions = to_act[0], actions + 1
        if seat != mover:
            # as in a session, where a player is kept for a turn and no longer
            mover, players[seat] = seat, make_steady_player(game, levels[seat])
        chance = step_seed(seed, actions)
        thought = players[seat].think(game.view(position, seat), deadline, int.from_bytes(chance[:8], "big") % _SEARCH_SEED)
        position = game.apply(position, seat, thought.action, chance).position
    outcome = game.outcome(position)
    if outcome is None:
        return Result(names, (), "", actions)
    return Result(names, outcome.winners, outcome.rule, actions)


def step_seed(seed: int, step: int) -> bytes:
    """Return the seed of a game's step; 0 is its beginning."""
    return hashlib.blake2b(f"brettwerk run {seed} {step}".encode(), digest_size=SEED_BYTES).digest()
