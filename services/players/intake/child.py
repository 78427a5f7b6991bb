"""Keeps the worker of finished games running beside the service: one that dies is started again; none outlives its service."""

import asyncio
import contextlib
import sys

from services.players.intake.worker import ENDING_WITH_INPUT
from services.runtime.logs import logger
from services.runtime.task_cancel import ended

log = logger(__name__)

_FIRST_PAUSE_S, _MAX_PAUSE_S = 0.5, 30.0


class WorkerChild:
    """The worker's process."""

    def __init__(self, end_s: float) -> None:
        """`end_s`: how long it may take to end what it has begun."""
        self._end_s = end_s
        self._keeping: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None

    def start(self) -> None:
        """Begin to keep it running."""
        self._keeping = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Let it end what it has begun, or kill it after `end_s`: the queue gives again whatever it has not done."""
        if self._keeping is not None:
            await ended(self._keeping)
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(self._end_s):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _keep(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            began = asyncio.get_running_loop().time()
            # Its standard input ends when this process does, however that happens.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "services.players.intake.worker", ENDING_WITH_INPUT, stdin=asyncio.subprocess.PIPE
            )
            code = await self._process.wait()
            lived = asyncio.get_running_loop().time() - began
            pause = _FIRST_PAUSE_S if lived > _MAX_PAUSE_S else min(_MAX_PAUSE_S, pause * 2)
            log.warning("the worker of finished games ended", code=code)
            await asyncio.sleep(pause)
