"""Commands of one loop tick go to Redis in one pipeline, and what comes while all lines are busy goes with the next.

A command costs a fraction of what it costs alone, and waits for nobody when a line is free. The lines are redis-py's
connections, driven here: its pool and its pipelines do much for every command that these need not have done.
"""

import asyncio
from typing import Any, TypeAlias

import hiredis
import redis.asyncio
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.sentinel import SentinelManagedConnection
from redis.exceptions import ClusterDownError, OutOfMemoryError, ReadOnlyError, RedisError, ResponseError, TryAgainError
from redis.exceptions import TimeoutError as RedisTimeoutError

from brettwerk.v1 import errors_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unavailable
from services.session.store.replicas import Replicas

log = logger(__name__)

BATCH = 256
"""Commands in a pipeline at most."""
LINES = 3
"""Pipelines under way at once."""
TIMEOUT_S = 5.0
"""How long a pipeline, or making a connection, may take before it is tried again on another connection."""

RETRY_MS = 5_000
"""When to come again to a store that takes no writes."""
_NOT_NOW = ("MISCONF", "NOREPLICAS", "BUSY")
"""Answers of a server that takes no writes now, beside those with classes in redis-py. MISCONF: its disk is full or broken."""
_SCRIPTS = ("EVALSHA", "EVAL")

_Command: TypeAlias = tuple[Any, ...]


class Coalescer:
    """Sends commands. Raises Refused (UNAVAILABLE) when the store cannot be reached."""

    def __init__(self, client: "redis.asyncio.Redis", replicas: int = 0) -> None:
        """Use connections like those of a client, one for each line. They need no timeouts of their own.

        Answers come when so many replicas have what was written, or are away.
        """
        self.replicas = Replicas(replicas)
        self._free: list[AbstractConnection] = [_line(client) for _ in range(LINES)]
        self._lines = tuple(self._free)
        self._waiting: list[tuple[_Command, asyncio.Future[Any]]] = []
        self._is_scheduled = False
        self._sending: set[asyncio.Task[None]] = set()

    async def send(self, *command: Any) -> Any:
        """Return the answer to one command. Raises redis.ResponseError when the command itself was wrong.

        Raises Refused (UNAVAILABLE) when the store takes no writes now; redis.OutOfMemoryError when a script lacks memory.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((command, future))
        if self._free and not self._is_scheduled:
            self._is_scheduled = True
            loop.call_soon(self._begin)
        return await future

    async def close(self) -> None:
        """Wait for what is under way and close the connections."""
        while self._sending:
            await asyncio.gather(*self._sending)
        for line in self._lines:
            await line.disconnect()

    def _begin(self) -> None:
        self._is_scheduled = False
        if self._waiting and self._free:
            task = asyncio.create_task(self._drain(self._free.pop()))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _drain(self, line: AbstractConnection) -> None:
        """Send over one line until nothing waits any more."""
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            answers = await self._answers(line, [command for command, _ in batch])
            wrong = [_takes_no_writes(command, answer) for (command, _), answer in zip(batch, answers, strict=True)]
            if any(wrong):
                log.warning("the store takes no writes", cause=str(answers[wrong.index(True)])[:200])
                answers = [_not_now() if is_wrong else answer for is_wrong, answer in zip(wrong, answers, strict=True)]
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():
                    continue
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)
        self._free.append(line)

    async def _answers(self, line: AbstractConnection, commands: list[_Command]) -> list[Any]:
        """Return the answers to commands; where there is none, why. Tries again as often as the client is set to."""

        async def hang_up(_error: Exception) -> None:
            await line.disconnect(nowait=True)

        try:
            return await line.retry.call_with_retry(lambda: self._exchange(line, commands), hang_up)
        except (RedisError, OSError) as error:
            log.warning("store out of reach", error=type(error).__name__, cause=str(error)[:200])
        except Exception as error:
            log.error("command failed", exc_info=error)
            await hang_up(error)
        return [unavailable("store") for _ in commands]

    async def _exchange(self, line: AbstractConnection, commands: list[_Command]) -> list[Any]:
        question = self.replicas.question
        if question is None:
            return await _exchange(line, commands)
        *answers, kept = await _exchange(line, [*commands, question])
        self.replicas.hear(kept)
        return answers


def _takes_no_writes(command: _Command, answer: Any) -> bool:
    """Return whether an answer says that the server, and not the command, is what is wrong."""
    if not isinstance(answer, ResponseError):
        return False
    if isinstance(answer, OutOfMemoryError):
        return command[0] not in _SCRIPTS
    return isinstance(answer, ReadOnlyError | ClusterDownError | TryAgainError) or str(answer).startswith(_NOT_NOW)


def _not_now() -> Refused:
    said = "the store takes no writes now"
    return Refused(errors_pb2.REASON_UNAVAILABLE, said, details={"part": "store"}, retry_after_ms=RETRY_MS)


def _line(client: "redis.asyncio.Redis") -> AbstractConnection:
    line: AbstractConnection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return line


async def _exchange(line: AbstractConnection, commands: list[_Command]) -> list[Any]:
    """Return the answers of the server, errors among them. Raises redis' errors where the connection broke."""
    data = b"".join(map(hiredis.pack_command, commands))
    answers: list[Any] = []
    try:
        async with asyncio.timeout(TIMEOUT_S):
            if line.is_connected and await line.can_read():
                await line.disconnect(nowait=True)  # the server has closed it
            if isinstance(line, SentinelManagedConnection) and not line.is_connected:
                await line.connect()  # type: ignore[no-untyped-call] # only this asks who the master is
            await line.connect_check_health(retry_socket_connect=False)
            await line.send_packed_command(data, check_health=False)
            for _ in commands:
                try:
                    answers.append(await line.read_response())
                except ResponseError as error:
                    answers.append(error)
    except TimeoutError:
        raise RedisTimeoutError("the store does not answer") from None
    return answers
