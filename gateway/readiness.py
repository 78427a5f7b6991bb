"""The services that a gateway's players lack: what calls need and is not there, as the session service sees it."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

KEPT_S = 1.0
"""Another look within this time hears the same: health is for everybody, and each look is a question to the store."""
_ANSWER_S = 2.0
NO_SESSION = ("session",)


class Readiness:
    """Asks the session service, once for all who want to know at the same time."""

    def __init__(self, sessions: session_pb2_grpc.SessionServiceStub) -> None:
        self._ask: Any = sessions.FindMissing  # over links its calls are to be awaited, which the generated types do not know
        self._looked_at = -KEPT_S
        self._missing: Sequence[str] = NO_SESSION
        self._looking = asyncio.Lock()

    async def missing(self) -> Sequence[str]:
        """Return the names of what is missing: store, rules, shards; session where the service itself does not answer."""
        async with self._looking:
            if time.monotonic() - self._looked_at >= KEPT_S:
                self._missing = await self._look()
                self._looked_at = time.monotonic()
            return self._missing

    async def _look(self) -> Sequence[str]:
        try:
            found = await self._ask(session_pb2.FindMissingRequest(), timeout=_ANSWER_S)
        except Refused as refused:
            is_older = refused.refusal.reason == errors_pb2.REASON_NO_SUCH_METHOD  # a process of an earlier release
            return () if is_older else NO_SESSION
        return tuple(found.missing)
