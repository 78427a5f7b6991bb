"""Commands of one loop tick go to Redis in one pipeline, and those that come while all connections are busy go with the next.

A command costs a fraction of what it would cost alone, and does not wait if a connection is free.

A pipeline ends with WAIT, which covers all writes of its connection: what is acknowledged outlives its master if a replica takes
over. If the replicas do not have the writes in time, they count as down, and games go on without them: that is counted
(`brettwerk_store_unreplicated_total`, with an alert), and until they are back, a pipeline waits only a moment; now and then one
waits as long as before, since replicas may be so far away that a moment is too short for them. MySQL calls this semi-synchronous.

A connection carries one pipeline at a time: one write, which ends with the callback of the last answer. redis-py makes it (TLS,
passwords, who the master is). Then the transport is taken over: its streams, checks and timeouts cost many times what a pipeline
of a few commands does, and a task besides.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelManagedConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, NoScriptError, OutOfMemoryError, ReadOnlyError, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from brettwerk.v1 import errors_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.redis_client.scripts import Script
from services.runtime.refusal import Refused
from services.runtime.tasks import PromptFuture, TaskSet, end

log = logger(__name__)

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

HERE_MS = 500
"""How long a pipeline waits for replicas that kept up so far; the answer of one beside it takes less than a millisecond."""
AWAY_MS = 20
"""The same while they do not: long enough for another zone's to be found again."""
REPLICA_LOOK_S = 5.0
"""How often one pipeline waits for HERE_MS meanwhile: that finds those again whose answers take longer than AWAY_MS."""

_Question: TypeAlias = tuple[str, int, int]


class Replicas:
    """Whether that many replicas keep up."""

    def __init__(self, wanted: int, now_s: Callable[[], float] = time.monotonic) -> None:
        """`now_s` is a clock that nobody sets."""
        self._wanted = wanted
        self._now_s = now_s
        self._looked_s = 0.0
        self._came_s = -HERE_MS / 1000
        self.are_here = True

    @property
    def question(self) -> _Question | None:
        """The question to ask after writes, if any."""
        if not self._wanted:
            return None
        if self.are_here:
            return ("WAIT", self._wanted, HERE_MS)
        now_s = self._now_s()
        if now_s - self._looked_s < REPLICA_LOOK_S:
            return ("WAIT", self._wanted, AWAY_MS)
        self._looked_s = now_s
        return ("WAIT", self._wanted, HERE_MS)

    def hear(self, answer: Any) -> None:
        """Take the answer: how many replicas have all that was written over that connection, or why it is not known."""
        have = 0 if isinstance(answer, ResponseError) else int(answer)
        if have < self._wanted:
            metrics.STORE_UNREPLICATED.inc()
        now_s = self._now_s()
        # A failure sooner after they came back was asked before, when a question had a moment only.
        if (have >= self._wanted) == self.are_here or (self.are_here and now_s - self._came_s < HERE_MS / 1000):
            return
        self.are_here = have >= self._wanted
        self._looked_s = self._came_s = now_s
        if self.are_here:
            log.info("replicas keep up again", wanted=self._wanted)
        else:
            cause = str(answer)[:200] if isinstance(answer, ResponseError) else "no answer in time"
            log.warning("replicas do not keep up", wanted=self._wanted, have=have, cause=cause)


BATCH = 256
"""Commands in a pipeline at most."""
CONNECTIONS = 3
"""Pipelines under way at once."""

RETRY_MS = 5_000
"""When to retry with a store that accepts no writes."""
_NOT_NOW = ("MISCONF", "NOREPLICAS", "BUSY")
"""Answers of a server that accepts no writes now, in addition to those with classes in redis-py.

MISCONF: its disk is full or broken.
"""

_Batch: TypeAlias = "Sequence[tuple[Command, asyncio.Future[Any]]]"


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


class OutOfReach(Refused):
    """A server cannot be reached (UNAVAILABLE); whether it has carried a command out is not known."""

    def __init__(self) -> None:
        said = "the store cannot be reached now"
        super().__init__(errors_pb2.REASON_UNAVAILABLE, said, details={"service": "store"}, retry_after_ms=1000)


class Coalescer:
    """Sends commands to one server. Raises OutOfReach if it cannot be reached."""

    is_cluster = False

    def __init__(self, make: Make, replicas: int = 0) -> None:
        """Use connections that redis-py makes. They need no timeouts of their own.

        Answers come when so many replicas have what was written, or are away.
        """
        self.replicas = Replicas(replicas)
        self._make = make
        self._connections: list[Connection] = []
        self._free: list[Connection] = []
        self._waiting: list[tuple[Command, asyncio.Future[Any]]] = []
        self._is_scheduled = False
        self._mending = TaskSet()

    def send(self, *command: Any) -> PromptFuture[Any]:
        """Return the answer to one command. Raises redis.ResponseError in there when the command itself was wrong.

        Raises Refused (UNAVAILABLE) if the store accepts no writes now; redis.OutOfMemoryError if a script lacks memory.
        """
        loop = asyncio.get_running_loop()
        future = PromptFuture[Any](loop=loop)
        self._waiting.append((command, future))
        if not self._is_scheduled and (self._free or len(self._connections) < CONNECTIONS):
            self._is_scheduled = True
            loop.call_soon(self._begin)
        return future

    async def everywhere(self, *command: Any) -> list[Any]:
        """Return the answer of the server."""
        return [await self.send(*command)]

    def place_of(self, _key: str) -> None:
        """Return nothing: there is only one server."""

    async def close(self) -> None:
        """Wait for what is under way and close the connections."""
        while len(self._free) < len(self._connections) or self._waiting:  # noqa: ASYNC110 - it is about to end
            await asyncio.sleep(0.001)
        for connection in self._connections:
            await connection.close()

    def _begin(self) -> None:
        self._is_scheduled = False
        if not self._free and len(self._connections) < CONNECTIONS:
            self._free.append(Connection(self._make))
            self._connections += self._free
        if self._free:
            self._go_on(self._free.pop())

    def _go_on(self, connection: Connection) -> None:
        """Send what is waiting, if anything, over a free connection."""
        if not self._waiting:
            self._free.append(connection)
            return
        batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        if connection.is_open:
            connection.begin(self._asked(batch), partial(self._answered, connection, batch))
        else:
            self._mend(connection, batch)

    def _asked(self, batch: _Batch) -> list[Command]:
        commands = [command for command, _ in batch]
        if (question := self.replicas.question) is not None:
            commands.append(question)
        return commands

    def _answered(self, connection: Connection, batch: _Batch, answers: Answers) -> None:
        if isinstance(answers, Exception):
            self._mend(connection, batch, answers)
        else:
            self._tell(connection, batch, answers)
            self._go_on(connection)

    def _mend(self, connection: Connection, batch: _Batch, error: Exception | None = None) -> None:
        """Send what waits over a connection that must be opened first. `error` is what has broken it, if that was tried."""
        self._mending.start(self._try(connection, batch, error))

    async def _try(self, connection: Connection, batch: _Batch, error: Exception | None) -> None:
        """Try as often as the client is set to."""
        errors = [] if error is None else [error]

        async def exchange() -> list[Any]:
            if errors:
                raise errors.pop()
            return await connection.exchange(self._asked(batch))

        async def hang_up(error: Exception) -> None:
            connection.cut(error)

        try:
            answers = await connection.retry.call_with_retry(exchange, hang_up)
        except (RedisError, OSError) as failed:
            log.warning("store out of reach", error=type(failed).__name__, cause=str(failed)[:200])
            connection.cut(failed)
            answers = [OutOfReach() for _ in batch]
        except Exception as failed:
            log.error("command failed", exc_info=failed)
            connection.cut(failed)
            answers = [OutOfReach() for _ in batch]
        self._tell(connection, batch, answers)
        self._go_on(connection)

    def _tell(self, connection: Connection, batch: _Batch, answers: list[Any]) -> None:
        """Hand answers to those who wait for them."""
        if len(answers) > len(batch):
            self.replicas.hear(answers.pop())
        cause: Exception | None = None
        for (command, future), answer in zip(batch, answers, strict=True):
            if future.done():
                continue
            if not isinstance(answer, Exception):
                future.set_result(answer)
            elif _takes_no_writes(command, answer):
                cause = cause or answer
                future.set_exception(not_now())
            else:
                future.set_exception(answer)
        if cause is not None:
            log.warning("the store takes no writes", cause=str(cause)[:200])
        if isinstance(cause, ReadOnlyError):
            connection.cut(cause)  # another server is the master: the next connection asks who


def _takes_no_writes(command: Command, answer: Exception) -> bool:
    """Return whether an answer says that the server, and not the command, is what is wrong."""
    if not isinstance(answer, ResponseError):
        return False
    if isinstance(answer, OutOfMemoryError):
        return command[0] not in SCRIPTS
    return isinstance(answer, ReadOnlyError) or str(answer).startswith(_NOT_NOW)


def not_now() -> Refused:
    """Return the refusal while the store accepts no writes."""
    said = "the store takes no writes now"
    return Refused(errors_pb2.REASON_UNAVAILABLE, said, details={"service": "store"}, retry_after_ms=RETRY_MS)


class Scripts:
    """Scripts by their names, as one client runs them. Each is sent once to a Redis, which then knows it."""

    def __init__(self, send: Callable[..., "asyncio.Future[Any]"], scripts: Mapping[str, Script]) -> None:
        """`send` sends a command."""
        self._send = send
        self._scripts = scripts

    async def run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Return what a script returns. Raises what `send` does, and what Redis refuses."""
        try:
            return await self.send(name, keys, arguments)
        except NoScriptError:  # Redis has restarted, or a replica has taken over
            return await self.send(name, keys, arguments, whole=True)

    def send(self, name: str, keys: Sequence[str], arguments: Sequence[Any], whole: bool = False) -> "asyncio.Future[Any]":
        """Return what a script answers; `whole`: with its text, in case Redis does not know it."""
        script = self._scripts[name]
        command = ("EVAL", script.text) if whole else ("EVALSHA", script.sha1)
        return self._send(*command, len(keys), *keys, *arguments)
