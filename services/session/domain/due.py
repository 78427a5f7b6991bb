"""The chores of a session by itself, and their times. The store's `due` set has the answer for every session."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from services.session.domain import clocks, perception, plies
from services.session.domain.state import FINISHED, RUNNING, State


class Chore(Enum):
    """The chore that is due."""

    CLOCK = "clock"
    COMPUTER = "computer"
    ABANDON = "abandon"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Due:
    """A chore and its time, in milliseconds since 1970."""

    at_ms: int
    chore: Chore


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the session waits, in milliseconds. `think_ms` is the thinking time of each level of the game."""

    think_ms: Mapping[str, int]
    grace_ms: int
    abandon_ms: int
    undo_ms: int = 120_000
    """How long an ending that can be taken back waits before it is archived."""
    unmoved_ms: int = 86_400_000
    """How long a session waits in which no person has played yet."""

    def thinking_ms(self, level: str) -> int:
        """Return how long a computer may think about a move; for an unknown level, as long as the slowest one."""
        return self.think_ms.get(level, max(self.think_ms.values(), default=1000))

    def move_ms(self, level: str) -> int:
        """Return how long a computer's move may take until it is played."""
        return self.thinking_ms(level) + self.grace_ms


def is_worth_noting(due: Due, noted_ms: int | None) -> bool:
    """Return whether the store must be informed when something is due, given the moment it has noted (None: unknown).

    A moment noted a little too early costs one check: then nothing is due yet, and the right moment is noted.
    """
    if noted_ms is None or due.at_ms < noted_ms or due.chore is not Chore.ABANDON:
        return noted_ms != due.at_ms
    return due.at_ms - noted_ms > _EARLY_MS


_EARLY_MS = 600_000
"""How much earlier than due an idle session is checked."""


def next_due(state: State, timeouts: Timeouts) -> Due:
    """Return what must happen next."""
    if state.is_over:
        undoable = state.status == FINISHED and any(plies.free_undo(state, seat) for seat in state.persons())
        return Due(state.at_ms + (timeouts.undo_ms if undoable else 0), Chore.ARCHIVE)
    deadline = clocks.deadline_ms(state)
    # A running clock determines how long a game may be idle: a turn may have more days than a session without a clock.
    at_ms, chore = (_abandoned_ms(state, timeouts), Chore.ABANDON) if deadline is None else (deadline, Chore.CLOCK)
    if state.status == RUNNING:
        for seat in state.seats:
            if seat.wanted_version and seat.occupant is not None:
                moves_ms = seat.wanted_at_ms + timeouts.move_ms(seat.occupant.computer.level)
                if moves_ms < at_ms:
                    at_ms, chore = moves_ms, Chore.COMPUTER
    return Due(at_ms, chore)


def _abandoned_ms(state: State, timeouts: Timeouts) -> int:
    """Return until when a session may be idle. Hidden actions do not extend that, or its end would reveal them."""
    has_moved = plies.has_moved(perception.perceived(state, perception.SPECTATOR))
    return perception.changed_ms(state) + (timeouts.abandon_ms if has_moved else min(timeouts.abandon_ms, timeouts.unmoved_ms))
