"""Games between computer players, for measurements: any game, seeded openings, and time that is that of the CPU.

A machine that is busy with other things gives a player less than its deadline says. So the clock that players look at is
exchanged for the CPU time of this process (`cpu_time`): a deadline of 200 ms then is 200 ms of work, whatever else runs.
"""

import contextlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from brettwerk_games.players.interface import Advice, Player, Thought
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options

OPENING = {"einstein": 2, "plateau": 4, "wec": 6, "connect_four": 2}
"""Random actions at the beginning, by game: enough that games differ, too few to decide them. Set-ups, in EinStein."""
Seen: TypeAlias = Callable[[int, Thought, float], None]
"""Is told of each action: the seat, the thought, and the seconds that it took."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player with its time for an action, in seconds."""

    player: Player
    limit_s: float


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


def preset_start(game: AnyGame, seats: int, seed: bytes) -> Any:
    """Return the position that a game begins in with its preset options."""
    options = game.codec.decode(Kind.OPTIONS, preset_options(game, seats))
    return game.new(options, seats, None, seed).position


def opening(game: AnyGame, start: Any, number: int, actions: int | None = None) -> Any:
    """Return a position after so many random actions, OPENING's if None; the same number gives the same one."""
    dice = random.Random(number)
    while True:
        position = start
        for _ in range(OPENING.get(game.facts.id, 0) if actions is None else actions):
            if not game.to_act(position):
                break
            seat = game.to_act(position)[0]
            action = dice.choice(game.actions(game.view(position, seat)))
            position = game.apply(position, seat, action, dice.randbytes(SEED_BYTES)).position
        if game.to_act(position):
            return position


def play(game: AnyGame, start: Any, seats: Sequence[Seat], seed: int, max_actions: int, seen: Seen = lambda *_: None) -> Any:
    """Play on to the end, or for so many actions, and return the last position. Within `cpu_time`.

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
        thought = mover.player.think(view, began + mover.limit_s, dice.getrandbits(63))
        seen(to_act[0], thought, time.process_time() - began)
        position = game.apply(position, to_act[0], thought.action, dice.randbytes(SEED_BYTES)).position
    return position
