"""Which server owns which shard, as far as the servers of a channel have told."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from services.runtime.link import bounds

L = TypeVar("L")


class Owners(Generic[L]):
    """The owner of a shard is the server that claims it with the highest epoch; of equal ones who owned it before.

    Nothing is remembered of servers that are gone.
    """

    def __init__(self) -> None:
        self.owners: list[L | None] = [None] * bounds.MAX_SHARDS
        """The owner of each shard; None while nobody claims it."""
        self.epochs = [-1] * bounds.MAX_SHARDS
        """By which they own them."""
        self._claims: dict[L, Mapping[int, int]] = {}
        self.are_known = False
        """Whether any server tells what it owns, be it nothing."""

    def tell(self, server: L, claims: Mapping[int, int]) -> bool:
        """Note which shards a server claims from now on, with which epochs. Returns whether that changes anything."""
        before = self._claims.get(server)
        if before == claims:
            return False
        self._claims[server] = claims
        self.are_known = True
        changed = [self._judge(shard) for shard in {*(before or ()), *claims}]
        return before is None or any(changed)

    def forget(self, server: L) -> bool:
        """Note that a server is gone. Returns whether that changes anything."""
        before = self._claims.pop(server, None)
        if before is None:
            return False
        self.are_known = bool(self._claims)
        for shard in before:
            self._judge(shard)
        return True

    def overtaken(self) -> set[tuple[L, int, int]]:
        """Return the claims (server, shard, epoch) that a higher epoch has made void: who makes them does not know that yet."""
        return {
            (server, shard, epoch)
            for server, claims in self._claims.items()
            for shard, epoch in claims.items()
            if epoch < self.epochs[shard]
        }

    def _judge(self, shard: int) -> bool:
        """Find the owner anew. Returns whether it is another, or the same by another epoch."""
        before = owner, _ = self.owners[shard], self.epochs[shard]
        best, newest = None, -1
        for server, claims in self._claims.items():
            epoch = claims.get(shard)
            if epoch is not None and (epoch > newest or (epoch == newest and server is owner)):
                best, newest = server, epoch
        self.owners[shard], self.epochs[shard] = best, newest
        return before != (best, newest)
