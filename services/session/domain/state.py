"""A session at one version. Immutable; messages inside are never changed after they went in."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2, session_state_pb2, sessions_pb2
from services.session.domain.newer import check_state
from services.session.domain.replacing import replace
from services.session.domain.stored import Stored

Status: TypeAlias = sessions_pb2.Session.State.ValueType
WAITING = sessions_pb2.Session.STATE_WAITING
RUNNING = sessions_pb2.Session.STATE_RUNNING
PAUSED = sessions_pb2.Session.STATE_PAUSED
FINISHED = sessions_pb2.Session.STATE_FINISHED
CLOSED = sessions_pb2.Session.STATE_CLOSED
SETTLING = sessions_pb2.Session.STATE_SETTLING


@dataclass(frozen=True)
class Seat:
    """A seat: who sits there and whom it is kept for, its seed contribution, its clock, and since when its computer is asked."""

    occupant: record_pb2.Occupant | None = None
    kept_for: str = ""
    seed_contribution: bytes = b""
    left_ms: int = 0
    wanted_version: int = 0
    wanted_at_ms: int = 0
    wished: int = 0
    """The seat plus one that its person would like to have when the game begins; 0 for none."""
    vacation_until_ms: int = 0
    """Until when it is on vacation, in milliseconds since 1970; 0 for never, and it may have passed."""
    vacation_taken_ms: int = 0
    """How much vacation it has taken in the game, all of the one that goes on included."""
    hints: int = 0
    """About how many positions its player has had a hint while other people played."""
    hinted_version: int = 0
    """The last of them: its version, as the seat counts."""
    token_hash: bytes = b""
    """Not from the log: the hash of the one token that is good for the seat; empty when there is none."""
    unknown: bytes = b""
    """Fields of a newer release, as they were read (newer.py)."""

    @property
    def player_id(self) -> str:
        """The player who sits there; empty when no person does."""
        return "" if self.occupant is None else self.occupant.person.player_id  # that of a computer is empty

    @property
    def name(self) -> str:
        """What the person who sits there is called; empty when no person does."""
        return "" if self.occupant is None else self.occupant.person.name

    @property
    def is_person(self) -> bool:
        """Whether a person sits there."""
        return self.occupant is not None and self.occupant.WhichOneof("kind") == "person"

    @property
    def is_computer(self) -> bool:
        """Whether a computer player sits there."""
        return self.occupant is not None and self.occupant.WhichOneof("kind") == "computer"


class Unperceived(NamedTuple):
    """A version of which some audiences (as bits) perceived nothing, and the one at which the position had changed before it.

    `former_ms` is when the version before it was made; 0 in states that were stored before that was kept.
    """

    version: int
    audiences: int
    position_version: int
    former_ms: int = 0


@dataclass(frozen=True)
class State:
    """A session. All but its secrets and the seats' token hashes is made of the log by `fold`."""

    id: str
    created: record_pb2.Created
    """The entry that created it, with what was settled since; `variation` and `start_position` are in it until the start only."""
    secret: bytes
    seats: tuple[Seat, ...]
    created_at_ms: int
    at_ms: int
    version: int
    position_version: int
    status: Status
    options: AnyMessage | None
    clock_since_ms: int = 0
    expiries: int = 0
    proposals: tuple[record_pb2.Proposal, ...] = ()
    agreed: record_pb2.Proposal | None = None
    proposals_made: int = 0
    position: AnyMessage | None = None
    plies: bytes = b""
    """Two bytes for each ply that was played and not taken back (plies.py)."""
    unaware: bytes = b""
    """For each of those the audiences that perceived nothing of it, one byte each; what is missing at the end is 0."""
    unperceived: tuple[Unperceived, ...] = ()
    """The versions of which some audience perceived nothing, in order (perceiving.py)."""
    to_act: tuple[int, ...] = ()
    outcome: games_pb2.Outcome | None = None
    rematch_id: str = ""
    announced_computers: int = 0
    """Which seats the game was told that computers play, as a system action tells it, plus one; 0 before it was told."""
    former_options: tuple[session_state_pb2.FormerOptions, ...] = ()
    """The options before each change of them that was played and not taken back."""
    draw_votes: games_pb2.DrawVotes | None = None
    """What the seats would say to a draw now, where the rules say something of it."""
    min_reader: int = 0
    """The lowest format that a release must know to write the session or to show it (newer.py)."""
    unknown: bytes = b""
    """Fields of a newer release, as they were read (newer.py)."""
    former_secret: bytes = b""
    """The secret until chance was renewed; empty where it was not."""
    created_from: bytes = b""
    """Not from the log: a keyed hash of the network address that it was created from; empty where that is not known."""
    next_secret: bytes = b""
    """The secret for when chance is renewed; empty where it cannot be, or has been."""
    help_agreed: bool = False
    """Whether the people who play have agreed to help from the computer (fair_help.py)."""

    @property
    def game(self) -> str:
        """The game."""
        return self.created.game

    @property
    def ply_count(self) -> int:
        """How many plies have been played and not taken back."""
        return len(self.plies) // 2

    @property
    def is_over(self) -> bool:
        """Whether it is finished or closed, so that its secret may be known."""
        return self.status in (FINISHED, CLOSED)

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun, or will never; until then seats can be open."""
        return self.status not in (WAITING, SETTLING)

    @property
    def chance_id(self) -> str:
        """The session id that step seeds are made with."""
        return self.id if self.is_renewed else self.created.chance_of or self.id

    @property
    def is_renewed(self) -> bool:
        """Whether chance was renewed, so that nobody knows its secret who brought a saved game along."""
        return bool(self.former_secret)

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        """The secret that the session began with, and the one after chance was or is renewed; empty where it never is."""
        return (self.former_secret, self.secret) if self.is_renewed else (self.secret, self.next_secret)

    @property
    def seed_contributions(self) -> tuple[bytes, ...]:
        """The seats' seed contributions, in seat order."""
        return tuple(seat.seed_contribution for seat in self.seats)

    @property
    def computers(self) -> int:
        """Which seats computers play: a bit (1 << seat) for each."""
        found = 0
        for number, seat in enumerate(self.seats):
            if seat.is_computer:
                found |= 1 << number
        return found

    def persons(self, *, but: int = -1) -> tuple[int, ...]:
        """Return the seats that persons hold, without the seat `but`."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.is_person and n != but)

    def others(self, seat: int) -> list[int]:
        """Return the seats that other people hold than the one at a seat, who may hold several."""
        own = self.seats[seat].player_id
        return [other for other in self.persons(but=seat) if own == "" or self.seats[other].player_id != own]

    def with_seat(self, number: int, seat: Seat) -> "State":
        """Return the state with one seat changed."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def with_token(self, number: int, token: str) -> "State":
        """Return the state in which `token` is the one that proves that somebody holds the seat."""
        return self.with_seat(number, replace(self.seats[number], token_hash=hash_token(token)))

    def seat_of_token(self, token: str) -> int | None:
        """Return the seat that the token is good for, or None."""
        if not token:
            return None
        wanted, found = hash_token(token), None
        for number, seat in enumerate(self.seats):
            if seat.token_hash and hmac.compare_digest(wanted, seat.token_hash):
                found = number
        return found

    def seat_of_hash(self, token_hash: bytes) -> int | None:
        """Return the seat whose token has this hash; None for none, or an empty hash."""
        return next((number for number, seat in enumerate(self.seats) if token_hash and seat.token_hash == token_hash), None)

    def beside_log(self) -> session_state_pb2.StoredSecrets:
        """Return what the log does not know of the session."""
        secrets = {name: getattr(self, name) for name in _SECRETS}
        hashes = [seat.token_hash for seat in self.seats]
        return session_state_pb2.StoredSecrets(version=self.version, token_hashes=hashes, **secrets)

    def with_beside_log(self, stored: session_state_pb2.StoredSecrets) -> "State":
        """Return the state with what the log does not know, as it was after this version."""
        seats = tuple(replace(seat, token_hash=token) for seat, token in zip(self.seats, stored.token_hashes, strict=True))
        secrets: dict[str, Any] = {name: getattr(stored, name) for name in _SECRETS}
        return replace(self, seats=seats, **secrets)

    def encode(self) -> bytes:
        """Return the bytes that the store keeps."""
        return _STATES.message(self).SerializeToString(deterministic=True)

    @classmethod
    def decode(cls, data: bytes) -> "State":
        """Return the state of stored bytes. Raises Refused (UNAVAILABLE, newer) when only a newer release understands it."""
        stored = session_state_pb2.StoredState.FromString(data)
        check_state(stored)
        return _STATES.value(stored)


_SECRETS = {*session_state_pb2.StoredSecrets.DESCRIPTOR.fields_by_name} - {"version", "token_hashes"}
"""What of a state the log does not know, besides the seats' tokens."""
_STATES = Stored(
    State,
    session_state_pb2.StoredState,
    seats=Stored(Seat, session_state_pb2.StoredSeat),
    unperceived=Stored(Unperceived, session_state_pb2.Unperceived),
)


def hash_token(token: str) -> bytes:
    """Return what is kept of a seat token. It is random, so a plain SHA-256 is enough."""
    return hashlib.sha256(token.encode()).digest()
