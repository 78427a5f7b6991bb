"""The rules service as the tests of the session service ask it: the real one, in this process."""

import contextlib
from collections.abc import AsyncIterator

import grpc

from services.rules.service import RulesProcess
from services.runtime.interceptor import CallInterceptor


@contextlib.asynccontextmanager
async def running_rules() -> AsyncIterator[str]:
    server = grpc.aio.server(interceptors=[CallInterceptor("rules")])
    process = RulesProcess()
    await process.start(server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await process.drain()
        await server.stop(None)
        await process.stop()
