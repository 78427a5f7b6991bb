"""The common parts of the two kinds of watches, of sessions and of a player's news, for those that begin and end them."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Caller
from services.runtime.refusal import Refused


class Sink(Protocol):
    """Where the messages of a watch go. Neither method may wait or raise."""

    def message(self, data: bytes) -> None:
        """Take an encoded message of the watch's method."""

    def ended(self, refusal: errors_pb2.Refusal) -> None:
        """Take the reason why the watch is over; nothing follows it."""


class OpenWatch(Protocol):
    """A watch that has begun."""

    @property
    def caller(self) -> Caller:
        """The caller of the watch."""

    def leave(self) -> None:
        """End it, because its client no longer wants it: its sink hears nothing more. Does nothing if it is over."""


class WatchKind(Protocol):
    """All watches of one kind in this process."""

    def begin(self, request: Any, caller: Caller, endpoint: str, sink: Sink) -> OpenWatch:
        """Begin and return a watch, whose request is within its bounds; its messages go to the sink. Raises Refused."""

    def cut_off(self, token_id: str, refused: Refused) -> None:
        """End all watches that were begun with an API token."""


WatchKinds: TypeAlias = Mapping[str, WatchKind]
"""Both kinds, by the names of the methods that begin them (contract.WATCH_METHODS)."""
