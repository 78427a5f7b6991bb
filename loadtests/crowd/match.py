"""Plays EinStein matches without an end: two players who each watch their own seat, one connection a player."""

import asyncio
import random
import secrets
import time
from collections.abc import Callable

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from loadtests.crowd.endpoints import Client, Endpoints, RefusedError
from loadtests.crowd.results import Results

OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)


STUCK_S = 30.0
"""A player who hears nothing for so long has found a fault."""


class Player:
    """One player: a connection, a seat, and the newest update of it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self.session_id = ""
        self.seat_token = ""
        self.newest: sessions_pb2.Update | None = None
        self._watch = 0
        self._arrived = asyncio.Event()
        self.on_update: Callable[[sessions_pb2.Update], None] | None = None

    @classmethod
    async def enter(cls, endpoints: Endpoints, name: str) -> "Player":
        """Return a player with an identity and an open connection."""
        client = await endpoints.open()
        answer = await client.call(
            play_pb2.Call(create_player=play_pb2.CreatePlayerRequest(name=name, request_id=secrets.token_hex(8)))
        )
        await client.authenticate(answer.create_player.player_token)
        return cls(client, name)

    async def watch(self) -> None:
        """Watch the own seat."""
        self.newest = None
        if self._watch:
            await self.client.unwatch(self._watch)
        request = play_pb2.WatchRequest(session_id=self.session_id, seat_token=self.seat_token)
        self._watch = await self.client.watch(request, self._feed)

    def _feed(self, message: play_pb2.WatchResponse) -> None:
        kind = message.WhichOneof("kind")
        if kind == "heartbeat":
            return
        update = message.update if kind == "update" else message.resync.update
        if update.session_id != self.session_id:
            return
        self.newest = update
        if self.on_update is not None:
            self.on_update(update)
        self._arrived.set()

    async def turn(self) -> sessions_pb2.Update | None:
        """Return the update in which this seat may act, or None when the game is over."""
        while True:
            update = self.newest
            if update is not None:
                if update.session.state in OVER:
                    return None
                if update.actions:
                    return update
            self._arrived.clear()
            async with asyncio.timeout(STUCK_S):
                await self._arrived.wait()

    async def act(self, update: sessions_pb2.Update, dice: random.Random) -> int:
        """Play a random action; returns the version that it made."""
        action = dice.choice(update.actions).action
        answer = await self.client.call(
            play_pb2.Call(
                act=play_pb2.ActRequest(
                    session_id=self.session_id,
                    seat_token=self.seat_token,
                    expected_version=update.version,
                    action=action,
                    request_id=secrets.token_hex(8),
                )
            )
        )
        return answer.act.version

    async def act_counted(self, update: sessions_pb2.Update, dice: random.Random, results: Results) -> bool:
        """Play a random action, and return whether it was accepted; a refusal is counted, and waited for as long as it says."""
        try:
            await self.act(update, dice)
        except RefusedError as refused:
            results.refused(errors_pb2.Reason.Name(refused.refusal.reason))
            await asyncio.sleep(refused.refusal.retry_after_ms / 1000)
            return False
        results.accepted += 1
        self.newest = None if self.newest is update else self.newest
        return True


class Match:
    """Two players who play one game after another."""

    def __init__(self, white: Player, black: Player, results: Results, think_s: float, dice: random.Random) -> None:
        self._players = (white, black)
        self._results = results
        self._think_s = think_s
        self._dice = dice
        self._sent: dict[int, float] = {}
        self._seen: dict[int, int] = {}

    async def play_on(self) -> None:
        """Play until cancelled."""
        while True:
            await self.begin()
            await asyncio.gather(*(self._play(player) for player in self._players))
            self._results.games += 1

    async def begin(self) -> None:
        """Found a session, take both seats and watch them."""
        white, black = self._players
        created = await white.client.call(
            play_pb2.Call(
                create_session=play_pb2.CreateSessionRequest(
                    game="einstein",
                    seats=[play_pb2.SeatWish(me=True), play_pb2.SeatWish(open=True)],
                    request_id=secrets.token_hex(8),
                )
            )
        )
        session_id = created.create_session.session.id
        white.session_id, white.seat_token = session_id, created.create_session.grants[0].seat_token
        joined = await black.client.call(
            play_pb2.Call(
                join_session=play_pb2.JoinSessionRequest(session_id=session_id, seat=1, request_id=secrets.token_hex(8))
            )
        )
        black.session_id, black.seat_token = session_id, joined.join_session.grant.seat_token
        self._sent.clear()
        self._seen.clear()
        for player in self._players:
            player.on_update = self._on_update
            await player.watch()

    async def _play(self, player: Player) -> None:
        while (update := await player.turn()) is not None:
            if self._think_s:
                await asyncio.sleep(self._think_s * self._dice.uniform(0.5, 1.5))
            self._sent[update.version + 1] = time.perf_counter()
            await player.act_counted(update, self._dice, self._results)

    def _on_update(self, update: sessions_pb2.Update) -> None:
        sent = self._sent.get(update.version)
        if sent is None:
            return
        self._seen[update.version] = self._seen.get(update.version, 0) + 1
        if self._seen[update.version] == len(self._players):
            self._results.latencies_s.append(time.perf_counter() - sent)
            del self._sent[update.version], self._seen[update.version]
