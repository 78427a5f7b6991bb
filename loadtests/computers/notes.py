"""The notes that players take while they play: how long people waited, which hints came, what was refused, what was created."""

import time
from collections import Counter
from dataclasses import dataclass, field

from loadtests.computers.mix import Kind


@dataclass(frozen=True, slots=True)
class Wait:
    """A computer's move as a person saw it. `at` is when it came, in seconds since 1970."""

    kind: Kind
    at: float
    seconds: float
    opens: bool
    """Whether it began the computer's turn."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A hint that was asked for; `refused` says why none came."""

    kind: Kind
    at: float
    seconds: float
    refused: str = ""


@dataclass(slots=True)
class Game:
    """A session that was created, and how the run left it."""

    session_id: str
    kind: Kind
    over: bool = False
    left_at: float = 0.0
    """When the run closed it, in seconds since 1970; 0 when it was not closed."""
    computer_was_to_act: bool = False
    """Whether a computer's move was waited for then."""


@dataclass(slots=True)
class Notes:
    """All notes of a run."""

    waits: list[Wait] = field(default_factory=list)
    hints: list[Asked] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    games: list[Game] = field(default_factory=list)
    waits_shown: int = 0
    """How often somebody was told that a computer's move has to wait, and for how long."""
    lost_connections: int = 0


def now() -> float:
    """Return the time in seconds since 1970: that of the logs, with which notes are compared."""
    return time.time()
