"""Watchers: each remembers every picture it was sent, and takes up its watch again where it broke off."""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable
from typing import cast

import grpc

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from loadtests.chaos.clients import PASSING, Clients, Metadata, is_broken, is_internal, pause, refusal_of
from loadtests.chaos.ledger import Ledger, Received, Watched, digest

OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
RUNNING = sessions_pb2.Session.STATE_RUNNING
SILENCE_S = 16.0
"""A watch that shows no sign of life for three heartbeats is restarted: the connection may be dead."""


class Watcher:
    """Watches a session as a seat or as a spectator until `stop`. A restless one starts again after every picture."""

    def __init__(
        self,
        clients: Clients,
        ledger: Ledger,
        metadata: Metadata,
        audience: int = -1,
        seat_token: str = "",
        *,
        is_restless: bool = False,
    ) -> None:
        self.newest: sessions_pb2.Update | None = None
        self.watched = Watched(audience)
        self.ended = ""
        """Why the system ended the watch for good, if it has."""
        self.has_lost_seat = False
        """Whether the system said that the token is good for no seat."""
        self.head = 0
        """The newest version that a heartbeat told of."""
        self._clients, self._ledger, self._metadata, self._token = clients, ledger, metadata, seat_token
        self._is_restless = is_restless
        self._arrived = asyncio.Event()
        self._task = asyncio.create_task(self._run())
        ledger.watched.append(self.watched)

    @property
    def is_over(self) -> bool:
        """Whether the newest picture is that of a session that is over."""
        return self.newest is not None and self.newest.session.state in OVER

    def show(self, update: sessions_pb2.Update) -> None:
        """Take a picture that was asked for as the newest one."""
        self.newest = update
        self._arrived.set()

    async def changed(self, is_so: Callable[[], bool], within_s: float) -> bool:
        """Return whether a condition has become true, which is asked whenever something was sent."""
        until = time.monotonic() + within_s
        while not is_so():
            self._arrived.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, until - time.monotonic())):
                    await self._arrived.wait()
                    continue
            return is_so()
        return True

    async def stop(self) -> None:
        """End the watch."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        attempts = 0
        while not self.ended:
            request = play_pb2.WatchRequest(
                session_id=self._ledger.session_id, seat_token=self._token, after_version=self.watched.last
            )
            call = self._clients.watch(request, self._metadata)
            wait_s, has_left, why = pause(attempts), False, "ended"
            try:
                while not has_left:
                    async with asyncio.timeout(SILENCE_S):
                        data = await call.read()
                    if data is grpc.aio.EOF:
                        break
                    attempts = 0
                    has_left = self._take(cast(bytes, data)) and self._is_restless
            except TimeoutError:
                why = "silent"
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                if is_internal(error, refusal):
                    self._clients.figures.add("internal", f"Watch: {error.details()} (trace {refusal.trace_id})")
                elif error.code() not in PASSING and not is_broken(error, refusal):
                    self.ended = errors_pb2.Reason.Name(refusal.reason)
                    self._arrived.set()
                wait_s, why = max(wait_s, refusal.retry_after_ms / 1000), f"{error.code().name}: {error.details()}"
            finally:
                call.cancel()
            if has_left:
                continue
            self._clients.figures.breaks[why] += 1
            attempts += 1
            await asyncio.sleep(wait_s)

    def _take(self, data: bytes) -> bool:
        """Take a message as it was sent; return whether it brought a picture."""
        message = play_pb2.WatchResponse.FromString(data)
        kind, cause = message.WhichOneof("kind"), None
        if kind == "heartbeat":
            self.head = message.heartbeat.head_version
            return False
        update = message.update
        now = time.monotonic()
        if kind == "resync":
            update = message.resync.update
            cause = play_pb2.Resync.Cause.Name(message.resync.cause).removeprefix("CAUSE_")
            if cause == "AHEAD":
                self._ledger.forget_after(update.version)
        sent = hashlib.blake2b(data, digest_size=8).digest()
        self.watched.received.append(Received(update.version, digest(update), now, cause, sent))
        self._ledger.notice(update.version, now)
        if update.session.state == RUNNING and self._ledger.running_since_s is None:
            self._ledger.running_since_s = now
        if update.session.state in OVER:
            self._ledger.over_at_s = self._ledger.over_at_s or now
        elif cause == "AHEAD":
            self._ledger.over_at_s = None
        if cause == "SEAT":
            self.has_lost_seat = self.watched.audience >= 0
        if cause is not None or self.newest is None or update.version >= self.newest.version:
            self.show(update)
        return True
