"""Who has signed out everywhere, kept in the gateway's memory, so that a lookup tells whether a token is void.

The players service is asked every few seconds for news. While it is down, what is known stays known.
"""

import asyncio
from collections import OrderedDict
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from services.runtime.logs import logger
from services.runtime.settings import Settings

REMEMBERED = 200_000
"""How many players are remembered, some 200 bytes each; those who signed out longest ago are forgotten first."""
_TIMEOUT_S = 5.0
log = logger(__name__)


class SignOuts:
    """The valid generations of tokens, for players who have signed out."""

    def __init__(self) -> None:
        self._good: OrderedDict[str, int] = OrderedDict()
        self._cursor = 0

    def is_void(self, player_id: str, generation: int) -> bool:
        """Return whether a player's token of this generation is void."""
        return generation < self._good.get(player_id, 0)

    def note(self, player_id: str, generation: int) -> None:
        """Remember that tokens before this generation are void."""
        self._good[player_id] = max(generation, self._good.pop(player_id, 0))
        if len(self._good) > REMEMBERED:
            self._good.popitem(last=False)

    async def follow(self, channel: grpc.aio.Channel, config: Settings) -> None:
        """Keep asking for news, until cancelled."""
        stub: Any = players_pb2_grpc.PlayersServiceStub(channel)
        while True:
            try:
                while await self._next_page(stub):
                    pass
            except grpc.RpcError as error:
                log.debug("sign-outs cannot be asked for", error=str(error)[:200])
            await asyncio.sleep(config.sign_outs_s)

    async def _next_page(self, stub: Any) -> bool:
        request = players_pb2.ListSignOutsRequest(after=self._cursor)
        page: players_pb2.ListSignOutsResponse = await stub.ListSignOuts(request, timeout=_TIMEOUT_S)
        for one in page.sign_outs:
            self.note(one.player_id, one.generation)
        is_more = page.cursor > self._cursor
        self._cursor = max(self._cursor, page.cursor)
        return is_more
