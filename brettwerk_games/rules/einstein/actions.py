"""The actions of players, and their events."""

from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.einstein.position import End


class Move(NamedTuple):
    """Move a stone (1 to 6) to a square."""

    stone: int
    target: int


class Arrange(NamedTuple):
    """Put the six numbers on the own start squares, in the order of EWN-BOARD-3."""

    stones: tuple[int, ...]


Action: TypeAlias = Move | Arrange


class Moved(NamedTuple):
    """A stone moved. `captured` is the code of the stone that stood on the target (position.code), 0 for none."""

    seat: int
    stone: int
    source: int
    target: int
    captured: int


class Rolled(NamedTuple):
    """A die was rolled for the side to move."""

    roll: int


class Arranged(NamedTuple):
    """A side stands on its start squares, in the order of EWN-BOARD-3."""

    seat: int
    stones: tuple[int, ...]


class Ended(NamedTuple):
    """The game ended."""

    winner: int
    end: End


Event: TypeAlias = Moved | Rolled | Arranged | Ended
