"""One process of a pool, as its service sees it."""

import asyncio
import contextlib
import os
import signal
import sys

from services.runtime import trace
from services.runtime.pool import frames

_END_S = 2.0
"""How long a process may take to end when it has nothing to do."""


class Process:
    """A running child."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, target: str, memory_bytes: int, cpu_s: float) -> "Process":
        """Start one for `module:function`; return when it is ready.

        Raises OSError when the machine gives none, ConnectionError when it ends at once.
        """
        process = cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "services.runtime.pool.child",
                target,
                str(os.getpid()),
                str(memory_bytes),
                str(cpu_s),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )
        )
        try:
            await process._response()
        except ConnectionError as error:
            await process.end(at_once=True)
            raise ConnectionError(f"the process has ended with {process._process.returncode}") from error
        except BaseException:
            await process.end(at_once=True)
            raise
        return process

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    @property
    def was_too_long(self) -> bool:
        """Whether the kernel ended it, since it had used up its CPU time."""
        return self._process.returncode == -signal.SIGXCPU

    async def work(self, data: bytes) -> frames.Response:
        """Return its response. Raises ConnectionError when it ended instead."""
        sending = self._process.stdin
        assert sending is not None
        try:
            for piece in frames.request_frame(trace.traceparent(), data):
                sending.write(piece)
            await sending.drain()
        except OSError as error:
            raise ConnectionError("the process has ended") from error
        return await self._response()

    async def _response(self) -> frames.Response:
        receiving = self._process.stdout
        assert receiving is not None
        try:
            return await frames.read_response(receiving)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise ConnectionError("the process has ended") from error

    def abandon(self) -> None:
        """Tell it that nobody waits for its response any more."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGUSR1)

    async def end(self, *, at_once: bool = False) -> None:
        """End it: by closing its input, or when it works or does not hear, by force. Return when it has ended."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        # One that has closed its output is ending by itself. To kill it, asyncio would reap it beside its own watcher, and how it
        # ended were lost.
        if not at_once or (self._process.stdout is not None and self._process.stdout.at_eof()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_END_S):
                    await self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
