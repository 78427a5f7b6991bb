"""Asks computer players: right after the commit that makes it their turn, until the one that ends it."""

import contextlib
from collections.abc import Callable, Iterator, Sequence

from brettwerk.internal.v1 import ai_pb2
from services.session.computers.want_reporter import WantReporter
from services.session.computers.wants import Wants, waiting_for, wanted_seats
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate


class WantPlanner:
    """Says which moves are wanted, as commits make and end them."""

    def __init__(self, wants: Wants, want_reporter: WantReporter, is_watched: Callable[[str], bool]) -> None:
        """`is_watched` tells whether somebody follows a session by way of this process."""
        self._wants = wants
        self._want_reporter = want_reporter
        self._is_watched = is_watched
        self._in_hand: dict[tuple[str, int], bool] = {}

    @contextlib.contextmanager
    def in_hand(self, session_id: str, seat: int, *, goes_on: bool) -> Iterator[None]:
        """Say of commits in here that a worker moves for this seat, and is done with it: it tells the AI service itself.

        `goes_on`: when the seat is to act again the worker does so at once, and nobody else is asked. Should it not,
        the session is due all the same, and the sweeper asks.
        """
        key = session_id, seat
        self._in_hand[key] = goes_on
        try:
            yield
        finally:
            self._in_hand.pop(key, None)

    def committed(self, state: State, before: State | None, _updates: Sequence[PackedUpdate]) -> None:
        """Ask the computer players whose turn a commit has begun, and stop asking those whose turn it has ended."""
        if not _wants_any(state) and (before is None or not _wants_any(before)):
            return
        wanted = wanted_seats(state)
        gone = () if before is None else [seat for seat in wanted_seats(before) if seat not in wanted]
        if not wanted and not gone:
            return
        since = 0 if before is None else before.version
        wants = self._wants.of(state, waiting_for(state, is_watched=self._is_watched(state.id)))
        new = [one for one in wants if one.version > since and not self._in_hand.get((state.id, one.seat))]
        withdrawals = [
            ai_pb2.Withdrawal(session_id=state.id, seat=seat, version=before.seats[seat].wanted_version)
            for seat in gone
            if before is not None and (state.id, seat) not in self._in_hand
        ]
        self._want_reporter.note(state.id, state.version, wants, new, withdrawals)

    def again(self, state: State, waiting: ai_pb2.Waiting.ValueType, *, pause_until_ms: int = 0) -> tuple[ai_pb2.Want, ...]:
        """Note again all that a session wants, and return it; once it is noted the session is due again at `pause_until_ms`."""
        wants = self._wants.of(state, waiting)
        self._want_reporter.note(state.id, state.version, wants, wants, pause_until_ms=pause_until_ms)
        return wants


def _wants_any(state: State) -> bool:
    """Return whether a computer player may be asked; every commit comes here, and most are of tables without."""
    for seat in state.seats:  # noqa: SIM110 - with `any` it takes three times as long
        if seat.wanted_version:
            return True
    return False
