"""The systems that are measured: each brings crowds of tables, or whatever else has windows."""

import asyncio
import contextlib
import random
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from deploy.local.node import Node
from loadtests.actions.brettwerk_table import BrettwerkTable, Client
from loadtests.actions.crowd import Crowd
from loadtests.actions.figures import Window
from loadtests.actions.pace import Pace
from loadtests.actions.table import Score, Table
from loadtests.actions.yardstick.boardgame import BoardgameTable, Socket, Store, serve

AT_ONCE = 32
"""Connections that are opened at the same time."""
OTHER = "Brettwerk of "
"""The beginning of the name of a deployment of another commit."""
_SEED = 7
_One = TypeVar("_One")


class Windows(Protocol):
    """A crowd that can be measured window by window, in turns with others."""

    async def window(self, seconds: float, warm_up: float) -> Window:
        """Work for one window."""
        ...

    async def rest(self, seconds: float) -> Window:
        """Do nothing for one window."""
        ...

    def check(self) -> list[str]:
        """Return what was not as it must be."""
        ...


class System(Protocol):
    """A source of crowds."""

    name: str

    def crowd(self, tables: int, watchers: int, pace: Pace, *, rated: bool = False) -> AbstractAsyncContextManager[Windows]:
        """Return so many tables with so many watchers each, begun; they end with the context. Some systems have `rated` games."""
        ...


class Brettwerk:
    """A deployment that runs."""

    def __init__(
        self,
        address: str,
        pids: Callable[[], Mapping[str, int]],
        game: str,
        name: str = "Brettwerk",
        *,
        without_lists: bool = False,
    ) -> None:
        self.name = name
        self._without_lists = without_lists
        self._address, self._pids, self._game = address, pids, game

    @contextlib.asynccontextmanager
    async def crowd(self, tables: int, watchers: int, pace: Pace, *, rated: bool = False) -> AsyncIterator[Windows]:
        """Return a crowd at this deployment."""
        score = Score()
        everybody = await _in_turns(lambda n: Client.enter(self._address, n, score), tables * watchers)

        def table(clients: list[Client], dice: random.Random) -> Table:
            return BrettwerkTable(self._game, clients, score, pace, dice, rated=rated, without_lists=self._without_lists)

        crowd = Crowd(_tables(everybody, watchers, table), score, pace, self._pids)
        await crowd.begin()
        try:
            yield crowd
        finally:
            crowd.end()
            for client in everybody:
                client.close()


STORES: Mapping[Store, str] = {"memory": "boardgame.io", "flatfile": "boardgame.io, FlatFile", "redis": "boardgame.io, Redis"}
"""The yardsticks by where they keep matches, with their names."""


class Boardgame:
    """boardgame.io, a new process for each crowd: it forgets no match."""

    def __init__(self, node: Node, store: Store = "memory") -> None:
        self.name = STORES[store]
        self._node, self._store = node, store

    @contextlib.asynccontextmanager
    async def crowd(self, tables: int, watchers: int, pace: Pace, *, rated: bool = False) -> AsyncIterator[Windows]:
        """Return a crowd at a server of its own."""
        score = Score()
        with serve(self._node, self._store) as running:
            sockets = await _in_turns(lambda _: Socket.open(running.address, score), tables * watchers)

            def table(own: list[Socket], dice: random.Random) -> Table:
                return BoardgameTable(own, score, pace, dice)

            crowd = Crowd(_tables(sockets, watchers, table), score, pace, lambda: running.pids)
            await crowd.begin()
            try:
                yield crowd
            finally:
                crowd.end()
                for socket in sockets:
                    socket.close()


class Loop:
    """A fixed piece of Python work, again and again: what it is does not depend on the crowd."""

    def __init__(self) -> None:
        self.name = "fixed work"

    @contextlib.asynccontextmanager
    async def crowd(self, tables: int, watchers: int, pace: Pace, *, rated: bool = False) -> AsyncIterator[Windows]:
        """Return the same for every crowd."""
        yield self

    async def window(self, seconds: float, warm_up: float) -> Window:
        """Work for so long."""
        command = ("-m", "loadtests.actions.yardstick.loop", str(seconds))
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
        printed, _ = await process.communicate()
        done, took, cpu = printed.split()
        return Window(float(took), int(done), 0, {"loop": float(cpu)}, 0.0, 0.0, float("nan"), float("nan"))

    async def rest(self, seconds: float) -> Window:
        """Rest."""
        await asyncio.sleep(seconds)
        return Window(seconds, 0, 0, {"loop": 0.0}, 0.0, 0.0, float("nan"), float("nan"))

    def check(self) -> list[str]:
        """Return nothing: it has no watchers."""
        return []


def _tables(everybody: list[_One], watchers: int, table: Callable[[list[_One], random.Random], Table]) -> list[Table]:
    dice = random.Random(_SEED)
    groups: Iterable[list[_One]] = (everybody[n : n + watchers] for n in range(0, len(everybody), watchers))
    return [table(group, random.Random(dice.random())) for group in groups]


async def _in_turns(make: Callable[[int], Coroutine[None, None, _One]], number: int) -> list[_One]:
    made: list[_One] = []
    for first in range(0, number, AT_ONCE):
        made += await asyncio.gather(*(make(one) for one in range(first, min(number, first + AT_ONCE))))
    return made
