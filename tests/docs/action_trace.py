"""Follows one action through gateway, session service and rules service, all in this process and served as they always are."""

import contextlib
import itertools
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, NamedTuple, cast

from websockets.asyncio.client import ClientConnection, connect

from brettwerk.v1 import play_pb2, sessions_pb2
from tests.gateway.conftest import gateways
from tests.gateway.peer import Peer
from tests.redis_server import running_redis
from tests.services.session.app.test_process import Service
from tests.services.session.running import running_rules

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = (f"{ROOT}/brettwerk_games/", f"{ROOT}/gateway/", f"{ROOT}/services/")
NOBODY = cast(Peer, SimpleNamespace(port=0))
"""The session service that a gateway of tests has otherwise."""


class Entered(NamedTuple):
    """A function that was called: its file, and its name with its class."""

    file: str
    name: str


class Trace:
    """The functions called while it records, in order."""

    def __init__(self) -> None:
        self.entered: list[Entered] = []

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Record within the block what this thread calls."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PRODUCT):
            self.entered.append(Entered(str(Path(code.co_filename).relative_to(ROOT)), code.co_qualname))


class Table:
    """A game of EinStein at which one player holds both seats and watches both."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._updates: dict[int, sessions_pb2.Update] = {}
        self._session, self._tokens = "", dict[int, str]()

    async def open(self) -> None:
        """Create it, and return when both watches have begun."""
        made = await self._call(create_player=play_pb2.CreatePlayerRequest(name="Ada", request_id="request 1"))
        await self._ask(authenticate=play_pb2.Authenticate(player_token=made.create_player.player_token))
        seats = [play_pb2.SeatWish(me=True)] * 2
        wish = play_pb2.CreateSessionRequest(game="einstein", seats=seats, request_id="request 2")
        created = (await self._call(create_session=wish)).create_session
        self._session = created.session.id
        for grant in created.grants:
            watch = play_pb2.WatchRequest(session_id=self._session, seat_token=grant.seat_token)
            number = next(self._ids)
            self._tokens[number] = grant.seat_token
            await self._socket.send(play_pb2.ConnectRequest(id=number, watch=watch).SerializeToString())
        while len(self._updates) < len(self._tokens) or not self._choices():
            await self._receive()

    async def act(self, number: int) -> None:
        """Play the first action, and return when it is answered and both watches have seen it."""
        watch, choices = self._choices()[0]
        version = self._updates[watch].version
        action = play_pb2.ActRequest(
            session_id=self._session,
            seat_token=self._tokens[watch],
            expected_version=version,
            action=choices[0].action,
            request_id=f"action {number}",
        )
        await self._call(act=action)
        while any(update.version == version for update in self._updates.values()) or not self._choices():
            await self._receive()

    def _choices(self) -> list[tuple[int, Any]]:
        return [(watch, update.actions) for watch, update in self._updates.items() if update.actions]

    async def _call(self, **call: Any) -> play_pb2.Answer:
        return (await self._ask(call=play_pb2.Call(**call))).answer

    async def _ask(self, **request: Any) -> play_pb2.ConnectResponse:
        number = next(self._ids)
        await self._socket.send(play_pb2.ConnectRequest(id=number, **request).SerializeToString())
        while (response := await self._receive()).id != number:
            pass
        assert response.WhichOneof("kind") != "refusal", response
        assert response.answer.WhichOneof("response") != "refusal", response
        return response

    async def _receive(self) -> play_pb2.ConnectResponse:
        response = play_pb2.ConnectResponse.FromString(bytes(await self._socket.recv(decode=False)))
        match response.watch.WhichOneof("kind"):
            case "update":
                self._updates[response.id] = response.watch.update
            case "resync":
                self._updates[response.id] = response.watch.resync.update
        return response


@contextlib.asynccontextmanager
async def table(folder: Path) -> AsyncIterator[Table]:
    """Yield a table at a whole system of one process: gateway, session service and rules service, with a store of its own."""
    with running_redis() as redis_url:
        async with running_rules() as rules_address, gateways(NOBODY) as open_gateway:
            session = Service(redis_url, rules_address, str(folder))
            try:
                running = await open_gateway(session_link_address=session.link_address)
                async with connect(running.websocket) as socket:
                    made = Table(socket)
                    await made.open()
                    yield made
            finally:
                await session.close()


async def traced(folder: Path, actions: int = 6) -> list[list[Entered]]:
    """Return what each of some actions calls, the first ones left out: they warm caches."""
    found = []
    async with table(folder) as played:
        for number in range(actions):
            trace = Trace()
            with trace.recording():
                await played.act(number)
            found.append(trace.entered)
    return found[2:]
