"""A gateway's end of a tail stream."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, talk_pb2, viewings_pb2
from services.session.app.wiring import Wiring


class Watcher:
    """One tail stream into a session process; what came for each watch is kept as it came."""

    def __init__(self, wiring: Wiring) -> None:
        self._requests: asyncio.Queue[session_pb2.TailSessionsRequest | None] = asyncio.Queue()
        self._wiring = wiring
        self._came = asyncio.Event()
        self.messages: dict[int, list[bytes]] = {}
        self.present: dict[int, list[int]] = {}
        """Seats last told to be there, by watch."""
        self.waits: dict[int, list[tuple[int, bool, int, int, bool]]] = {}
        """How computers' moves were told to stand last, by watch: seat, thinks, before, wait_ms, no_computer."""
        self.talks: dict[int, list[talk_pb2.Talk]] = {}
        """The talk that was told, by watch."""
        self.viewings: dict[int, list[viewings_pb2.WatchedViewing]] = {}
        """News of viewings, by watch."""
        self.watchers: dict[int, tuple[int, list[str]]] = {}
        """How many were told to watch last, and their names, by watch."""
        self.refusals: dict[int, errors_pb2.Refusal] = {}
        self.ended: BaseException | None = None
        self._reads = asyncio.Event()
        self._reads.set()
        self._is_held = asyncio.Event()
        self._tasks = [asyncio.create_task(self._read())]

    async def _asked(self) -> AsyncIterator[session_pb2.TailSessionsRequest]:
        while (request := await self._requests.get()) is not None:
            yield request

    async def _read(self) -> None:
        try:
            async for response in self._wiring.tails.serve(self._asked()):
                if not self._reads.is_set():
                    self._is_held.set()
                    await self._reads.wait()
                for tail in session_pb2.TailSessionsResponse.FromString(response).tails:
                    for number in tail.ids:
                        if tail.WhichOneof("kind") == "refusal":
                            self.refusals[number] = tail.refusal
                        elif not self._is_of_presence(number, tail.message):
                            self.messages.setdefault(number, []).append(tail.message)
                self._came.set()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.ended = error
        self._came.set()

    def _is_of_presence(self, number: int, message: bytes) -> bool:
        """Note who is there and what is said; returns whether a message tells nothing else."""
        response = play_pb2.WatchResponse.FromString(message)
        if response.HasField("talk"):
            self.talks.setdefault(number, []).append(response.talk)
            return True
        if response.HasField("viewing"):
            self.viewings.setdefault(number, []).append(response.viewing)
            return True
        if not response.HasField("heartbeat"):
            return False
        before = self.present.get(number), self.waits.get(number), self.watchers.get(number)
        self.watchers[number] = response.heartbeat.watchers, list(response.heartbeat.watcher_names)
        self.present[number] = list(response.heartbeat.present_seats)
        self.waits[number] = [(w.seat, w.thinks, w.before, w.wait_ms, w.no_computer) for w in response.heartbeat.computer_waits]
        return before[0] is not None and before != (
            self.present[number],
            self.waits[number],
            self.watchers[number],
        )

    def stop_reading(self) -> None:
        """Read one more response, and then no other."""
        self._is_held.clear()
        self._reads.clear()

    async def until_held(self) -> None:
        """Return when it has that one."""
        await asyncio.wait_for(self._is_held.wait(), 10)

    def read_on(self) -> None:
        self._reads.set()

    async def until_present(self, number: int, *seats: int) -> None:
        """Return when a watch has been told that these seats are connected, and no others."""
        async with asyncio.timeout(60):
            while self.present.get(number) != list(seats):
                self._came.clear()
                await self._came.wait()

    def heard(self, number: int) -> list[str]:
        """The lines that a watch has heard, as its client shows them: words, or a phrase in brackets."""
        lines: list[str] = []
        for talk in self.talks.get(number, ()):
            lines = [] if talk.whole else lines
            lines += [line.text or f"({line.phrase})" for line in talk.lines]
        return lines

    async def until_heard(self, number: int, *lines: str) -> None:
        """Return when a watch has heard just this."""
        async with asyncio.timeout(60):
            while number not in self.talks or self.heard(number) != list(lines):
                self._came.clear()
                await self._came.wait()

    def viewed(self, number: int) -> viewings_pb2.Viewing:
        """How the viewing of a watch is, as it was told last."""
        shown = [one.viewing for one in self.viewings.get(number, ()) if one.HasField("viewing")]
        return shown[-1] if shown else viewings_pb2.Viewing()

    def said_in_viewing(self, number: int) -> list[str]:
        """The lines that a watch has heard in its viewing."""
        lines: list[str] = []
        for one in self.viewings.get(number, ()):
            lines = [] if one.talk.whole else lines
            lines += [line.text or f"({line.phrase})" for line in one.talk.lines]
        return lines

    async def until_so(self, done: Callable[[], object]) -> None:
        """Return when something holds of what has come."""
        async with asyncio.timeout(60):
            while not done():
                self._came.clear()
                await self._came.wait()

    async def until_watched(self, number: int, people: int, *names: str) -> None:
        """Return when a watch has been told that so many people watch, some of them by name."""
        async with asyncio.timeout(60):
            while self.watchers.get(number) != (people, list(names)):
                self._came.clear()
                await self._came.wait()

    async def until_waits(self, number: int, waits: list[tuple[int, bool, int, int, bool]]) -> None:
        """Return when a watch has been told that computers' moves stand like this."""
        async with asyncio.timeout(60):
            while self.waits.get(number) != waits:
                self._came.clear()
                await self._came.wait()

    async def until_live(self, session_id: str) -> None:
        """Return when nobody who follows a session lacks anything: who still catches up is told of no waits."""
        async with asyncio.timeout(60):
            while any(one.is_catching_up for one in self._wiring.tails._followers[session_id]):  # noqa: ASYNC110 - seen from outside
                await asyncio.sleep(0.005)

    async def until_gone(self, session_id: str) -> None:
        """Return when nobody follows a session any more."""
        async with asyncio.timeout(60):
            while session_id in self._wiring.tails._followers:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.005)

    async def follow(
        self,
        number: int,
        session_id: str,
        token: str = "",
        after: int = 0,
        at_ms: int = 0,
        caller: session_pb2.Caller | None = None,
        **watch: Any,
    ) -> None:
        await self._wiring.shard_channel.ready()
        request = play_pb2.WatchRequest(session_id=session_id, seat_token=token, after_version=after, after_at_ms=at_ms, **watch)
        follow = session_pb2.Follow(id=number, watch=request, caller=caller)
        await self._requests.put(session_pb2.TailSessionsRequest(follow=[follow]))
        async with asyncio.timeout(60):
            while number not in self.messages and number not in self.refusals:
                self._came.clear()
                await self._came.wait()

    async def unfollow(self, number: int) -> None:
        await self._requests.put(session_pb2.TailSessionsRequest(unfollow=[number]))

    def responses(self, number: int) -> list[play_pb2.WatchResponse]:
        return [play_pb2.WatchResponse.FromString(data) for data in self.messages.get(number, ())]

    def kinds(self, number: int) -> list[str]:
        """The responses that came, in short: h4 a heartbeat with head 4, 5 the update 5, SEAT7 a new beginning at 7."""
        received = []
        for response in self.responses(number):
            match response.WhichOneof("kind"):
                case "heartbeat":
                    received.append(f"h{response.heartbeat.head_version}")
                case "update":
                    received.append(str(response.update.version))
                case _:
                    cause = play_pb2.Resync.Cause.Name(response.resync.cause).removeprefix("CAUSE_")
                    received.append(f"{cause}{response.resync.update.version}")
        return received

    def version(self, number: int) -> int:
        found = [r.resync.update.version or r.update.version for r in self.responses(number)]
        return max(found, default=0)

    async def until(self, number: int, version: int) -> None:
        """Return when a watch has been given a version."""
        async with asyncio.timeout(60):
            while self.version(number) < version and number not in self.refusals:
                self._came.clear()
                await self._came.wait()

    async def until_received(self, number: int, *kinds: str) -> None:
        """Return when these were the last things that a watch has been given, in short as in `kinds`."""
        async with asyncio.timeout(60):
            while self.kinds(number)[-len(kinds) :] != list(kinds):
                self._came.clear()
                await self._came.wait()

    async def until_refused(self, number: int) -> errors_pb2.Refusal:
        async with asyncio.timeout(60):
            while number not in self.refusals:
                self._came.clear()
                await self._came.wait()
        return self.refusals[number]

    async def until_ended(self) -> BaseException:
        async with asyncio.timeout(60):
            while self.ended is None:
                self._came.clear()
                await self._came.wait()
        return self.ended

    async def close(self) -> None:
        await self._requests.put(None)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def watching(wiring: Wiring) -> AsyncIterator[Watcher]:
    watcher = Watcher(wiring)
    try:
        yield watcher
    finally:
        await watcher.close()
