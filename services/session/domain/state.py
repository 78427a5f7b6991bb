"""A session at one version. Immutable; messages inside are never changed once they are in."""

import hashlib
import hmac
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import games_pb2, record_pb2, rest_hours_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.value_codec import ValueCodec
from services.session.domain.bounds import MAX_STATE_EVERY, STATE_EVERY
from services.session.domain.storage_format import check_state

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:
    T = TypeVar("T")

    def replace(value: T, **changes: Any) -> T:
        """Return a copy of a frozen dataclass (without slots and its own __init__ and __post_init__) with some fields changed.

        It does this at a tenth of the cost of dataclasses.replace, which would set each field one by one; every action in a
        session makes half a dozen states. Type checkers see dataclasses.replace, so they find a wrong name or type. Raises
        TypeError for an unknown field.
        """
        former = value.__dict__
        fields = {**former, **changes}
        if len(fields) != len(former):
            raise TypeError(f"{type(value).__name__} has no such field: {sorted(changes)}")
        made: T = object.__new__(type(value))
        object.__setattr__(made, "__dict__", fields)
        return made


BYTES_EACH = 400
"""Bytes of a large state for each version without a stored one."""


Status: TypeAlias = sessions_pb2.Session.State.ValueType
WAITING = sessions_pb2.Session.STATE_WAITING
RUNNING = sessions_pb2.Session.STATE_RUNNING
PAUSED = sessions_pb2.Session.STATE_PAUSED
FINISHED = sessions_pb2.Session.STATE_FINISHED
CLOSED = sessions_pb2.Session.STATE_CLOSED
SETTLING = sessions_pb2.Session.STATE_SETTLING


@dataclass(frozen=True)
class Seat:
    """A seat: who sits there, whom it is kept for, its seed contribution and clock, and since when its computer is asked."""

    occupant: record_pb2.Occupant | None = None
    kept_for: str = ""
    seed_contribution: bytes = b""
    left_ms: int = 0
    wanted_version: int = 0
    wanted_at_ms: int = 0
    wished: int = 0
    """The seat that its player would like to have when the game begins, plus one; 0 for none."""
    vacation_until_ms: int = 0
    """Until when it is on vacation, in milliseconds since 1970, possibly in the past; 0 for none."""
    vacation_taken_ms: int = 0
    """How much vacation it has taken in the game, including all of one that is under way."""
    hints: int = 0
    """For how many positions its player has had a hint while other people were playing."""
    hinted_version: int = 0
    """The version of the last of them, as the seat counts."""
    token_hash: bytes = b""
    """Not from the log: the hash of the seat's one valid token; empty if there is none."""
    token_sign_out: int = 0
    """Not from the log: the last sign-out of its player that was known when the token was given."""
    rest_hours: rest_hours_pb2.RestHours | None = None
    """Not from the log: the hours in which its player rests; None if they have set none."""
    rest_hours_set_ms: int = 0
    """When they were set, in milliseconds since 1970; 0 for never."""
    deadline_ms: int = 0
    """Where rest hours do not count: when its running clock runs out, in milliseconds since 1970; 0 otherwise."""
    vacation_automatic: bool = False
    """Whether its last vacation began by itself, and ends with its next action."""
    nudged: bool = False
    """Whether its player has been reminded in this turn that others wait."""
    since_plies: int = 0
    """If its player is a substitute: how many plies had been played when they sat down."""
    unknown: bytes = b""
    """Fields of a newer release, as read (storage_format.py)."""

    @property
    def player_id(self) -> str:
        """The player who sits there; empty if no person does."""
        return "" if self.occupant is None else self.occupant.person.player_id  # that of a computer is empty

    @property
    def name(self) -> str:
        """The name of the person who sits there; empty if no person does."""
        return "" if self.occupant is None else self.occupant.person.name

    @property
    def is_person(self) -> bool:
        """Whether a person sits there."""
        return self.occupant is not None and self.occupant.WhichOneof("kind") == "person"

    @property
    def is_computer(self) -> bool:
        """Whether a computer player sits there."""
        return self.occupant is not None and self.occupant.WhichOneof("kind") == "computer"


@dataclass(frozen=True)
class Offer:
    """A seat that is offered to substitutes, since its player is gone (substitutes.py)."""

    seat: int
    player_id: str
    """The player who is gone."""
    claimed: bool
    """Whether another player has claimed that their time is up."""
    since_ms: int
    at_once_ms: int
    """From when on nobody has to agree, in milliseconds since 1970."""
    asker: record_pb2.Person | None = None
    """The player who asks for it; None for nobody."""
    waiting: tuple[int, ...] = ()
    """The seats of the people who may still refuse."""
    until_ms: int = 0
    """Until when they may, in milliseconds since 1970; 0 if nobody asks for it."""
    asked: tuple[str, ...] = ()
    """Those who have asked for it so far."""
    refused: bool = False
    """Whether the last of them was refused."""
    unknown: bytes = b""
    """Fields of a newer release, as read (storage_format.py)."""


class Unperceived(NamedTuple):
    """A version that some audiences (as bits) did not perceive, and the one at which the position had changed before it.

    `former_ms` is when the version before it was made; 0 in states that were stored before that was kept.
    """

    version: int
    audiences: int
    position_version: int
    former_ms: int = 0


@dataclass(frozen=True)
class State:
    """A session. Everything except its secrets and the seats' token hashes is made from the log by `fold`."""

    id: str
    created: record_pb2.Created
    """The entry that created it, with what has been settled since; `variation` and `start_position` only until the start."""
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
    """For each of those, the audiences that perceived nothing of it, one byte each; bytes missing at the end are 0."""
    unperceived: tuple[Unperceived, ...] = ()
    """The versions of which some audience perceived nothing, in order (perception.py)."""
    to_act: tuple[int, ...] = ()
    outcome: games_pb2.Outcome | None = None
    rematch_id: str = ""
    announced_computers: int = 0
    """Which seats computers play according to the last system action that informed the game, plus one; 0 before the first."""
    former_options: tuple[session_state_pb2.FormerOptions, ...] = ()
    """The options before each of their changes that was played and not taken back."""
    draw_votes: games_pb2.DrawVotes | None = None
    """How the seats would answer a draw proposal now, if the rules determine that."""
    min_reader: int = 0
    """The lowest format that a release must know to write or show the session (storage_format.py)."""
    unknown: bytes = b""
    """Fields of a newer release, as read (storage_format.py)."""
    former_secret: bytes = b""
    """The secret until chance was renewed; empty if it was not."""
    created_from: bytes = b""
    """Not from the log: a keyed hash of the network address that it was created from; empty if unknown."""
    next_secret: bytes = b""
    """The secret for a renewal of chance; empty if that is impossible, or has happened."""
    withheld: tuple[int, ...] = ()
    """The versions of the last actions that spectators do not see yet, in order (perception.py)."""
    help_agreed: bool = False
    """Whether the people who play have agreed to help from the computer (fair_play.py)."""
    offers: tuple[Offer, ...] = ()
    """The seats that are offered to substitutes (substitutes.py)."""
    gone: tuple[str, ...] = ()
    """The players whose seats have been offered."""
    halt: record_pb2.ArbiterActed | None = None
    """The ruling by which an arbiter has stopped the game; None if none has (arbitration.py)."""
    verdict: record_pb2.ArbiterActed | None = None
    """The last ruling that decides the game for a seat or for all; None for none, or if the game went on after it."""
    forfeits: tuple[int, ...] = ()
    """The seats that have still to forfeit by it, in that order."""

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
        """Whether it is finished or closed, so that its secret may be published."""
        return self.status in (FINISHED, CLOSED)

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun, or never will; until then seats can be open."""
        return self.status not in (WAITING, SETTLING)

    @property
    def chance_id(self) -> str:
        """The session id that goes into step seeds."""
        return self.id if self.is_renewed else self.created.chance_of or self.id

    @property
    def is_renewed(self) -> bool:
        """Whether chance was renewed, so that those who brought a saved game do not know its secret."""
        return bool(self.former_secret)

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        """The secret that the session began with, and the one after a renewal of chance, past or future; empty if none."""
        return (self.former_secret, self.secret) if self.is_renewed else (self.secret, self.next_secret)

    @property
    def players(self) -> frozenset[str]:
        """The players who sit there."""
        return frozenset([seat.player_id for seat in self.seats]) - {""}

    @property
    def seed_contributions(self) -> tuple[bytes, ...]:
        """The seats' seed contributions, in seat order."""
        return tuple([seat.seed_contribution for seat in self.seats])

    @property
    def computers(self) -> int:
        """Which seats computers play: a bit (1 << seat) for each."""
        found = 0
        for number, seat in enumerate(self.seats):
            if seat.is_computer:
                found |= 1 << number
        return found

    @property
    def ruling(self) -> record_pb2.ArbiterActed | None:
        """The arbiter's ruling that holds: the one that has decided a game that is over, or has stopped one that is not."""
        return self.verdict if self.is_over else self.halt

    def arbiter(self, player: str) -> record_pb2.Person | None:
        """Return a player as an arbiter of the table; None if they are none."""
        return next((one for one in self.created.arbiters if one.player_id == player), None) if player else None

    def is_out(self, seat: int) -> bool:
        """Return whether a seat is out of the game, as far as its rules say."""
        return self.draw_votes is not None and bool(self.draw_votes.silent >> seat & 1)

    def persons(self, *, but: int = -1) -> tuple[int, ...]:
        """Return the seats that people hold, without the seat `but`."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.is_person and n != but)

    def others(self, seat: int) -> list[int]:
        """Return the seats held by other people than the one in a seat, who may hold several."""
        own = self.seats[seat].player_id
        return [other for other in self.persons(but=seat) if own == "" or self.seats[other].player_id != own]

    def with_seat(self, number: int, seat: Seat) -> "State":
        """Return the state with one seat changed."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def with_token(self, number: int, token: str, sign_out: int) -> "State":
        """Return the state in which `token` is the seat's valid one, given after that sign-out of its player."""
        return self.with_seat(number, replace(self.seats[number], token_hash=hash_token(token), token_sign_out=sign_out))

    def without_void_tokens(self, sign_outs: Mapping[str, int]) -> "State":
        """Return the state without the tokens that players were given before their last sign-outs."""
        if not sign_outs:
            return self
        seats = tuple(
            replace(seat, token_hash=b"") if seat.token_hash and seat.token_sign_out < sign_outs.get(seat.player_id, 0) else seat
            for seat in self.seats
        )
        return self if all(map(operator.is_, seats, self.seats)) else replace(self, seats=seats)

    def seat_of_token(self, token: str) -> int | None:
        """Return the seat that the token is valid for, or None."""
        if not token:
            return None
        wanted, found = hash_token(token), None
        # All are compared, also after a match: the time that it takes must not tell which one it was.
        for number, seat in enumerate(self.seats):
            if seat.token_hash and hmac.compare_digest(wanted, seat.token_hash):
                found = number
        return found

    def seat_of_hash(self, token_hash: bytes) -> int | None:
        """Return the seat whose token has this hash; None for none, or an empty hash."""
        return next((number for number, seat in enumerate(self.seats) if token_hash and seat.token_hash == token_hash), None)

    def beside_log(self) -> session_state_pb2.StoredSecrets:
        """Return what the log does not contain about the session."""
        secrets = {name: getattr(self, name) for name in _SECRETS}
        hashes = [seat.token_hash for seat in self.seats]
        sign_outs = [seat.token_sign_out for seat in self.seats]
        rests = [seat.rest_hours or rest_hours_pb2.RestHours() for seat in self.seats]
        return session_state_pb2.StoredSecrets(
            version=self.version,
            token_hashes=hashes,
            token_sign_outs=sign_outs if any(sign_outs) else (),
            rest_hours=rests if any(hours.time_zone for hours in rests) else (),
            **secrets,
        )

    def with_beside_log(self, stored: session_state_pb2.StoredSecrets) -> "State":
        """Return the state with what the log does not contain, as of this version."""
        sign_outs = stored.token_sign_outs or [0] * len(self.seats)
        rests = stored.rest_hours or [rest_hours_pb2.RestHours()] * len(self.seats)
        seats = tuple(
            replace(seat, token_hash=token, token_sign_out=sign_out, rest_hours=hours if hours.time_zone else None)
            for seat, token, sign_out, hours in zip(self.seats, stored.token_hashes, sign_outs, rests, strict=True)
        )
        secrets: dict[str, Any] = {name: getattr(stored, name) for name in _SECRETS}
        return replace(self, seats=seats, **secrets)

    def encode(self) -> bytes:
        """Return the bytes that the store keeps."""
        return _STATES.message(self).SerializeToString(deterministic=True)

    @classmethod
    def decode(cls, data: bytes) -> "State":
        """Return the state of stored bytes. Raises Refused (UNAVAILABLE, newer) if only a newer release understands it."""
        stored = session_state_pb2.StoredState.FromString(data)
        check_state(stored)
        return _STATES.value(stored)


_OF_SEATS = {"token_hashes", "token_sign_outs", "rest_hours"}
_SECRETS = {*session_state_pb2.StoredSecrets.DESCRIPTOR.fields_by_name} - {"version"} - _OF_SEATS
"""The parts of a state that the log does not contain, apart from those of its seats."""
_STATES = ValueCodec(
    State,
    session_state_pb2.StoredState,
    seats=ValueCodec(Seat, session_state_pb2.StoredSeat),
    unperceived=ValueCodec(Unperceived, session_state_pb2.Unperceived),
    offers=ValueCodec(Offer, session_state_pb2.StoredOffer),
)


def hash_token(token: str) -> bytes:
    """Return what is kept of a seat token. It is random, so a plain SHA-256 is enough."""
    return hashlib.sha256(token.encode()).digest()


def snapshot_interval(state: State) -> int:
    """Return after how many versions a state is stored beside the log, so that readers replay little.

    Large ones are stored less often, or they would be most of what is written.
    """
    size = 0 if state.position is None else len(state.position.value)
    return min(MAX_STATE_EVERY, max(STATE_EVERY, size // BYTES_EACH))
