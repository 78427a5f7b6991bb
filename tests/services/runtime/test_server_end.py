import asyncio
from collections.abc import Sequence

import grpc

from services.runtime.server import serve
from services.runtime.settings import Settings


class Hurried:
    """A service that is told to stop at the very moment in which it says whether it is ready."""

    name = "hurried"
    full_names: Sequence[str] = ()

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping
        self.is_stopped = False

    async def start(self, server: grpc.aio.Server) -> None:
        pass

    async def is_ready(self) -> bool:
        self._stopping.set()
        return True

    async def drain(self) -> None:
        pass

    async def stop(self) -> None:
        self.is_stopped = True


async def test_a_process_that_is_told_to_stop_while_it_asks_for_readiness_stops():
    stopping = asyncio.Event()
    service = Hurried(stopping)
    serving = asyncio.create_task(serve(service, "127.0.0.1:0", Settings(drain_s=0, grace_s=0), stopping))
    ended, _ = await asyncio.wait({serving}, timeout=20)
    assert ended, "it goes on for ever"
    assert service.is_stopped
