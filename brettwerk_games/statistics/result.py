"""The counts of one finished game."""

from dataclasses import dataclass, field
from typing import NamedTuple

PERSON = "person"
"""The player of a seat that no computer held at the end."""
ACTION_CLASSES = (0, 10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000)
"""The least lengths of the classes by which games are counted that are measured in actions."""
ROUNDS_EACH = 5
"""How many rounds a class has, where games are measured in rounds."""
MAX_ROUNDS = 200
"""Games of as many rounds or more are one class."""


class Mark(NamedTuple):
    """Something that a game notes of a seat: its first continent, say. `kind` and `key` are those of a tally."""

    kind: str
    key: str
    seat: int


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: who sat where (a level, or PERSON), who won, by which rule it ended, and how long it was.

    `rounds` is 0 where the game has none: then its length is told in actions.
    """

    seats: tuple[str, ...]
    winners: tuple[int, ...]
    rule: str = ""
    actions: int = 0
    rounds: int = 0
    marks: tuple[Mark, ...] = field(default=())


def length_class(result: Result) -> int:
    """Return the least length of the class that a game is counted in: in rounds where it has some, else in actions."""
    if result.rounds:
        return min(result.rounds, MAX_ROUNDS) // ROUNDS_EACH * ROUNDS_EACH
    return max(least for least in ACTION_CLASSES if least <= max(0, result.actions))
