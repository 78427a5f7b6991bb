"""Servers that own shards, here or in processes of their own, and channels to them."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from services.runtime.link import LinkServer, bounds, metadata_for_shard
from services.runtime.refusal import moved
from tests.services.runtime.link.ends import (
    Awaited,
    Request,
    Response,
    channel_to,
    methods_of,
    said,
    say,
    served,
    until,
)


class Owning:
    """A server that owns shards, carries out only what is in them, and writes down what it has carried out.

    A call says its shard and a name ("5 first"); those named "hang" are never answered.
    """

    def __init__(self) -> None:
        self.owned: dict[int, int] = {}
        self.done: list[str] = []
        self.came = 0
        self.servicer = Awaited(self._handle)  # type: ignore[abstract]
        self.server: LinkServer
        self.where = ""

    async def _handle(self, request: Request) -> Response:
        self.came += 1
        await asyncio.sleep(0)
        shard, _, name = request.page_token.partition(" ")
        if name == "hang":
            await asyncio.Event().wait()
        if int(shard) not in self.owned:
            raise moved(int(shard))
        self.done.append(name)
        return said(self.where)

    def own(self, owned: Mapping[int, int], *, is_known: bool = True) -> None:
        self.owned = dict(owned)
        if is_known:
            self.server.announce(owned)


@contextlib.asynccontextmanager
async def owning(count: int) -> AsyncIterator[list[Owning]]:
    """Yield servers that own nothing and have told so."""
    async with contextlib.AsyncExitStack() as stack:
        servers = [Owning() for _ in range(count)]
        for one in servers:
            one.server, one.where = await stack.enter_async_context(served(one.servicer))
            one.own({})
        yield servers


@contextlib.asynccontextmanager
async def calling(servers: Iterable[Owning]) -> AsyncIterator[Any]:
    """Yield a stub whose channel has heard of all of them."""
    servers = list(servers)
    async with channel_to(",".join(one.where for one in servers)) as stub:
        stub.channel.get_state(try_to_connect=True)
        await until(lambda: len(stub.channel._routing.links) == len(servers))
        yield stub


def ask(stub: Any, shard: int, name: str = "x", timeout: float = 30) -> Any:
    return stub.FindGames(say(f"{shard} {name}"), timeout=timeout, metadata=metadata_for_shard(shard))


def find(stub: Any, shard: int, name: str = "x", timeout: float = 30) -> Any:
    """Ask without knowing the shard."""
    return stub.FindGames(say(f"{shard} {name}"), timeout=timeout)


async def heard(stub: Any, servers: Iterable[Owning]) -> None:
    """Wait until the channel has heard what servers own now."""
    owned = {shard: one.where for one in servers for shard in one.owned}

    def is_so() -> bool:
        links = [stub.channel.owner(shard) for shard in range(bounds.MAX_SHARDS)]
        return {n: f"{link.place.host}:{link.place.port}" for n, link in enumerate(links) if link is not None} == owned

    await until(is_so)


async def main(where: str) -> None:
    one = Owning()
    one.where = where
    one.server = LinkServer(methods_of(one.servicer))
    one.own({})
    await one.server.listen(where)
    while line := await asyncio.to_thread(sys.stdin.readline):
        shard, epoch = map(int, line.split())
        one.own({shard: epoch})
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
