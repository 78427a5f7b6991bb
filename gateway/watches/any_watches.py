"""Both kinds of watches behind one interface: of sessions, and of a player's news."""

from functools import lru_cache
from typing import Final, TypeAlias

from brettwerk.v1 import news_pb2, play_pb2
from gateway.identity import scopes
from gateway.identity.caller import Caller
from gateway.messages import offload
from gateway.watches.feeds import Sink, Watch
from gateway.watches.news import NewsWatch, NewsWatches
from gateway.watches.watches import Watches
from services.runtime.refusal import Refused

AnyRequest: TypeAlias = play_pb2.WatchRequest | news_pb2.WatchPlayerRequest
AnyWatch: TypeAlias = Watch | NewsWatch

REQUESTS: Final[dict[str, type[AnyRequest]]] = {
    "Watch": play_pb2.WatchRequest,
    "WatchPlayer": news_pb2.WatchPlayerRequest,
}
"""The methods that begin watches, with their requests."""
RESPONSES: Final[dict[str, type[play_pb2.WatchResponse | news_pb2.WatchPlayerResponse]]] = {
    "Watch": play_pb2.WatchResponse,
    "WatchPlayer": news_pb2.WatchPlayerResponse,
}
"""The same methods with the messages of their streams."""


class AnyWatches:
    """All watches of this process."""

    def __init__(self, sessions: Watches, news: NewsWatches) -> None:
        self._sessions = sessions
        self._news = news

    def begin(self, request: AnyRequest, caller: Caller, endpoint: str, sink: Sink) -> AnyWatch:
        """Begin a watch, whose request is within its bounds; its messages go to the sink. Raises Refused."""
        if isinstance(request, news_pb2.WatchPlayerRequest):
            scopes.check("WatchPlayer", caller.player)
            return self._news.begin(request, caller, sink)
        return self._sessions.begin(request, caller, endpoint, sink)

    def cut_off(self, token_id: str, refused: Refused) -> None:
        """End all watches that were begun with an API token."""
        self._sessions.cut_off(token_id, refused)
        self._news.cut_off(token_id, refused)

    def end(self, watch: AnyWatch) -> None:
        """End a watch that its client no longer wants. Nothing happens if it is already over."""
        if isinstance(watch, NewsWatch):
            self._news.end(watch)
        else:
            self._sessions.end(watch)


@lru_cache(maxsize=32)
def spelled(name: str, message: bytes) -> bytes:
    """Return an encoded message of a watch, begun by the method `name`, in JSON; shared by all who watch the same."""
    return offload.spelled(RESPONSES[name].FromString(message)).rstrip(b"\n")
