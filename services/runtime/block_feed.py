"""The players who have blocked somebody or are blocked, as a session process knows them: it need not ask about any others.

The players service is asked for them again and again, and answers when there are others. It lets nobody believe that a block has
been made before this process has come again after it heard of that. While it does not answer, nothing is known here.
"""

import asyncio
import secrets
from collections.abc import Iterable
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2
from services.runtime.logs import logger

WAIT_MS = 5_000
"""How long the players service waits for another block before it answers without."""
PAUSE_S = 1.0
"""The pause after a call that failed; an earlier release of the players service does not know it."""
_TIMEOUT_S = 5.0
log = logger(__name__)


class BlockFeed:
    """The players. Of those who are not among them it is certain that they may be brought together with everybody."""

    def __init__(self, stub: Any) -> None:
        """Take the stub of the players service."""
        self._stub = stub
        self._process = secrets.token_hex(16)
        self._version = ""
        self._players: frozenset[str] | None = None
        """None where it is not known."""

    def are_free(self, player: str, others: Iterable[str]) -> bool:
        """Return whether it is certain that between a player and the others there is no block."""
        if self._players is None:
            return False
        return player not in self._players or self._players.isdisjoint(others)

    async def run(self) -> None:
        """Keep up with the players service, until cancelled."""
        while True:
            request = players_pb2.ListPlayersWithBlocksRequest(version=self._version, wait_ms=WAIT_MS, process=self._process)
            try:
                self._learn(await self._stub.ListPlayersWithBlocks(request, timeout=WAIT_MS / 1000 + _TIMEOUT_S))
            except grpc.RpcError as error:
                self._version, self._players = "", None
                log.debug("blocks cannot be asked for", error=str(error)[:200])
                await asyncio.sleep(PAUSE_S)

    def _learn(self, found: players_pb2.ListPlayersWithBlocksResponse) -> None:
        if found.version == self._version:
            return
        self._version = found.version
        self._players = None if found.too_many else frozenset(found.players)
