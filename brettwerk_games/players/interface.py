"""The interface of a computer player: it looks at a view and says what it would do, and what it thinks of everything it may do.

A player is made for one game and one strength. It is anytime: when its deadline comes, or when the worker raises `OutOfTime`
into it, it answers with the best that it has found so far. Until then the same view, seed and strength give the same thought.

A worker keeps one player object for the actions of one seat's turn. Where a turn has many, a player may think of all of it at the
first and then go on with that plan, at next to no cost, as long as the view is the one that it expects (plan.py; Empire Plateau
and Weaponized Chess do). So the thought of an object that was asked before also comes from what it was asked; that of a new one
comes from view, seed and strength alone, and one that is asked of any other view than the expected one answers as a new one.
Nobody has to keep an object, and nothing is lost with it but time. EMPERADO plans nothing: an action takes it a thirtieth of a
millisecond, less than the rules take to play one. Its expert keeps what it aims at in a turn, however the dice fall.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.statistics.result import Result

__all__ = ["Advice", "Cheapest", "NothingToDo", "OutOfTime", "Player", "PlayerMaker", "Players", "Simulator", "Thought"]


@dataclass(frozen=True, slots=True)
class Thought:
    """An action, the chance to win that the player gives its side with it (0 to 1), positions looked at, and how deep."""

    action: Any
    win_chance: float
    nodes: int
    depth: int


@dataclass(frozen=True, slots=True)
class Advice:
    """An action and the chance of the seat's side to win with it, 0 to 1."""

    action: Any
    win_chance: float


class Player(Protocol):
    """A computer player of one game at one strength."""

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return what the player does for the view's seat; `deadline` is in seconds of `time.monotonic`.

        Raises NothingToDo when the view's seat is not to act.
        """
        ...

    def review(self, view: Any, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return what the player thinks of the seat's actions, best first; actions that it has not looked at are left out.

        Raises NothingToDo when the view's seat is not to act.
        """
        ...


class PlayerMaker(Protocol):
    """The interface that a module of this folder offers as `PLAYER`."""

    def __call__(self, game: AnyGame, strength: int) -> Player:
        """Return a player of `game`; what `strength` means is the player's own, 0 is its preset."""
        ...


class Cheapest(Protocol):
    """The function that a module of this folder may offer as `cheapest`: a move of some milliseconds, for when no worker lives.

    It reads no endgame tables and remembers nothing but constants, so that it may run in a process that is no worker.
    """

    def __call__(self, game: AnyGame, strength: int, view: Any, seed: int) -> Any:
        """Return an action that a player of this strength need not be ashamed of, the same for the same view and seed.

        Raises NothingToDo when the view's seat is not to act.
        """
        ...


class Simulator(Protocol):
    """The function that a module here may offer as `play_game`: whole games among computers at full speed, for statistics.

    Where it offers none, or returns None, games are played by the rules, action by action (services/ai/runs/batch.py).
    """

    def __call__(
        self, strengths: Sequence[int], names: Sequence[str], options: Any, seed: int, go_on: Callable[[], bool]
    ) -> Result | None:
        """Return how a game of these strengths (by seat) goes; `names` are their levels. Equal seeds give equal games.

        `go_on` is asked now and then whether to go on; when it says no, nothing is returned.
        """
        ...


class OutOfTime(Exception):
    """A search has gone on for longer than it may; raised by the alarm of its process (thought/alarm.py)."""


class NothingToDo(Exception):
    """The view's seat is not to act."""


Players = Mapping[str, PlayerMaker]
"""Player makers by the name that `LevelFacts.player` has."""
