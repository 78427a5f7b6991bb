"""Tables of Brettwerk: people with a connection each, who hold all seats, and spectators."""

import asyncio
import itertools
import random
import secrets
from collections.abc import Callable
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from brettwerk_games.rules.interface import Kind
from loadtests.actions import lean
from loadtests.actions.frames import Frames
from loadtests.actions.pace import Pace
from loadtests.actions.table import Score, Table
from loadtests.crowd.endpoints import RefusedError
from services.rules.any_codec import any_codec
from services.rules.steps import ACTIONS

SEATS = 2
_OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
_PATH = "/v1/connect"
_CALL_S = 60.0
MAX_ATTEMPTS = 10
"""A refused action is a fault, and tried again, so that it does not end the play at its table."""
AGAIN_S = 0.5
LEFT = 150
"""Unfinished games after which others sit at a table: a player may have 200."""


class Client:
    """A person's connection: calls that are waited for, and feeds of what comes by itself, by the id of a request."""

    def __init__(self, frames: Frames, score: Score) -> None:
        self._frames, self._score = frames, score
        self.feeds: dict[int, Callable[[Any, bytes], None]] = {}
        self._ids = itertools.count(1)
        self.close = frames.close
        frames.listen(self._message, score.fault)

    @classmethod
    async def enter(cls, address: str, number: int, score: Score) -> "Client":
        """Return the connection of a person who has just got a name, and who comes from an address of their own."""
        origin = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        client = cls(await Frames.connect(address, _PATH, forwarded_for=origin), score)
        await client.become(f"Person {number}")
        return client

    async def become(self, name: str) -> None:
        """Go on as somebody else, who gets this name."""
        asked = play_pb2.CreatePlayerRequest(name=name, request_id=secrets.token_hex(8))
        answer = await self.call(play_pb2.Call(create_player=asked))
        proof = play_pb2.Authenticate(player_token=answer.create_player.player_token)
        await self.request(play_pb2.ConnectRequest(authenticate=proof))

    async def call(self, call: play_pb2.Call) -> play_pb2.Answer:
        """Return the answer to a call. Raises RefusedError, and TimeoutError after a minute."""
        return await self.request(play_pb2.ConnectRequest(call=call))

    async def request(self, request: play_pb2.ConnectRequest) -> play_pb2.Answer:
        """Return the answer to a request. Raises RefusedError, and TimeoutError after a minute."""
        came: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        request.id = next(self._ids)
        self.feeds[request.id] = lambda _lean, whole: None if came.done() else came.set_result(whole)
        self._frames.send(request.SerializeToString())
        async with asyncio.timeout(_CALL_S):
            response = play_pb2.ConnectResponse.FromString(await came)
        del self.feeds[request.id]
        if response.WhichOneof("kind") == "refusal":
            raise RefusedError(response.refusal)
        if response.answer.WhichOneof("response") == "refusal":
            raise RefusedError(response.answer.refusal)
        return response.answer

    def watch(self, request: play_pb2.WatchRequest, feed: Callable[[Any, bytes], None]) -> int:
        """Begin a watch and return its id; `feed` gets its messages."""
        number = next(self._ids)
        self.feeds[number] = feed
        self._frames.send(play_pb2.ConnectRequest(id=number, watch=request).SerializeToString())
        return number

    def unwatch(self, watch: int) -> None:
        """End a watch; nothing of it is fed any more."""
        del self.feeds[watch]
        number = next(self._ids)
        self.feeds[number] = lambda _lean, _whole: self.forget(number)
        end = play_pb2.Unwatch(watch_id=watch)
        self._frames.send(play_pb2.ConnectRequest(id=number, unwatch=end).SerializeToString())

    def act(self, request: dict[str, Any], feed: Callable[[Any, bytes], None]) -> None:
        """Send an Act of these fields, the action as bytes; `feed` gets the answer. A repeat has the request id already."""
        number = next(self._ids)
        self.feeds[number] = feed
        request.setdefault("request_id", f"act {number:08x}")
        self._frames.send(lean.Request(id=number, call={"act": request}).SerializeToString())

    def forget(self, number: int) -> None:
        """Feed nothing more of a request."""
        self.feeds.pop(number, None)

    def _message(self, data: bytes) -> None:
        response = lean.Response.FromString(data)
        feed = self.feeds.get(response.id)
        if feed is not None:
            feed(response, data)


class BrettwerkTable(Table):
    """A table of one game. The first watchers are its players, the others spectators.

    `without_lists`: the players are bots that know the rules, and so watch without lists of actions.
    """

    def __init__(
        self,
        game: str,
        clients: list[Client],
        score: Score,
        pace: Pace,
        dice: random.Random,
        *,
        rated: bool = False,
        without_lists: bool = False,
    ) -> None:
        super().__init__(len(clients), score, pace, dice)
        self._rules = any_codec(game) if without_lists else None
        self._left_out = [sessions_pb2.Update.FIELD_ACTIONS] if without_lists else []
        self._game, self._clients, self._rated = game, clients, rated
        self._session_id = ""
        self._tokens: list[str] = []
        self._watches: list[int] = []

    async def create(self) -> None:
        """Found a session, let everybody sit down, and begin all watches."""
        for client, watch in zip(self._clients, self._watches, strict=False):
            client.unwatch(watch)
        self._watches = []
        if self.left >= LEFT:
            self.left = 0
            for number, client in enumerate(self._clients):
                await client.become(f"Other {number}")
        seats = [play_pb2.SeatWish(me=True)] + [play_pb2.SeatWish(open=True)] * (SEATS - 1)
        create = play_pb2.CreateSessionRequest(
            game=self._game, seats=seats, competitive=self._rated, public=self._rated, request_id=secrets.token_hex(8)
        )
        created = (await self._clients[0].call(play_pb2.Call(create_session=create))).create_session
        self._session_id = created.session.id
        self._tokens = [created.grants[0].seat_token]
        for seat in range(1, SEATS):
            join = play_pb2.JoinSessionRequest(session_id=self._session_id, seat=seat, request_id=secrets.token_hex(8))
            joined = (await self._clients[seat].call(play_pb2.Call(join_session=join))).join_session
            self._tokens.append(joined.grant.seat_token)
        for number, client in enumerate(self._clients):
            token = self._tokens[number] if number < SEATS else ""
            request = play_pb2.WatchRequest(session_id=self._session_id, seat_token=token, leave_out=self._left_out)
            self._watches.append(client.watch(request, self._fed(number)))

    def send(self, watcher: int, version: int, choices: Any) -> None:
        """Send a random action of `choices`."""
        client, chosen = self._clients[watcher], self.dice.choice(choices)
        known = self._rules
        act = {
            "session_id": self._session_id,
            "seat_token": self._tokens[watcher],
            "expected_version": version,
            "action": known.pack(Kind.ACTION, chosen).SerializeToString() if known else lean.Choice.FromString(chosen).action,
        }
        self._try(client, act, MAX_ATTEMPTS)

    def _legal(self, number: int, update: Any) -> Any:
        """Return what a watcher may do, of which `send` takes one."""
        if self._rules is None:
            return update.actions
        # Rated games deal the seats; the view of a seat that waits allows nothing.
        if number >= SEATS or not update.to_act or not (self._rated or number in update.to_act):
            return ()
        view = self._rules.unpack(Kind.VIEW, AnyMessage.FromString(update.view), "view")
        return self._rules.game.first_actions(view, ACTIONS)

    def _try(self, client: Client, act: dict[str, Any], attempts: int) -> None:
        client.act(act, lambda response, whole: self._acted(client, act, attempts, response, whole))

    def _acted(self, client: Client, act: dict[str, Any], attempts: int, response: Any, whole: bytes) -> None:
        client.forget(response.id)
        if response.answer.HasField("act"):
            self.answered(response.answer.act.version)
            return
        parsed = play_pb2.ConnectResponse.FromString(whole)
        refusal = parsed.refusal if parsed.WhichOneof("kind") == "refusal" else parsed.answer.refusal
        self.refused(f"{errors_pb2.Reason.Name(refusal.reason)} {refusal.message}")
        if attempts > 1:
            asyncio.get_running_loop().call_later(AGAIN_S, self._try, client, act, attempts - 1)

    def _fed(self, number: int) -> Callable[[Any, bytes], None]:
        def feed(response: Any, whole: bytes) -> None:
            watch = response.watch
            if watch.HasField("update"):
                update = watch.update
            elif watch.HasField("resync"):
                update = watch.resync.update
                if watch.resync.cause:
                    self.score.fault(f"a watch began anew: {play_pb2.Resync.Cause.Name(watch.resync.cause)}")
            elif response.HasField("watch"):
                return  # a heartbeat
            else:
                self.score.fault(f"a watch ended: {play_pb2.ConnectResponse.FromString(whole).refusal}")
                return
            self.saw(number, update.version, self._legal(number, update), over=update.session.state in _OVER)

        return feed
