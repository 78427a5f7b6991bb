"""The players who have signed out, kept in the gateway's memory, so that a lookup tells whether a token is void."""

import contextlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

import grpc

from brettwerk.internal.v1 import players_pb2
from services.runtime import sign_out_feed
from services.runtime.sign_out_feed import REMEMBERED


class SignOuts:
    """The valid generations of tokens, for players who have signed out, and the numbers of their last sign-outs."""

    def __init__(self) -> None:
        self.refresh: Callable[[], Awaitable[None]] = _nothing
        """Called when there is a sign-out that was not known, and before its number is: API tokens may have changed with it."""
        self._good: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._head = 0

    def is_void(self, player_id: str, generation: int) -> bool:
        """Return whether a player's token of this generation is void."""
        return generation < self._good.get(player_id, (0, 0))[0]

    def number_of(self, player_id: str) -> int:
        """Return the number of a player's last sign-out; 0 if none is known."""
        return self._good.get(player_id, (0, 0))[1]

    def note(self, player_id: str, generation: int, number: int = 0) -> None:
        """Remember that tokens before this generation are void, and the sign-out's number where it is known."""
        known_generation, known_number = self._good.pop(player_id, (0, 0))
        self._good[player_id] = max(generation, known_generation), max(number, known_number)
        if len(self._good) > REMEMBERED:
            self._good.popitem(last=False)

    async def look(self, channel: grpc.aio.Channel) -> None:
        """Ask for what is new at once; if that fails, it is heard of soon."""
        with contextlib.suppress(grpc.RpcError):
            await self._heard(await sign_out_feed.page(channel, self._head))

    async def follow(self, channel: grpc.aio.Channel) -> None:
        """Keep up with the players service, until cancelled."""
        await sign_out_feed.follow(channel, self._heard)

    async def _heard(self, page: Sequence[players_pb2.SignOut]) -> None:
        """Note who has signed out. Raises grpc.RpcError if it cannot be found out which API tokens are void since."""
        new = [one for one in page if one.number > self.number_of(one.player_id)]
        for one in new:
            self.note(one.player_id, one.generation)
        if new:
            await self.refresh()
        # Only now: with the number, a token that was not known to be void would get seat tokens that are good.
        for one in new:
            self._head = max(self._head, one.number)
            self.note(one.player_id, one.generation, one.number)


async def _nothing() -> None:
    """Do nothing."""
