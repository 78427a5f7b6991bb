"""Tables at which only computers sit: created by hosts, each a player with an address of their own, and watched or not."""

import asyncio
import contextlib
import secrets

from brettwerk.v1 import play_pb2, record_pb2
from loadtests.computers.guest import ERRORS, OVER, RETRY_AFTER_S, Guest
from loadtests.computers.mix import Company, Kind
from loadtests.computers.notes import Game, Notes, now
from loadtests.crowd.endpoints import Client, RefusedError

LOOK_S = 1.0
"""How often somebody checks whether a game that nobody watches is over."""


class Table:
    """Computers who play one game after the other."""

    def __init__(self, host: Guest, kind: Kind, notes: Notes) -> None:
        self.kind = kind
        self.game: Game | None = None
        self.again = True
        """Whether another game follows."""
        self.unwatched = asyncio.Event()
        """When it is set, whoever watches goes away."""
        self._host, self._notes = host, notes
        self._over = asyncio.Event()

    async def play_on(self) -> None:
        """Let them play until cancelled, or until the game is over and none is to follow."""
        while True:
            try:
                if self.game is None or (self.game.over and self.again):
                    await self.create()
                elif self.game.over:
                    return
                if self.kind.company is Company.WATCHER and not self.unwatched.is_set():
                    await self._watch()
                else:
                    await asyncio.sleep(LOOK_S)
                    await self._look()
            except RefusedError:
                await asyncio.sleep(RETRY_AFTER_S)
            except ERRORS:
                await self._host.drop()
                await asyncio.sleep(RETRY_AFTER_S)

    async def leave(self) -> None:
        """Close the game that is being played."""
        if self.game is not None and not self.game.over:
            self.game.computer_was_to_act, self.game.left_at = True, now()
            close = play_pb2.CloseSessionRequest(session_id=self.game.session_id, request_id=secrets.token_hex(8))
            with contextlib.suppress(RefusedError):
                await self._host.call(play_pb2.Call(close_session=close))

    async def create(self) -> None:
        """Begin a game."""
        computer = play_pb2.SeatWish(computer=record_pb2.Computer(level=self.kind.level))
        request = play_pb2.CreateSessionRequest(
            game=self.kind.game, seats=[computer] * self.kind.computers, request_id=secrets.token_hex(8)
        )
        created = (await self._host.call(play_pb2.Call(create_session=request))).create_session
        self.game = Game(created.session.id, self.kind)
        self._notes.games.append(self.game)

    async def _look(self) -> None:
        assert self.game
        request = play_pb2.GetSessionRequest(session_id=self.game.session_id)
        answer = await self._host.call(play_pb2.Call(get_session=request))
        self.game.over = answer.get_session.update.session.state in OVER

    async def _watch(self) -> None:
        """Watch until the game is over, the connection is lost, or the watcher is to go."""
        assert self.game
        self._over.clear()
        client, watch = await self._host.watch(play_pb2.WatchRequest(session_id=self.game.session_id), self._hear)
        while not self._over.is_set() and not client.ended and not self.unwatched.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._over.wait()
        self.game.over = self._over.is_set()
        await self._end_watch(client, watch)

    async def _end_watch(self, client: Client, watch: int) -> None:
        if not client.ended:
            with contextlib.suppress(RefusedError):
                await client.unwatch(watch)

    def _hear(self, message: play_pb2.WatchResponse) -> None:
        kind = message.WhichOneof("kind")
        if kind == "heartbeat":
            self._notes.waits_shown += len(message.heartbeat.computer_waits)
            return
        update = message.update if kind == "update" else message.resync.update
        if self.game and update.session_id == self.game.session_id and update.session.state in OVER:
            self._over.set()
