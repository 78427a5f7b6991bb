"""Which players have signed out, so that seat tokens they were given before are good for nothing.

A token is stored with the number of its player's last sign-out that the gateway knew of when it was given. So nothing needs to be
written when somebody signs out, however many sessions they have, and a gateway that does not know yet gets no good token.
A process that has just begun knows the sign-outs so far once the players service has answered; until then all tokens are good.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from brettwerk.internal.v1 import players_pb2
from services.runtime import sign_out_feed
from services.runtime.channel import open_channel
from services.session.domain.state import State


class SignOuts:
    """The numbers of players' last sign-outs."""

    def __init__(self, address: str) -> None:
        """Take the players service's address."""
        self._channel = open_channel(address, "session")
        self._numbers: OrderedDict[str, int] = OrderedDict()

    def good(self, state: State) -> State:
        """Return the state without tokens that are void."""
        return state.without_void_tokens(self._numbers) if self._numbers else state

    def note(self, player_id: str, number: int) -> bool:
        """Remember a sign-out. Returns whether it was not known."""
        known = self._numbers.pop(player_id, 0)
        self._numbers[player_id] = max(number, known)
        if len(self._numbers) > sign_out_feed.REMEMBERED:
            self._numbers.popitem(last=False)
        return number > known

    async def run(self, on_new: Callable[[], None]) -> None:
        """Keep up with the players service, until cancelled. `on_new` is called when tokens have become void."""

        async def heard(page: Sequence[players_pb2.SignOut]) -> None:
            new = [self.note(one.player_id, one.number) for one in page]
            if any(new):
                on_new()

        await sign_out_feed.follow(self._channel, heard)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()
