"""The rules service as the tests of the session service ask it: the real one, in this process."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

from services.rules.service import RulesProcess
from services.runtime.link import LinkServer, Methods


@contextlib.asynccontextmanager
async def running_rules() -> AsyncIterator[str]:
    """Yield the address at which it takes links."""
    methods = Methods("rules")
    process = RulesProcess()
    await process.start(cast(Any, methods))
    server = LinkServer(methods)
    try:
        yield await server.listen("127.0.0.1:0")
    finally:
        await server.stop(0)
        await process.stop()


@contextlib.contextmanager
def lasting_rules() -> Iterator[str]:
    """Yield the address of one that outlasts the event loops of tests: the process that checks records takes half a second."""
    loop, stack = asyncio.new_event_loop(), contextlib.AsyncExitStack()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(stack.enter_async_context(running_rules()), loop).result(60)
    finally:
        asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
