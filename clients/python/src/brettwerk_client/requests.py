"""Makes what is asked of the server."""

import secrets
from typing import TypeAlias, TypeVar

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message

from brettwerk.v1 import games_pb2, play_pb2, record_pb2

Action: TypeAlias = games_pb2.ActionChoice | Message | str
"""An action: one of an update's `actions`, the game's own action message (also as an Any), or a text in the game's notation."""

AnyMessage = TypeVar("AnyMessage", bound=Message)


def me(seed_contribution: bytes = b"") -> play_pb2.SeatWish:
    """Wish a seat for the caller, who may contribute to the seeds with it (up to 64 bytes)."""
    return play_pb2.SeatWish(me=True, seed_contribution=seed_contribution)


def computer(level: str, depth: int = 0) -> play_pb2.SeatWish:
    """Wish a computer player of a level that the game has; some levels take a search depth."""
    return play_pb2.SeatWish(computer=record_pb2.Computer(level=level, depth=depth))


def nobody() -> play_pb2.SeatWish:
    """Wish that a seat stays open for whoever joins."""
    return play_pb2.SeatWish(open=True)


def packed(message: Message) -> Any:
    """Return a game's own message as the contract carries it."""
    if isinstance(message, Any):
        return message
    whole = Any()
    whole.Pack(message)
    return whole


def acting(session_id: str, seat_token: str, version: int, action: Action) -> play_pb2.ActRequest:
    """Return the request to play an action that was chosen at a version."""
    request = play_pb2.ActRequest(session_id=session_id, seat_token=seat_token, expected_version=version)
    if isinstance(action, str):
        request.notation = action
    else:
        request.action.CopyFrom(action.action if isinstance(action, games_pb2.ActionChoice) else packed(action))
    return request


def named(request: AnyMessage) -> AnyMessage:
    """Return a request with a request id, where it takes one and has none, so that every attempt of it is the same one."""
    if "request_id" not in request.DESCRIPTOR.fields_by_name or getattr(request, "request_id"):  # noqa: B009 - not every message has it
        return request
    own = type(request)()
    own.CopyFrom(request)
    setattr(own, "request_id", secrets.token_urlsafe(16))  # noqa: B010
    return own
