"""The service's end of its processes for heavy work: a bounded queue that is fair to callers, and processes that are replaced.

A process is started when there is something to do and ended when there was nothing for a while. One that takes too long is
killed, one that ends is replaced, and whoever waits for it is refused in words.
"""

import asyncio
import contextlib
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from brettwerk.v1 import errors_pb2
from services.runtime import call_scope, metrics
from services.runtime.logs import logger
from services.runtime.pool.frames import Response
from services.runtime.pool.process import Process
from services.runtime.refusal import Refused

RETRY_AFTER_MS = 2000

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items of several callers: each caller's in order, the callers in turn."""

    def __init__(self, max_length: int, max_each: int) -> None:
        """Take how many items may wait in all, and how many of one caller."""
        self._max_length = max_length
        self._max_each = max_each
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def push(self, caller: str, item: T) -> None:
        """Add an item. Raises Refused (FULL) when too many wait, of this caller or in all."""
        own = self._waiting.get(caller)
        if self._length >= self._max_length or (own is not None and len(own) >= self._max_each):
            raise Refused(errors_pb2.REASON_FULL, "too many requests of this kind are waiting", retry_after_ms=RETRY_AFTER_MS)
        if own is None:
            own = self._waiting[caller] = deque()
        own.append(item)
        self._length += 1

    def pop(self) -> T:
        """Return the next item, which is taken out. Raises LookupError when there is none."""
        caller, own = next(iter(self._waiting.items()), ("", None))
        if own is None:
            raise LookupError
        item = own.popleft()
        self._length -= 1
        del self._waiting[caller]
        if own:
            self._waiting[caller] = own
        return item


log = logger(__name__)

MEMORY_BYTES = 512 * 1024 * 1024
"""The bounds of a process."""
IDLE_S = 30.0
"""A process that had nothing to do for so long is ended."""
WALL_S = 150.0
"""How long a request may take by the clock before its process is killed. It is long, since the process yields to everything
else; what uses its CPU time up is ended by the kernel."""
MAX_START_ATTEMPTS = 3
"""How often in a row a process may fail to start: the kernel ends one first, and at once, when memory is short."""
START_S = 60.0
"""How long one may take to start; it takes half a second of CPU time, and yields to everything else."""
PAUSE_S = 0.2
"""The pause before the second try; each further one is four times as long."""
_ABANDONED_S = 5.0
"""How long a process may take to notice that nobody waits for it."""


@dataclass(frozen=True, slots=True)
class Processes:
    """How many processes there may be, and for how long."""

    most: int = 1
    memory_bytes: int = MEMORY_BYTES
    """The bounds of each."""
    idle_s: float = IDLE_S
    """How long one may have nothing to do before it is ended."""


USUAL = Processes()


@dataclass(eq=False, slots=True)
class _Job:
    data: bytes = field(repr=False)
    answer: "asyncio.Future[bytes]"
    process: Process | None = None
    cpu_s: float = 0.0


class Pool:
    """Runs requests in processes, each given as bytes and answered by bytes."""

    def __init__(
        self,
        name: str,
        target: str,
        *,
        processes: Processes = USUAL,
        waiting: int = 32,
        waiting_each: int = 4,
        cpu_s: float = 30.0,
        wall_s: float = WALL_S,
    ) -> None:
        """Run `target` (module:function, see child.py) in up to so many processes; `name` is for metrics.

        `waiting` requests may wait, `waiting_each` of one caller; one may take `cpu_s` seconds of CPU time and `wall_s` in all.
        """
        self._name = name
        self._target = target
        self._terms = processes
        self._queue: FairQueue[_Job] = FairQueue(waiting, waiting_each)
        self._cpu_s = cpu_s
        self._wall_s = wall_s
        self._has_job = asyncio.Event()
        self._idle = 0
        self._runners: set[asyncio.Task[None]] = set()
        self._processes: set[Process] = set()
        self._is_closed = False

    @property
    def pids(self) -> frozenset[int]:
        """The ids of the processes that run."""
        return frozenset(process.pid for process in self._processes if process.is_running)

    async def run(self, data: bytes, caller: str = "") -> bytes:
        """Return what the target makes of a request; those of one `caller` wait behind those of others.

        The CPU time that it takes counts for the call that is measured here (call_scope.py), whatever becomes of it.

        Raises Refused: the target's own; FULL when too many wait or it needs too much memory; DEADLINE when it takes too long;
        UNAVAILABLE when its process was ended.
        """
        if self._is_closed:
            raise _ended()
        job = _Job(data, asyncio.get_running_loop().create_future())
        try:
            self._queue.push(caller, job)
        except Refused:
            self._count("full")
            raise
        metrics.POOL_WAITING.labels(self._name).set(len(self._queue))
        self._has_job.set()
        self._run_more()
        try:
            return await job.answer
        finally:
            call_scope.add_cpu(job.cpu_s)
            if job.process is not None and job.answer.cancelled():
                job.process.abandon()

    def _run_more(self) -> None:
        """Let one more process run if something waits that none is free for, and it may."""
        if len(self._queue) > self._idle and len(self._runners) < self._terms.most and not self._is_closed:
            runner = asyncio.create_task(self._serve())
            self._runners.add(runner)
            runner.add_done_callback(self._has_left)

    def _has_left(self, runner: asyncio.Task[None]) -> None:
        """Forget one that has ended; what came while it did, and found no room for another one, has room now."""
        self._runners.discard(runner)
        self._run_more()

    async def close(self) -> None:
        """End all processes; whoever waits is refused."""
        self._is_closed = True
        runners = tuple(self._runners)
        for runner in runners:
            runner.cancel()
        await asyncio.gather(*runners, return_exceptions=True)
        while len(self._queue):
            _refuse(self._queue.pop(), _ended())

    async def _serve(self) -> None:
        """Keep one process and give it one request after the other, until there are none for a while."""
        process: Process | None = None
        try:
            while True:
                job = await self._next()
                if job is None:
                    return
                try:
                    if process is None or not process.is_running:
                        process = await self._start(process, job)
                    if process is not None and await self._work(process, job):
                        await self._end(process)
                        process = None
                finally:
                    _refuse(job, _ended())  # if it was not answered: by the end of this pool, or by a fault
                    del job  # its request may be large, and the next one long in coming
        finally:
            if process is not None:
                await self._end(process)

    async def _next(self) -> _Job | None:
        self._idle += 1
        try:
            async with asyncio.timeout(self._terms.idle_s):
                while True:
                    with contextlib.suppress(LookupError):
                        job = self._queue.pop()
                        if not job.answer.done():
                            return job
                        continue
                    self._has_job.clear()
                    await self._has_job.wait()
        except TimeoutError:
            return None
        finally:
            self._idle -= 1
            metrics.POOL_WAITING.labels(self._name).set(len(self._queue))

    async def _start(self, former: Process | None, job: _Job) -> Process | None:
        """Return a new process in place of one that has ended; when the machine gives none, refuse the job."""
        if former is not None:
            await self._end(former)
        for number in range(MAX_START_ATTEMPTS):
            if number:
                await asyncio.sleep(PAUSE_S * 4 ** (number - 1))
            try:
                async with asyncio.timeout(START_S):
                    process = await Process.start(self._target, self._terms.memory_bytes, self._cpu_s)
            except Exception as error:  # noqa: BLE001 - whatever it is, who waits is told to come again
                say = log.warning if number + 1 < MAX_START_ATTEMPTS else log.error
                say("a process cannot be started", pool=self._name, error=repr(error))
            else:
                self._processes.add(process)
                return process
        self._count("lost")
        _refuse(job, _ended("no process can be started for this at the moment"))
        return None

    async def _end(self, process: Process) -> None:
        await process.end(at_once=self._is_closed)
        self._processes.discard(process)

    async def _work(self, process: Process, job: _Job) -> bool:
        """Let the process work on a job and answer it. Return whether the process is of no more use."""
        job.process = process
        working = asyncio.create_task(process.work(job.data))
        try:
            # Its response is awaited even when nobody waits for the answer: the next one comes after it.
            await asyncio.wait((working, job.answer), timeout=self._wall_s, return_when=asyncio.FIRST_COMPLETED)
            if job.answer.done() and not working.done():
                await asyncio.wait((working,), timeout=_ABANDONED_S)
            if not working.done():
                self._count("killed")
                job.cpu_s = self._cpu_s
                _refuse(job, _too_long())
                await process.end(at_once=True)
                return True
            return self._answer(job, working.result())
        except Exception as error:  # noqa: BLE001 - a process that cannot be understood is of no more use, either
            await process.end(at_once=True)
            if process.was_too_long:
                self._count("killed")
                job.cpu_s = self._cpu_s
                _refuse(job, _too_long())
            else:
                log.warning("a process has ended", pool=self._name, pid=process.pid, error=repr(error))
                self._count("lost")
                _refuse(job, _ended())
            return True
        finally:
            working.cancel()

    def _answer(self, job: _Job, response: Response) -> bool:
        metrics.POOL_CPU.labels(self._name).inc(response.cpu_s)
        job.cpu_s = response.cpu_s
        self._count("done" if response.refusal is None else "refused")
        if response.refusal is not None:
            _refuse(job, Refused.of(response.refusal))
        elif not job.answer.done():
            job.answer.set_result(response.result)
        return response.leaves

    def _count(self, outcome: str) -> None:
        metrics.POOL_REQUESTS.labels(self._name, outcome).inc()


def _refuse(job: _Job, refused: Refused) -> None:
    if not job.answer.done():
        job.answer.set_exception(refused)


def _too_long() -> Refused:
    return Refused(errors_pb2.REASON_DEADLINE, "this takes longer than a single request may take")


def _ended(message: str = "the process that worked on this was ended") -> Refused:
    return Refused(errors_pb2.REASON_UNAVAILABLE, message, retry_after_ms=1000)
