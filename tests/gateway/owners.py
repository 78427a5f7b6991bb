"""Session processes that own shards."""

from typing import Any

from brettwerk.internal.v1 import session_pb2
from services.runtime.link import LinkServer
from services.runtime.refusal import moved, newer
from tests.gateway.peer import Carried, Peer, Tailing
from tests.gateway.running_gateway import RunningGateway


def session_in(shard: int, letter: str = "a") -> str:
    return f"{shard:02x}{letter * 22}"


class Owner(Peer):
    """A session process that owns shards. The log of sessions is everybody's; only owners write it, and feed watches."""

    def __init__(self, log: dict[str, Any]) -> None:
        super().__init__()
        self.sessions = log
        self.owned: dict[int, int] = {}
        self.refused = 0
        self.is_too_old = False
        """Whether only a newer release understands its sessions."""

    async def start(self) -> None:
        await super().start()
        self.own(self.owned)

    def own(self, owned: dict[int, int]) -> None:
        """Own these shards from now on; watches of others end."""
        self.owned = owned
        self.server.announce(owned)
        for tailing in self.tailings:
            for number, session in list(tailing.follows.items()):
                if int(session[:2], 16) not in owned:
                    self.refuse(tailing, [number], moved(int(session[:2], 16)))

    @property
    def server(self) -> LinkServer:
        assert self._server is not None
        return self._server

    async def CarryOut(self, request, context):
        call = Carried(request).call
        session = getattr(getattr(call, call.WhichOneof("request") or ""), "session_id", "") or session_in(9)
        if int(session[:2], 16) not in self.owned:
            self.refused += 1
            raise moved(int(session[:2], 16))
        if self.is_too_old:
            self.refused += 1
            raise newer("format 9")
        return await super().CarryOut(request, context)  # type: ignore[no-untyped-call]

    def _begin(self, tailing: Tailing, follow: session_pb2.Follow) -> None:
        shard = int(follow.watch.session_id[:2], 16)
        if self.is_too_old and shard in self.owned:
            self.refuse(tailing, [follow.id], newer("format 9"))
        elif shard in self.owned:
            super()._begin(tailing, follow)
        else:
            self.refused += 1
            self.refuse(tailing, [follow.id], moved(shard))


async def heard(running: RunningGateway, owners: list[Owner]) -> None:
    """Wait until the gateway knows what they own."""

    def owned_at(port: int) -> set[int]:
        found = ((shard, running.gateway._channel.owner(shard)) for shard in range(16))
        return {shard for shard, link in found if link is not None and link.place.port == port}  # type: ignore[attr-defined]

    await owners[0].until(lambda: all(owned_at(one.port) == set(one.owned) for one in owners))


def give(shard: int, one: Owner, to: Owner) -> None:
    """Hand a shard over."""
    epoch = one.owned[shard] + 1
    one.own({known: old for known, old in one.owned.items() if known != shard})
    to.own({**to.owned, shard: epoch})
