"""How many watches, Connect streams and JSON calls may be open: by player, and by address for all who share it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Caller
from services.runtime.refusal import Refused


class OpenStreams:
    """Counts what is open."""

    def __init__(self, per_player: int, per_address: int) -> None:
        """Take the bounds."""
        self._per_player = per_player
        self._per_address = per_address
        self._players: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def enter(self, caller: Caller) -> None:
        """Count one more. Raises Refused (FULL) if there are too many."""
        player = caller.player.id if caller.player else None
        if player is not None and self._players[player] >= self._per_player:
            raise _full("player", self._per_player)
        if self._addresses[caller.address] >= self._per_address:
            raise _full("address", self._per_address)
        if player is not None:
            self._players[player] += 1
        self._addresses[caller.address] += 1

    def leave(self, caller: Caller) -> None:
        """Count one less."""
        if caller.player:
            _drop(self._players, caller.player.id)
        _drop(self._addresses, caller.address)

    @contextmanager
    def one(self, caller: Caller) -> Iterator[None]:
        """Return a block within which one more is counted. Raises Refused (FULL)."""
        self.enter(caller)
        try:
            yield
        finally:
            self.leave(caller)


def _drop(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


def _full(whose: str, limit: int) -> Refused:
    message = f"this {whose} has {limit} watches, streams and calls open, which is the maximum"
    return Refused(errors_pb2.REASON_FULL, message, details={"limit": whose}, retry_after_ms=1000)
