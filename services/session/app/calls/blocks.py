"""Players not to meet, tables for reliable ones, and what players are called, as the players service knows them.

Blocks are asked for before somebody sits down, is invited or speaks, unless it is known already that there are none; no action of
a game asks. While the players service is away nothing is known of blocks or of who leaves games, and play goes on without that.
"""

from collections.abc import Collection
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.block_feed import BlockFeed
from services.runtime.channel import open_channel
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.domain.ids import is_arranged
from services.session.domain.state import State

TIMEOUT_S = 1.0
"""How long somebody waits at most because the players service does not answer."""

log = logger(__name__)


class Blocks:
    """Asks the players service."""

    def __init__(self, address: str) -> None:
        """Take the address of the players service."""
        self._channel = open_channel(address, "session")
        self._stub: Any = players_pb2_grpc.PlayersServiceStub(self._channel)
        self._channel.get_state(try_to_connect=True)  # the first who asks need not wait for it
        self._feed = BlockFeed(self._stub)
        self.run = self._feed.run

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def found(self, player: str, others: Collection[str]) -> frozenset[str]:
        """Return those of the others whom the player has blocked, or who have blocked the player."""
        asked = sorted({*others} - {"", player})
        if not asked or not player:
            return frozenset()
        # Without a connection the list may be an old one.
        reached = self._channel.get_state(try_to_connect=True)
        if reached == grpc.ChannelConnectivity.READY and self._feed.are_free(player, asked):
            return frozenset()
        if reached == grpc.ChannelConnectivity.TRANSIENT_FAILURE:
            return frozenset()
        try:
            request = players_pb2.FindBlocksRequest(player_id=player, others=asked)
            response: players_pb2.FindBlocksResponse = await self._stub.FindBlocks(request, timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            log.warning("blocks are not known at the moment", code=error.code().name)
            return frozenset()
        return frozenset(response.blocked)

    async def name_of(self, player: str) -> str:
        """Return what a player is called; empty for one without an account. Raises Refused (UNAVAILABLE)."""
        try:
            request = players_pb2.FindNameRequest(player_id=player)
            response: players_pb2.FindNameResponse = await self._stub.FindName(request, timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            log.warning("names are not known at the moment", code=error.code().name)
            raise Refused(errors_pb2.REASON_UNAVAILABLE, "the players service is away", retry_after_ms=1000) from None
        return response.name

    async def check(self, player: str, others: Collection[str]) -> None:
        """Check that a player may be brought together with others. Raises Refused (BLOCKED)."""
        if await self.found(player, others):
            raise Refused(errors_pb2.REASON_BLOCKED, "one of these players has blocked another of them")

    async def check_table(self, player: str, state: State) -> None:
        """Check that a player may sit down with those who are at a table already. Raises Refused (BLOCKED, LEFT_GAMES).

        Their own seats are theirs: one that they sit in, that a computer plays in meanwhile, or that a challenge, a pool, a
        tournament or the arena has given them.
        """
        owners = {seat.player_id or seat.kept_for for seat in state.seats}
        if player in owners and (state.has_begun or is_arranged(state.created.creator.player_id)):
            return
        if player not in state.players:
            await self.check(player, owners)
            await self._check_reliability(player, state.created)

    async def _check_reliability(self, player: str, created: record_pb2.Created) -> None:
        if not created.least_reliability or player == created.creator.player_id or self._is_away():
            return
        try:
            request = players_pb2.FindReliabilityRequest(player_id=player, clock=created.clock)
            response: players_pb2.FindReliabilityResponse = await self._stub.FindReliability(request, timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            log.warning("who leaves games is not known at the moment", code=error.code().name)
            return
        if response.HasField("percent") and response.percent < created.least_reliability:
            details = {"reliability": str(response.percent), "least": str(created.least_reliability)}
            message = "this table is for players who finish their games"
            raise Refused(errors_pb2.REASON_LEFT_GAMES, message, details=details)

    def _is_away(self) -> bool:
        return self._channel.get_state(try_to_connect=True) == grpc.ChannelConnectivity.TRANSIENT_FAILURE
