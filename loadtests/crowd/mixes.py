"""The members of a crowd, beside pairs of people (match.py): players against computers, and watchers who get cut off."""

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from brettwerk.v1 import play_pb2, record_pb2
from loadtests.crowd.endpoints import Client, Endpoints, RefusedError
from loadtests.crowd.match import OVER, Player
from loadtests.crowd.results import Results

_RETRY_AFTER_S = 0.5


class Solo:
    """One player who plays against the computer, game after game."""

    def __init__(self, player: Player, results: Results, think_s: float, level: str, dice: random.Random) -> None:
        self._player = player
        self._results = results
        self._think_s = think_s
        self._level = level
        self._dice = dice

    async def play_on(self) -> None:
        """Play until cancelled."""
        player = self._player
        while True:
            seats = [play_pb2.SeatWish(me=True), play_pb2.SeatWish(computer=record_pb2.Computer(level=self._level))]
            wanted = play_pb2.CreateSessionRequest(game="einstein", seats=seats, request_id=secrets.token_hex(8))
            created = (await player.client.call(play_pb2.Call(create_session=wanted))).create_session
            player.session_id, player.seat_token = created.session.id, created.grants[0].seat_token
            await player.watch()
            while (update := await player.turn()) is not None:
                if self._think_s:
                    await asyncio.sleep(self._think_s * self._dice.uniform(0.5, 1.5))
                began = time.perf_counter()
                if await player.act_counted(update, self._dice, self._results):
                    self._results.latencies_s.append(time.perf_counter() - began)
            self._results.games += 1


@dataclass
class Storms:
    """When everybody who watches loses the connection at once, and how long it took each to see the game again."""

    blow: asyncio.Event = field(default_factory=asyncio.Event)
    recovered_s: list[float] = field(default_factory=list)

    async def blow_every(self, seconds: float) -> None:
        """Cut all watchers every so often, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            self.blow.set()
            self.blow = asyncio.Event()


class Watcher:
    """Somebody who watches whatever session `choose` names, without a seat, and comes back with the version seen last."""

    def __init__(self, endpoints: Endpoints, choose: Callable[[], str], storms: Storms) -> None:
        self._endpoints = endpoints
        self._choose = choose
        self._storms = storms
        self.updates = 0
        """How many it has seen."""
        self._version = 0
        self._seen = asyncio.Event()
        self._over = asyncio.Event()

    async def watch_on(self) -> None:
        """Watch until cancelled."""
        session_id = ""
        while True:
            chosen = self._choose()
            if chosen != session_id:
                session_id, self._version = chosen, 0
            began = time.perf_counter()
            self._seen, self._over = asyncio.Event(), asyncio.Event()
            blow = self._storms.blow
            client = await self._endpoints.open()
            try:
                await self._watch(client, session_id)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._seen.wait(), 10)
                    self._storms.recovered_s.append(time.perf_counter() - began)
                await _either(blow, self._over)
            except (OSError, RefusedError, ConnectionError):
                await asyncio.sleep(_RETRY_AFTER_S)
            finally:
                await client.close()

    async def _watch(self, client: Client, session_id: str) -> None:
        request = play_pb2.WatchRequest(session_id=session_id, after_version=self._version)
        await client.watch(request, self._feed)

    def _feed(self, message: play_pb2.WatchResponse) -> None:
        self._seen.set()
        kind = message.WhichOneof("kind")
        if kind == "heartbeat":
            return
        update = message.update if kind == "update" else message.resync.update
        self._version = max(self._version, update.version)
        self.updates += 1
        if update.session.state in OVER:
            self._over.set()


async def _either(*events: asyncio.Event) -> None:
    """Return when one of the events happens."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
