"""Follows sessions for clients: one TailSessions stream to the session service feeds all watches of this process.

There is a second one only while releases run side by side: a session process refuses watches of what only a newer release
understands, and these are asked for at the next process, and the next, until one of that release is found.
"""

import asyncio
import itertools

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.feeds import TRIES, Feed, Sink, TailMethod, Watch, pause_s
from gateway.visitor import Visitor
from services.runtime import limits, metrics
from services.runtime.refusal import Refused, is_newer, unavailable


class Watches:
    """All watches of this process."""

    def __init__(self, method: TailMethod, other: TailMethod) -> None:
        """Take the TailSessions method of a stub, and the one by which other session processes are reached."""
        self._numbers = itertools.count(1)
        self._watches: dict[int, Watch] = {}
        self._usual = Feed(method, self._refused, self._lost)
        self._elsewhere = Feed(other, self._refused, self._lost)
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._watches)

    def begin(self, request: play_pb2.WatchRequest, visitor: Visitor, door: str, sink: Sink) -> Watch:
        """Begin a watch; its messages go to the sink. Raises Refused: MALFORMED, or UNAVAILABLE while this process ends."""
        limits.check_request(request)
        if self._is_closed:
            raise unavailable("gateway")
        watch = Watch(next(self._numbers), request, visitor, door, sink)
        self._watches[watch.number] = watch
        metrics.WATCHES.labels(door).inc()
        metrics.WATCH_RESUMES.labels("resumed" if watch.last else "new").inc()
        watch.feed = self._usual
        watch.feed.add(watch)
        return watch

    def end(self, watch: Watch) -> None:
        """End a watch that its client does not want any more. Nothing happens when it is over already."""
        self._forget(watch, is_over=True)

    async def close(self) -> None:
        """End all watches with UNAVAILABLE and the last version, and the streams."""
        self._is_closed = True
        for watch in list(self._watches.values()):
            self._lost(watch, unavailable("gateway"))
        await asyncio.gather(self._usual.close(), self._elsewhere.close())

    def _forget(self, watch: Watch, *, is_over: bool = False) -> bool:
        if self._watches.pop(watch.number, None) is None:
            return False
        if watch.feed is not None:
            watch.feed.remove(watch, is_over=is_over)
            watch.feed = None
        metrics.WATCHES.labels(watch.door).dec()
        return True

    def _lost(self, watch: Watch, refused: Refused) -> None:
        if self._forget(watch):
            watch.end(refused.refusal)

    def _refused(self, watch: Watch, refusal: errors_pb2.Refusal) -> None:
        watch.tries += 1
        watch.is_asked = False
        feed = watch.feed
        if refusal.reason != errors_pb2.REASON_UNAVAILABLE or watch.tries > TRIES or feed is None:
            if self._forget(watch):
                watch.end(refusal)
        elif is_newer(refusal) and feed is self._usual:
            feed.remove(watch, is_over=False)
            watch.feed = self._elsewhere
            watch.feed.add(watch)
        elif is_newer(refusal):
            feed.go_elsewhere(watch.tries)
        else:
            asyncio.get_running_loop().call_later(pause_s(watch.tries), feed.ask_for, watch)
