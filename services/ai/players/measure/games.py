"""Games between levels, for measurements: any game, seeded openings, and time that is that of the CPU.

A machine that is busy with other things gives a player less than its deadline says. So the clock that players look at is
exchanged for the CPU time of this process (`cpu_time`): a deadline of 200 ms then is 200 ms of work, whatever else runs.
"""

import contextlib
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from loadtests.connect_four import GAME as CONNECT_FOUR
from services.ai.players.interface import Advice, Player, Thought
from services.games.chance import SEED_BYTES
from services.games.interface import AnyGame, Kind
from services.games.registry import games

ALMOST = 1.96
"""Standard deviations on either side of a 95 % interval."""


@dataclass(slots=True)
class Seat:
    """A player with its time for an action in seconds, and the CPU milliseconds that its actions took."""

    player: Player
    limit_s: float
    took_ms: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Anew:
    """A player that is recreated for each action, so that it keeps no plan of its turn."""

    make: Callable[[], Player]

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return what a new player thinks."""
        return self.make().think(view, deadline, seed)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return what a new player thinks."""
        return self.make().review(view, deadline, seed)


@contextlib.contextmanager
def cpu_time() -> Iterator[None]:
    """Let deadlines be those of this process's CPU time as long as it lasts; one thing at a time."""
    clock = time.monotonic
    time.monotonic = time.process_time
    try:
        yield
    finally:
        time.monotonic = clock


def known_games() -> dict[str, AnyGame]:
    """Return the games that can be measured: the platform's, and Connect Four for the generic levels."""
    return {**games(), CONNECT_FOUR.facts.id: CONNECT_FOUR}


def opening(game: AnyGame, seats: int, number: int, actions: int) -> Any:
    """Return a position after so many random actions from the preset start; the same number gives the same one."""
    options = game.codec.decode(Kind.OPTIONS, b"") if hasattr(game, "codec") else None
    dice = random.Random(number)
    while True:
        position = game.new(options, seats, None, dice.randbytes(SEED_BYTES)).position
        for _ in range(actions):
            if not game.to_act(position):
                break
            seat = game.to_act(position)[0]
            action = dice.choice(game.actions(game.view(position, seat)))
            position = game.apply(position, seat, action, dice.randbytes(SEED_BYTES)).position
        if game.to_act(position):
            return position


def play(game: AnyGame, start: Any, seats: Sequence[Seat], seed: int, max_actions: int) -> tuple[float, ...]:
    """Play on to the end and return the scores; a game that takes more actions counts as undecided. Within `cpu_time`.

    The same seed gives the same dice by the number of the action, whoever plays.
    """
    position = start
    for number in range(max_actions):
        to_act = game.to_act(position)
        if not to_act:
            break
        mover = seats[to_act[0]]
        view = game.view(position, to_act[0])
        dice = random.Random(seed * 1_000_003 + number)
        began = time.process_time()
        action = mover.player.think(view, began + mover.limit_s, dice.getrandbits(63)).action
        mover.took_ms.append(1000 * (time.process_time() - began))
        position = game.apply(position, to_act[0], action, dice.randbytes(SEED_BYTES)).position
    outcome = game.outcome(position)
    return (1 / len(seats),) * len(seats) if outcome is None else outcome.scores


def paired(
    game: AnyGame,
    first: Callable[[], Seat],
    second: Callable[[], Seat],
    pairs: range,
    opening_actions: int,
    max_actions: int,
) -> Iterator[float]:
    """Yield the first one's share of each pair of games that begin alike and have the same dice, with sides exchanged."""
    for number in pairs:
        start = opening(game, 2, number, opening_actions)
        share = 0.0
        for side in (0, 1):
            seats = (first(), second()) if side == 0 else (second(), first())
            share += play(game, start, seats, number, max_actions)[side] / 2
        yield share


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """Return the mean of pairs' shares and half the width of its 95 % interval."""
    mean = sum(shares) / len(shares)
    if len(shares) == 1:
        return mean, math.inf
    spread = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
    return mean, ALMOST * math.sqrt(spread / len(shares))
