"""Refusals as exceptions, one class for each reason of the contract's catalogue (brettwerk/v1/errors.proto).

A server that is newer than this package may have more reasons: those are raised as `Refused` itself, whose `code` says enough.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import status_pb2

from brettwerk.v1 import errors_pb2

_DETAILS = "grpc-status-details-bin"


class Refused(Exception):
    """A call was refused, or a watch ended; `refusal` is all that the server says of it."""

    reason_of_class: ClassVar[errors_pb2.Reason.ValueType] = errors_pb2.REASON_UNSPECIFIED

    def __init_subclass__(cls, reason: errors_pb2.Reason.ValueType | None = None) -> None:
        """Make a class that of a reason; without one it is that of the class above it."""
        super().__init_subclass__()
        if reason is not None:
            cls.reason_of_class = reason

    def __init__(self, refusal: errors_pb2.Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal

    def __str__(self) -> str:
        place = f" ({self.refusal.rule or self.refusal.field})" if self.refusal.rule or self.refusal.field else ""
        return f"{self.refusal.message}{place}"

    @property
    def reason(self) -> errors_pb2.Reason.ValueType:
        """The reason, from the catalogue."""
        return self.refusal.reason

    @property
    def code(self) -> int:
        """The canonical gRPC code, as a number."""
        return self.refusal.code

    @property
    def is_passing(self) -> bool:
        """Whether the same request, sent again a little later, may be carried out (docs/protocol.md)."""
        match self.reason:
            case errors_pb2.REASON_UNAVAILABLE | errors_pb2.REASON_DEADLINE:
                return True
            case errors_pb2.REASON_TOO_MANY_REQUESTS:
                return self.refusal.details.get("limit") != "guesses"  # a person waits for the answer to a guess
            case errors_pb2.REASON_FULL:
                return self.refusal.retry_after_ms > 0
        return False


# Made by python -m scripts.refusal_catalogue: from here


class Malformed(Refused, reason=errors_pb2.REASON_MALFORMED):
    """A field is missing, too long, out of range or cannot be read; `field` is its path."""


class Illegal(Refused, reason=errors_pb2.REASON_ILLEGAL):
    """The rules forbid it in this position; `rule` names the rule."""


class Ambiguous(Refused, reason=errors_pb2.REASON_AMBIGUOUS):
    """The notation fits more than one action."""


class NotYourTurn(Refused, reason=errors_pb2.REASON_NOT_YOUR_TURN):
    """Another seat is to act."""


class GameOver(Refused, reason=errors_pb2.REASON_GAME_OVER):
    """The game is over."""


class NotRunning(Refused, reason=errors_pb2.REASON_NOT_RUNNING):
    """The session has not started or is paused."""


class StaleVersion(Refused, reason=errors_pb2.REASON_STALE_VERSION):
    """The position changed since the version that the request was made for; `head_version` is the newest."""


class NoToken(Refused, reason=errors_pb2.REASON_NO_TOKEN):
    """There is no token, or it was not issued here, or it has expired."""


class NotYourSeat(Refused, reason=errors_pb2.REASON_NOT_YOUR_SEAT):
    """The token is valid, but not for this seat or session."""


class Unknown(Refused, reason=errors_pb2.REASON_UNKNOWN):
    """There is no such session, game, level, seat, version or save.

    `what` in the details names the kind, `field` where it was named, `value` how, and `known` lists what there is, unless that is
    somebody's own.
    """


class TooManyRequests(Refused, reason=errors_pb2.REASON_TOO_MANY_REQUESTS):
    """Too many requests; wait `retry_after_ms`."""


class Full(Refused, reason=errors_pb2.REASON_FULL):
    """A bound of the session or the server is reached: seats, sessions, proposals, log, streams."""


class Competitive(Refused, reason=errors_pb2.REASON_COMPETITIVE):
    """Competitive sessions do not allow it."""


class NothingToUndo(Refused, reason=errors_pb2.REASON_NOTHING_TO_UNDO):
    """There is nothing that this seat may take back."""


class SeatTaken(Refused, reason=errors_pb2.REASON_SEAT_TAKEN):
    """The seat is held by somebody else."""


class ProposalStands(Refused, reason=errors_pb2.REASON_PROPOSAL):
    """The same kind of proposal is already open, none is open, or one is waiting for this seat's answer."""


class RequestIdReused(Refused, reason=errors_pb2.REASON_REQUEST_ID_REUSED):
    """The same request id was used for another request."""


class RecordDamaged(Refused, reason=errors_pb2.REASON_RECORD_DAMAGED):
    """The save file or record is damaged or was not written by this server."""


class Unavailable(Refused, reason=errors_pb2.REASON_UNAVAILABLE):
    """A service cannot be reached at the moment; try again."""


class Deadline(Refused, reason=errors_pb2.REASON_DEADLINE):
    """The answer took longer than the caller's deadline."""


class Internal(Refused, reason=errors_pb2.REASON_INTERNAL):
    """A fault of the server; `trace_id` finds it in the logs."""


class NoSuchMethod(Refused, reason=errors_pb2.REASON_NO_SUCH_METHOD):
    """The method is not one of this service."""


class StillRunning(Refused, reason=errors_pb2.REASON_STILL_RUNNING):
    """It is available only once the game is over."""


class NotSettling(Refused, reason=errors_pb2.REASON_NOT_SETTLING):
    """It is possible only while a table settles before the start, and this one is not settling now."""


class TalkOff(Refused, reason=errors_pb2.REASON_TALK_OFF):
    """The operator has switched talk off."""


class WordNotAllowed(Refused, reason=errors_pb2.REASON_WORD_NOT_ALLOWED):
    """The text contains a word that the operator does not allow, named by `word` in the details."""


class TournamentRefused(Refused, reason=errors_pb2.REASON_TOURNAMENT):
    """The tournament's state does not allow it, or it is not the caller's; `tournament` in the details says which."""


class NoVacation(Refused, reason=errors_pb2.REASON_NO_VACATION):
    """The seat has too little vacation left, or none; `left_ms` in the details is how much, in milliseconds."""


class ConditionalMovesRefused(Refused, reason=errors_pb2.REASON_CONDITIONAL_MOVES):
    """There can be no such conditional moves.

    Details say why as `conditional`, and where, as `line` and `move`, if it is about one.
    """


class NoHelp(Refused, reason=errors_pb2.REASON_NO_HELP):
    """Other people are playing, and they have not agreed to help from the computer."""


class NoScope(Refused, reason=errors_pb2.REASON_NO_SCOPE):
    """The API token lacks the scope that the call needs.

    `scope` in the details names it; it is empty if no API token can make the call.
    """


class NoAccount(Refused, reason=errors_pb2.REASON_NO_ACCOUNT):
    """Only players with an account can do it, not guests."""


class BotsCannot(Refused, reason=errors_pb2.REASON_BOT):
    """Bots cannot do it."""


class ProofNeeded(Refused, reason=errors_pb2.REASON_PROOF_NEEDED):
    """It needs a fresh proof of who is calling.

    `ways` in the details lists those that the caller can give (password, passkey, phrase), `proof` says whether it is missing or
    wrong.
    """


class Blocked(Refused, reason=errors_pb2.REASON_BLOCKED):
    """One of the two has blocked the other: they are not brought to a table together, and do not write to each other."""


class Newer(Refused, reason=errors_pb2.REASON_NEWER):
    """A newer release has written the record, and trying again does not help.

    `what` in the details names what is not known here (format, rules_version, entry), `value` how the record has it, and `known`
    lists what is known.
    """


class NameReserved(Refused, reason=errors_pb2.REASON_NAME_RESERVED):
    """Nobody may call themselves or a bot so, since the server or one of its computer players is called so.

    `name` in the details.
    """


class RestHours(Refused, reason=errors_pb2.REASON_REST_HOURS):
    """There can be no such rest hours.

    `rest_hours` in the details says why: `table` where all hours count, `week` where they were set less than seven days ago.
    """


class Nudge(Refused, reason=errors_pb2.REASON_NUDGE):
    """Nobody can be reminded now.

    `nudge` in the details says why: `clock` in fast games, `nobody` where nobody else is to act who is there and has not been
    reminded in this turn, `early` where something has happened in the last six hours.
    """


class Claim(Refused, reason=errors_pb2.REASON_CLAIM):
    """There is no time to claim.

    `claim` in the details says why: `clock` at tables without claims, `seat` where that is no other player's seat to act, `left`
    where it has time left, `substitutes` where its seat cannot be offered.
    """


class ClubRefused(Refused, reason=errors_pb2.REASON_CLUB):
    """The caller's role in the club does not allow it; `club` in the details says what is missing."""


class Substitute(Refused, reason=errors_pb2.REASON_SUBSTITUTE):
    """There can be no such substitute.

    `substitute` in the details says why: `offer` where the seat is not offered, `own` where the caller plays there or has played,
    `again` where they have asked before, `busy` while somebody else asks for it, `answer` where the seat is not asked or has
    answered, `late` where the time for that is over.
    """


class Viewing(Refused, reason=errors_pb2.REASON_VIEWING):
    """The caller may not do that in the viewing.

    `viewing` in the details says whose it is: `presenter`, or `drawer` for those whom the presenter lets draw.
    """


class LeftGames(Refused, reason=errors_pb2.REASON_LEFT_GAMES):
    """The caller has left too many games. Those who look for an opponent or enter a running arena pause then.

    `left` in the details is how many of their last ten it were, `until_ms` when the pause ends, in milliseconds since 1970, and
    `retry_after_ms` how long that is. At a table for players who finish their games, `reliability` in the details is how much of
    them the caller finishes, and `least` how much that is to be, both in percent.
    """


class OrdersRefused(Refused, reason=errors_pb2.REASON_ORDERS):
    """There can be no orders; `orders` in the details says why: `clock` in fast games."""


class Arbiter(Refused, reason=errors_pb2.REASON_ARBITER):
    """That is not for this arbiter, or not possible now.

    `arbiter` in the details says why: `not_arbiter` for others, `seat` where an arbiter would play, `begun` once the game has
    begun, `paused` where an arbiter has stopped the game, `state` where that is so already, `clock` where that seat cannot be
    given that much time, `out` where that seat is out of the game already.
    """


class Restricted(Refused, reason=errors_pb2.REASON_RESTRICTED):
    """A moderator has restricted the account.

    `restriction` in the details says what is not possible (`account`: to sign in and play; `talk`), `until_ms` until when, in
    milliseconds since 1970 (0 for good), `why` the reason, and `appeal` where to object, if the operator says so.
    """


# to here.

_CLASSES: Mapping[int, type[Refused]] = {each.reason_of_class: each for each in Refused.__subclasses__()}

_REASONS: Mapping[grpc.StatusCode, errors_pb2.Reason.ValueType] = {
    grpc.StatusCode.DEADLINE_EXCEEDED: errors_pb2.REASON_DEADLINE,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors_pb2.REASON_FULL,
    grpc.StatusCode.UNAUTHENTICATED: errors_pb2.REASON_NO_TOKEN,
    grpc.StatusCode.UNIMPLEMENTED: errors_pb2.REASON_NO_SUCH_METHOD,
    grpc.StatusCode.INVALID_ARGUMENT: errors_pb2.REASON_MALFORMED,
    grpc.StatusCode.UNAVAILABLE: errors_pb2.REASON_UNAVAILABLE,
    # gRPC says these of calls whose connection broke or whose server closed: what became of them is not known.
    grpc.StatusCode.CANCELLED: errors_pb2.REASON_UNAVAILABLE,
    grpc.StatusCode.UNKNOWN: errors_pb2.REASON_UNAVAILABLE,
    grpc.StatusCode.INTERNAL: errors_pb2.REASON_UNAVAILABLE,
}
"""The reasons assumed for statuses that bring no refusal, since no part of Brettwerk has made them."""


class _Failed(Protocol):
    def code(self) -> grpc.StatusCode: ...

    def details(self) -> str | None: ...

    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None: ...


def refused(refusal: errors_pb2.Refusal) -> Refused:
    """Return the exception for a refusal."""
    return _CLASSES.get(refusal.reason, Refused)(refusal)


def of_call(error: grpc.RpcError) -> Refused:
    """Return the exception for a call that failed."""
    failed = cast(_Failed, error)  # what grpc raises is that, too, which its types do not say
    for key, value in failed.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            found = _refusal_in(value)
            if found is not None:
                return refused(found)
    code = failed.code()
    reason = _REASONS.get(code, errors_pb2.REASON_INTERNAL)
    number = int(code.value[0])
    return refused(errors_pb2.Refusal(code=number, reason=reason, message=failed.details() or code.name))


def own(reason: errors_pb2.Reason.ValueType, status: grpc.StatusCode, message: str) -> Refused:
    """Return the exception for what no server has said."""
    return refused(errors_pb2.Refusal(code=int(status.value[0]), reason=reason, message=message))


def ended(message: str = "the watch has ended") -> Refused:
    """Return the exception for a watch whose stream ended without a reason."""
    return own(errors_pb2.REASON_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE, message)


def _refusal_in(details: bytes) -> errors_pb2.Refusal | None:
    refusal = errors_pb2.Refusal()
    try:
        status = status_pb2.Status.FromString(details)
        return refusal if any(detail.Unpack(refusal) for detail in status.details) else None
    except DecodeError:
        return None
