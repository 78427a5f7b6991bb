"""The watch of what concerns a player at any table: passes all news on once and in order, whatever connections do."""

from collections.abc import Sequence

from brettwerk.v1 import news_pb2
from brettwerk_client.progress import Hole


class NewsProgress:
    """How far such a watch has come."""

    def __init__(self, after_version: int = 0) -> None:
        """Begin after news that is known already, or with all that is kept."""
        self.last = after_version
        """The version of the last news that was passed on; 0 before the first."""

    def request(self) -> news_pb2.WatchPlayerRequest:
        """Return the request for everything from here on."""
        return news_pb2.WatchPlayerRequest(after_version=self.last)

    def take(self, message: news_pb2.WatchPlayerResponse) -> Sequence[news_pb2.News]:
        """Return the news in a message that are new, oldest first. Raises Hole."""
        kind = message.WhichOneof("kind")
        if kind == "news":
            return self._next(message.news)
        if kind == "resync":
            return self._anew(message.resync)
        return ()

    def _next(self, news: news_pb2.News) -> Sequence[news_pb2.News]:
        if news.version <= self.last:
            return ()
        if news.version > self.last + 1:
            raise Hole
        self.last = news.version
        return (news,)

    def _anew(self, resync: news_pb2.NewsResync) -> Sequence[news_pb2.News]:
        # A server that does not know the last version starts counting again.
        known = 0 if resync.cause == news_pb2.NewsResync.CAUSE_AHEAD else self.last
        self.last = resync.head_version
        return [news for news in resync.news if news.version > known]
