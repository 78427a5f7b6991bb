"""The methods of PlayService and the fields that carry them in a Call and an Answer, read from the contract itself.

A new RPC, or a new game's messages, need no code here.
"""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.descriptor import Descriptor, FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

import brettwerk.v1
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from brettwerk_games.packages.contract import contracts
from brettwerk_games.protobuf_wire.fields import tag
from services.runtime import channel
from services.runtime.refusal import Refused

# JSON spells out the contents of an Any, so all messages of all games must be known.
_own = [
    importlib.import_module(f"brettwerk.v1.{module.name}").DESCRIPTOR
    for module in pkgutil.iter_modules(brettwerk.v1.__path__)
    if module.name.endswith("_pb2")
]
PUBLIC_FILES: Sequence[FileDescriptor] = (
    *_own,
    *contracts().files,
)
"""The clients' contract: the contract without what the services tell each other, and the contracts of installed games."""

SERVICE = "brettwerk.v1.PlayService"
"""The full name of the service."""

SMALL_BYTES = 32 * 1024
"""A request up to this size is read in the event loop, which takes 20 ms at worst; larger ones are read outside it."""
MESSAGE_BYTES = 256 * 1024
"""The largest request without a record: ten times the largest start position."""
RECORD_BYTES = channel.MESSAGE_BYTES - 64 * 1024
"""The largest request with a record, leaving room for what it is wrapped in on its way."""

_COSTLY = frozenset(
    {
        "CreatePlayer",
        "CreateSession",
        "Rematch",
        "GetHint",
        "ExportSession",
        "SaveSession",
        "ImportSession",
        "ForkSession",
        "VerifySession",
        "CheckRecord",
        "StartRun",
        "ReadText",
        "StartLink",
        "SetPhrase",
        "SetPassword",
        "StartPasskey",
        "AddPasskey",
        "RemovePasskey",
        "DeleteAccount",
        "FindLookalikes",
        "StartProviderSignIn",
        "SignIn",
        "ExportAccount",
        "ChallengePlayer",
        "AskForSeat",
        "NameArbiter",
        "RuleAsArbiter",
        "GetTableTalk",
        "NameTournamentArbiter",
        "CreateTournament",
        "StartTournament",
        "CorrectPairing",
        "GetRoundPlan",
        "SetPairings",
        "ForbidPairs",
        "BeginRound",
        "CreateSeries",
        "CreateClub",
        "ChallengeClub",
        "AnswerClubMatch",
        "ChangeClub",
        "ReportTalk",
        "FileReport",
        "ListConduct",
        "StartViewing",
        "SetConditionalMoves",
        "SetOrders",
        "AddPushDevice",
        "StartMail",
        "ConfirmMail",
        "UnsubscribeMail",
        "SendTest",
        "AddWebhook",
        "ChangeWebhook",
        "CreateApiToken",
        "CreateBot",
        "ChangeEndgameTables",
    }
)


_IN_TURN = frozenset(
    {
        "GetGame",
        "ListSessions",
        "ListOpenSeats",
        "CreateSession",
        "Rematch",
        "ForkSession",
        "ImportSession",
        "ExportSession",
        "SaveSession",
        "CheckStart",
        "ListUpdates",
        "SearchGames",
        "LookAhead",
        "VerifySession",
        "GetStatistics",
    }
)


_TALK = frozenset({"Say", "SayInClub", "SayInViewing"})

_WAITING = frozenset({"GetHint", "FollowSeek"})

_OF_OPERATORS = frozenset({"GetOverview", "ListEndgameTables", "ChangeEndgameTables"})

_KEPT = frozenset({"ListGames", "GetGame", "GetPuzzle"})

_OF_PLAYERS = frozenset(
    {
        "accounts",
        "arena",
        "bots",
        "club_matches",
        "clubs",
        "moderation",
        "notifications",
        "opponents",
        "profiles",
        "puzzles",
        "series",
        "tournaments",
        "webhooks",
    }
)
"""Files of the contract whose requests are for the players service."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method with one request and one response."""

    name: str
    """Its name in the service: Act."""
    field: str
    """Its field in Call and Answer: act."""
    request: type[Message]
    """The class of its requests."""
    has_request_id: bool
    """Whether it is a write."""
    is_costly: bool
    """Whether it makes others compute or store much, and so has its own rate."""
    is_talk: bool
    """Whether others receive what it says, so that it has its own rate."""
    is_in_turn: bool
    """Whether only a few such calls of an address run at the same time: each is milliseconds of uninterrupted work."""
    is_waiting: bool
    """Whether it only waits for others, and can be abandoned. The work of all other calls must be charged for."""
    is_kept: bool
    """Whether browsers may keep its answers: they are the same for all strangers, and nothing in its requests is a secret."""
    is_for_players: bool
    """Whether the players service answers it."""
    is_for_operators: bool
    """Whether it needs the operator's key, or a player who is an operator."""
    max_bytes: int
    """The maximum size of its request."""
    tag: bytes
    """The bytes before its request, and before the request's length, in an encoded Call."""


def _method(method: MethodDescriptor) -> Method:
    field = next(f for f in play_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields if f.message_type is method.input_type)
    return Method(
        name=method.name,
        field=field.name,
        request=GetMessageClass(method.input_type),
        has_request_id="request_id" in method.input_type.fields_by_name,
        is_costly=method.name in _COSTLY,
        is_talk=method.name in _TALK,
        is_in_turn=method.name in _IN_TURN,
        is_waiting=method.name in _WAITING,
        is_kept=method.name in _KEPT,
        is_for_players=method.input_type.file.name.removeprefix("brettwerk/v1/").removesuffix(".proto") in _OF_PLAYERS,
        is_for_operators=method.name in _OF_OPERATORS,
        max_bytes=RECORD_BYTES if _carries_record(method.input_type) else MESSAGE_BYTES,
        tag=tag(play_pb2.Call, field.name),
    )


def _carries_record(message: Descriptor, known: frozenset[Descriptor] = frozenset()) -> bool:
    inner = {field.message_type for field in message.fields if field.message_type is not None} - known
    return record_pb2.Record.DESCRIPTOR in inner or any(_carries_record(one, known | inner) for one in inner)


METHODS: Mapping[str, Method] = {
    method.name: _method(method)
    for method in play_pb2.DESCRIPTOR.services_by_name["PlayService"].methods
    if not method.client_streaming and not method.server_streaming
}
"""The methods by name."""


@dataclass(frozen=True, slots=True)
class WatchMethod:
    """A method with one request and a stream of responses."""

    name: str
    """Its name in the service: Watch."""
    request: type[Message]
    """The class of its requests."""
    response: type[Message]
    """The class of the messages of its streams."""
    request_field: str
    """The field of ConnectRequest that asks for it over a Connect stream: watch."""
    response_field: str
    """The field of ConnectResponse in which its messages come then: watch."""


def _watch_method(method: MethodDescriptor) -> WatchMethod:
    asking = next(f for f in play_pb2.ConnectRequest.DESCRIPTOR.fields if f.message_type is method.input_type)
    telling = next(f for f in play_pb2.ConnectResponse.DESCRIPTOR.fields if f.message_type is method.output_type)
    request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    return WatchMethod(method.name, request, response, asking.name, telling.name)


WATCH_METHODS: Mapping[str, WatchMethod] = {
    method.name: _watch_method(method)
    for method in play_pb2.DESCRIPTOR.services_by_name["PlayService"].methods
    if method.server_streaming and not method.client_streaming
}
"""The methods that begin watches, by name."""

_BY_FIELD = {method.field: method for method in METHODS.values()}


def method_answered(answer: play_pb2.Answer) -> Method | None:
    """Return the method whose response an answer holds; None if it is a refusal, or empty."""
    return _BY_FIELD.get(answer.WhichOneof("response") or "")


def no_such_method(what: str) -> Refused:
    """Return the refusal of something that names no method of this service."""
    return Refused(errors_pb2.REASON_NO_SUCH_METHOD, f"{what} names no method that exists here")
