"""A connection to Redis that carries one pipeline at a time: one write, which ends with the callback of the last answer.

redis-py makes the connection (TLS, passwords, who the master is). Then the transport is taken over: its streams, checks and
timeouts cost many times what a pipeline of a few commands does, and a task besides.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelManagedConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.runtime.task_cancel import end

TIMEOUT_S = 5.0
"""How long a pipeline, or making a connection, may take before it is tried again on another connection."""

SCRIPTS = ("EVALSHA", "EVAL")
"""Commands that run a script: its text or digest, how many keys, the keys, the arguments."""

Command: TypeAlias = tuple[Any, ...]
Make: TypeAlias = Callable[[], AbstractConnection]
"""Makes a connection of redis-py, which is not open yet."""
Answers: TypeAlias = list[Any] | Exception
"""The answers to a pipeline, errors of single commands among them; or why there are none."""
_MISSING = object()


class _Open(asyncio.Protocol):
    """One connection that redis-py has made, from then on until it breaks."""

    def __init__(self, connection: AbstractConnection, loop: asyncio.AbstractEventLoop) -> None:
        """Take its transport over. Raises redis' ConnectionError when it is lost already."""
        writer = connection._writer
        if writer is None or writer.transport.is_closing():
            raise RedisConnectionError("the connection was lost")
        parser = connection._parser
        self.is_open = True
        self._loop = loop
        self._reader = hiredis.Reader(protocolError=InvalidResponse, replyError=parser.parse_error, notEnoughData=_MISSING)
        self._done: Callable[[Answers], None] | None = None
        self._answers: list[Any] = []
        self._count = 0
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.WriteTransport = writer.transport
        self._streams = self._transport.get_protocol()
        self._transport.set_protocol(self)

    def begin(self, commands: Sequence[Command], done: Callable[[Answers], None]) -> None:
        """Send a pipeline, while none is under way. `done` gets the answers, or what broke the connection; it must not raise."""
        self._done, self._count, self._answers = done, len(commands), []
        self._until = self._loop.time() + TIMEOUT_S
        if self._timer is None:
            self._timer = self._loop.call_at(self._until, self._look)
        self._transport.write(b"".join(map(hiredis.pack_command, commands)))

    def cut(self, error: Exception) -> None:
        """Break the connection; a pipeline that is under way ends with the error."""
        if self.is_open:
            self.is_open = False
            self._transport.abort()
            if self._timer is not None:
                self._timer.cancel()
        done, self._done = self._done, None
        if done is not None:
            done(error)

    def data_received(self, data: bytes) -> None:
        """Take answers."""
        try:
            self._reader.feed(data)
            while (answer := self._reader.gets()) is not _MISSING:
                if isinstance(answer, hiredis.PushNotification):
                    continue  # nobody has asked for what the server tells by itself
                if self._done is None or isinstance(answer, RedisConnectionError):  # it is loading, or has too many clients
                    raise InvalidResponse("an answer to nothing") if self._done is None else answer
                self._answers.append(answer)
                if len(self._answers) == self._count:
                    done, self._done = self._done, None
                    done(self._answers)
        except Exception as error:  # noqa: BLE001 - whoever waits hears it
            self.cut(error)

    def connection_lost(self, error: Exception | None) -> None:
        """Let the waiting caller try again."""
        self.cut(RedisConnectionError("the server has closed the connection" if error is None else str(error)))
        self._streams.connection_lost(error)

    def _look(self) -> None:
        """Break the connection when a pipeline takes too long. One timer at a time costs less than one for each."""
        self._timer = None
        if self._done is None:
            return
        if self._loop.time() >= self._until:
            self.cut(RedisTimeoutError("the store does not answer"))
        else:
            self._timer = self._loop.call_at(self._until, self._look)


class Connection:
    """A connection that is recreated whenever it broke."""

    def __init__(self, make: Make) -> None:
        """Make the connection with redis-py. It needs no timeouts of its own."""
        self._made: AbstractConnection = make()
        self._loop = asyncio.get_running_loop()
        self._opened: _Open | None = None

    @property
    def is_open(self) -> bool:
        """Whether a pipeline can be sent, as far as is known."""
        return self._opened is not None and self._opened.is_open

    @property
    def retry(self) -> Retry:
        """How often the client is set to try again."""
        return self._made.retry

    def begin(self, commands: Sequence[Command], done: Callable[[Answers], None]) -> None:
        """Send a pipeline, while it is open and none is under way.

        `done` gets the answers, or what broke the connection; it must not raise.
        """
        assert self._opened is not None
        self._opened.begin(commands, done)

    async def exchange(self, commands: Sequence[Command]) -> list[Any]:
        """Do the same over a connection that is opened if need be, and return the answers. Raises redis' errors and OSError."""
        if not self.is_open:
            self._opened = await self._open()
        answering: asyncio.Future[list[Any]] = self._loop.create_future()
        self.begin(commands, partial(end, answering))
        return await answering

    def cut(self, error: Exception) -> None:
        """Break the connection, if there is one; a pipeline that is under way ends with the error."""
        if self._opened is not None:
            self._opened.cut(error)

    async def close(self) -> None:
        """Close the connection for good."""
        self.cut(RedisConnectionError("the connection was closed"))
        await self._made.disconnect(nowait=True)

    async def _open(self) -> _Open:
        connection = self._made
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await connection.disconnect(nowait=True)
                if isinstance(connection, SentinelManagedConnection):
                    await connection.connect()  # type: ignore[no-untyped-call] # only this asks who the master is
                await connection.connect_check_health(retry_socket_connect=False)
        except TimeoutError:
            raise RedisTimeoutError("the store does not answer") from None
        return _Open(connection, self._loop)
