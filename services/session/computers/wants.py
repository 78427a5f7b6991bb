"""Which moves of computers a session wants, as the AI service is told: whose they are, for whom, and who waits for them.

Whom a want counts for travels as marks, which nobody can trace back to players or addresses without the key.
"""

import hashlib
import hmac
from collections.abc import Sequence

from brettwerk.internal.v1 import ai_pb2
from services.runtime.bots import is_bot
from services.session.domain import ids
from services.session.domain.state import RUNNING, State

PERSON = ai_pb2.WAITING_PERSON
WATCHER = ai_pb2.WAITING_WATCHER
NOBODY = ai_pb2.WAITING_NOBODY
_MARK_BYTES = 16


class Wants:
    """Makes wants."""

    def __init__(self, mark_key: bytes, ticket_key: bytes) -> None:
        """`mark_key` makes the marks of players, `ticket_key` the tickets with which workers come back."""
        self._mark_key = mark_key
        self._ticket_key = ticket_key

    def ticket(self, session_id: str, seat: int, version: int) -> bytes:
        """Return what proves that a worker was asked for a seat at a version."""
        return ids.ticket(self._ticket_key, session_id, seat, version)

    def is_good(self, ticket: bytes, session_id: str, seat: int, version: int) -> bool:
        """Return whether a ticket is the one for a seat at a version."""
        return hmac.compare_digest(ticket, self.ticket(session_id, seat, version))

    def of(self, state: State, waiting: ai_pb2.Waiting.ValueType) -> tuple[ai_pb2.Want, ...]:
        """Return all that a session wants now."""
        seats = wanted_seats(state)
        if not seats:
            return ()
        player = self._player(state)
        return tuple(
            ai_pb2.Want(
                session_id=state.id,
                seat=number,
                version=state.seats[number].wanted_version,
                game=state.game,
                computer=occupant.computer,
                since_ms=state.seats[number].wanted_at_ms,
                waiting=waiting,
                player=player,
                address=state.created_from,
                ticket=self.ticket(state.id, number, state.seats[number].wanted_version),
            )
            for number in seats
            if (occupant := state.seats[number].occupant) is not None
        )

    def _player(self, state: State) -> bytes:
        """Return the mark of the persons at the table together; of who created it, where there are none."""
        players = sorted({seat.player_id for seat in state.seats if seat.is_person}) or [state.created.creator.player_id]
        return hmac.new(self._mark_key, "\n".join(players).encode(), hashlib.sha256).digest()[:_MARK_BYTES]


def wanted_seats(state: State) -> Sequence[int]:
    """Return the seats whose computers are to act now."""
    if state.status != RUNNING:
        return ()
    return [number for number, seat in enumerate(state.seats) if seat.wanted_version and seat.is_computer]


def waiting_for(state: State, *, is_watched: bool) -> ai_pb2.Waiting.ValueType:
    """Return who waits for the computers of a session, when its persons may be there. A bot does not mind waiting for people."""
    players = [state.seats[seat].player_id for seat in state.persons()]
    if any(not is_bot(player) for player in players):
        return PERSON
    return WATCHER if players or is_watched else NOBODY
