"""The players service's list of sign-outs, as gateways and session processes follow it: each is heard of within a second.

Nothing waits for it. While the players service is down, what is known stays known.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.logs import logger

REMEMBERED = 200_000
"""How many players are remembered, some 200 bytes each; those who signed out longest ago are forgotten first."""
WAIT_MS = 5_000
"""How long the players service waits for another one before it answers without."""
PAUSE_S = 0.25
"""The pause after a call that failed, or brought nothing new: an earlier release of the players service does not wait."""
_TIMEOUT_S = 5.0
log = logger(__name__)


async def page(channel: grpc.aio.Channel, after: int) -> Sequence[players_pb2.SignOut]:
    """Return the sign-outs after a number, as far as they fit in a page. Raises grpc.RpcError."""
    stub: Any = players_pb2_grpc.PlayersServiceStub(channel)
    found: players_pb2.ListSignOutsResponse = await stub.ListSignOuts(
        players_pb2.ListSignOutsRequest(after=after), timeout=_TIMEOUT_S
    )
    return found.sign_outs


async def follow(channel: grpc.aio.Channel, note: Callable[[Sequence[players_pb2.SignOut]], Awaitable[None]]) -> None:
    """Pass on pages of sign-outs, each of them perhaps several times, until cancelled.

    A page is passed on again if that raises grpc.RpcError.
    """
    stub: Any = players_pb2_grpc.PlayersServiceStub(channel)
    cursor = 0
    while True:
        request = players_pb2.ListSignOutsRequest(after=cursor, wait_ms=WAIT_MS)
        try:
            found: players_pb2.ListSignOutsResponse = await stub.ListSignOuts(request, timeout=WAIT_MS / 1000 + _TIMEOUT_S)
            await note(found.sign_outs)
        except grpc.RpcError as error:
            log.debug("sign-outs cannot be asked for", error=str(error)[:200])
            found = players_pb2.ListSignOutsResponse()
        if found.cursor <= cursor:
            await asyncio.sleep(PAUSE_S)
        cursor = max(cursor, found.cursor)


class SignOuts:
    """The numbers of players' last sign-outs, which void the seat tokens that were given before.

    A token is stored with the number of its player's last sign-out that the gateway knew of when it was given. So nothing needs
    to be written when somebody signs out, however many sessions they have, and a gateway that does not know yet gets no good
    token. A process that has just begun knows the sign-outs so far once the players service has answered; until then all tokens
    are good.
    """

    def __init__(self, address: str) -> None:
        """Take the players service's address."""
        self._channel = open_channel(address, "session")
        self.numbers: OrderedDict[str, int] = OrderedDict()

    def note(self, player_id: str, number: int) -> bool:
        """Remember a sign-out. Returns whether it was not known."""
        known = self.numbers.pop(player_id, 0)
        self.numbers[player_id] = max(number, known)
        if len(self.numbers) > REMEMBERED:
            self.numbers.popitem(last=False)
        return number > known

    async def run(self, on_new: Callable[[], None]) -> None:
        """Keep up with the players service, until cancelled. `on_new` is called when tokens have become void."""

        async def heard(found: Sequence[players_pb2.SignOut]) -> None:
            new = [self.note(one.player_id, one.number) for one in found]
            if any(new):
                on_new()

        await follow(self._channel, heard)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()
