"""The rules service as the tests of the session service ask it: the real one, in this process."""

import contextlib
from collections.abc import AsyncIterator
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
