"""People who play against computers: one game after the other, with a hint now and then, from pictures that they are sent."""

import asyncio
import contextlib
import random
import secrets

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, sessions_pb2
from loadtests.computers.guest import ERRORS, OVER, RETRY_AFTER_S, Guest
from loadtests.computers.mix import END_OF_TURN, Kind
from loadtests.computers.notes import Asked, Game, Notes, Wait, now
from loadtests.crowd.endpoints import Client, RefusedError

OWN_SEAT = 0
LOOK_S = 5.0
"""A person who hears nothing for so long makes sure that the connection is there."""


class Person:
    """One person at one table after the other. `pause_s` is how long they take for a move, `hints` how often they want a hint."""

    def __init__(self, guest: Guest, kind: Kind, notes: Notes, pause_s: float, hints: float, seed: int) -> None:
        self.kind = kind
        self.game: Game | None = None
        self.rests = asyncio.Event()
        """When it is set, the person does nothing more, and stays."""
        self._guest = guest
        self._notes = notes
        self._pause_s, self._hints = pause_s, hints
        self._dice = random.Random(seed)
        self._seat_token = ""
        self._newest: sessions_pb2.Update | None = None
        self._news = asyncio.Event()
        self._watched: Client | None = None
        self._since: float | None = None
        self._mover = -1
        self._acted_on = 0

    async def play_on(self) -> None:
        """Play until cancelled."""
        while True:
            try:
                if self.game is None or self.game.over:
                    await self._sit_down()
                await self._play()
            except RefusedError:
                await asyncio.sleep(RETRY_AFTER_S)
            except ERRORS:
                await self._guest.drop()
                await asyncio.sleep(RETRY_AFTER_S)

    async def leave(self) -> None:
        """Give up the game that is being played."""
        if self.game is not None and not self.game.over:
            self.game.computer_was_to_act, self.game.left_at = self._since is not None, now()
            close = play_pb2.CloseSessionRequest(
                session_id=self.game.session_id, seat_token=self._seat_token, request_id=secrets.token_hex(8)
            )
            with contextlib.suppress(RefusedError):
                await self._guest.call(play_pb2.Call(close_session=close))
        await self.close()

    async def close(self) -> None:
        """Go, and leave the game as it stands."""
        await self._guest.close()

    @property
    def waits_since(self) -> float | None:
        """Since when the person waits for a computer, in seconds since 1970."""
        return self._since

    async def _sit_down(self) -> None:
        computer = play_pb2.SeatWish(computer=record_pb2.Computer(level=self.kind.level))
        request = play_pb2.CreateSessionRequest(
            game=self.kind.game,
            seats=[play_pb2.SeatWish(me=True)] + [computer] * self.kind.computers,
            request_id=secrets.token_hex(8),
        )
        created = (await self._guest.call(play_pb2.Call(create_session=request))).create_session
        self._newest, self._since, self._watched = None, None, None
        self._mover, self._acted_on = -1, 0
        self._seat_token = created.grants[0].seat_token
        self.game = Game(created.session.id, self.kind)
        self._notes.games.append(self.game)

    async def _play(self) -> None:
        """Do what is next: watch, act, or wait for news."""
        assert self.game
        client = await self._guest.client()
        if client is not self._watched:
            request = play_pb2.WatchRequest(session_id=self.game.session_id, seat_token=self._seat_token)
            if self._newest is not None:
                request.after_version, request.after_at_ms = self._newest.version, self._newest.at_ms
            self._watched, _ = await self._guest.watch(request, self._hear)
        update = self._newest
        if update is not None and update.actions and update.version != self._acted_on and not self.rests.is_set():
            await asyncio.sleep(self._pause_s * self._dice.uniform(0.5, 1.5))
            if self._dice.random() < self._hints:
                await self._ask_for_hint()
            await self._act(update)
            return
        self._news.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):
                await self._news.wait()
            return
        await self._look()

    async def _act(self, update: sessions_pb2.Update) -> None:
        request = play_pb2.ActRequest(
            session_id=update.session_id,
            seat_token=self._seat_token,
            expected_version=update.version,
            action=self._choice(update),
            request_id=secrets.token_hex(8),
        )
        self._acted_on = update.version
        try:
            await self._guest.call(play_pb2.Call(act=request))
        except RefusedError as refused:
            if refused.refusal.reason != errors_pb2.REASON_STALE_VERSION:
                raise

    async def _look(self) -> None:
        """See how the game stands, also when it stands as before: what was done is then lost, and done again."""
        assert self.game
        request = play_pb2.GetSessionRequest(session_id=self.game.session_id, seat_token=self._seat_token)
        update = (await self._guest.call(play_pb2.Call(get_session=request))).get_session.update
        if update.version == self._acted_on and update.actions:
            self._acted_on = 0
        self._see(update)

    def _hear(self, message: play_pb2.WatchResponse) -> None:
        kind = message.WhichOneof("kind")
        if kind == "heartbeat":
            self._notes.waits_shown += len(message.heartbeat.computer_waits)
        else:
            self._see(message.update if kind == "update" else message.resync.update)

    def _see(self, update: sessions_pb2.Update) -> None:
        if self.game is None or update.session_id != self.game.session_id:
            return
        if self._newest is not None and update.version == self._newest.version:
            return
        self._newest = update
        happening, at = update.happening, now()
        if happening.kind == sessions_pb2.Happening.KIND_ACTED:
            mover = happening.concerned_seat
            if mover != OWN_SEAT and self._since is not None:
                self._notes.waits.append(Wait(self.kind, at, at - self._since, mover != self._mover))
            self._mover = mover
        self.game.over = update.session.state in OVER
        self._since = at if not self.game.over and any(seat != OWN_SEAT for seat in update.to_act) else None
        self._news.set()

    def _choice(self, update: sessions_pb2.Update) -> AnyMessage:
        ends = [choice for choice in update.actions if choice.notation.lower() in END_OF_TURN]
        return (ends[0] if ends and self._dice.random() < 0.5 else self._dice.choice(update.actions)).action

    async def _ask_for_hint(self) -> None:
        assert self.game
        request = play_pb2.GetHintRequest(session_id=self.game.session_id, seat_token=self._seat_token)
        began, refused = now(), ""
        try:
            await self._guest.call(play_pb2.Call(get_hint=request), attempts=1)
        except RefusedError as error:
            refused = errors_pb2.Reason.Name(error.refusal.reason)
        except ERRORS as error:
            refused = type(error).__name__
        self._notes.hints.append(Asked(self.kind, now(), now() - began, refused))
