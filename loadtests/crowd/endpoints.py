"""The two endpoints a driver can go in by: the gRPC `Connect` stream and the WebSocket. Both carry the same frames."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Literal, Protocol

import grpc
import websockets
from websockets.asyncio.client import ClientConnection

from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc

EndpointName = Literal["grpc", "websocket"]
Feed = Callable[[play_pb2.WatchResponse], None]


class RefusedError(Exception):
    """The server refused a call; `refusal` says why."""

    def __init__(self, refusal: errors_pb2.Refusal) -> None:
        super().__init__(f"{errors_pb2.Reason.Name(refusal.reason)}: {refusal.message}")
        self.refusal = refusal


class Frames(Protocol):
    """A way to send and receive frames."""

    async def send(self, frame: bytes) -> None:
        """Send one ConnectRequest."""
        ...

    def receive(self) -> AsyncIterator[bytes]:
        """Return the ConnectResponses, one by one."""
        ...

    async def close(self) -> None:
        """End it."""
        ...


class WebSocketFrames:
    """Frames over a WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    @classmethod
    async def open(cls, address: str, forwarded_for: str = "") -> "WebSocketFrames":
        """Connect to the web endpoint at host:port; `forwarded_for` is what a trusted proxy would say of where the client is."""
        headers = {"X-Forwarded-For": forwarded_for} if forwarded_for else None
        url = f"ws://{address}/v1/connect"
        return cls(await websockets.connect(url, additional_headers=headers, compression=None, max_size=8 * 1024 * 1024))

    async def send(self, frame: bytes) -> None:
        """Send one ConnectRequest."""
        await self._socket.send(frame)

    async def receive(self) -> AsyncIterator[bytes]:
        """Return the ConnectResponses, one by one."""
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                data = await self._socket.recv(decode=False)
                yield data

    async def close(self) -> None:
        """End it."""
        await self._socket.close()


class GrpcFrames:
    """Frames over the gRPC stream. Many streams share a channel."""

    def __init__(self, stub: "play_pb2_grpc.PlayServiceAsyncStub", forwarded_for: str = "") -> None:
        self._call = stub.Connect(metadata=(("x-forwarded-for", forwarded_for),) if forwarded_for else None)

    async def send(self, frame: bytes) -> None:
        """Send one ConnectRequest."""
        await self._call.write(play_pb2.ConnectRequest.FromString(frame))

    async def receive(self) -> AsyncIterator[bytes]:
        """Return the ConnectResponses, one by one."""
        with contextlib.suppress(grpc.RpcError, asyncio.CancelledError):
            async for response in self._call:
                yield response.SerializeToString()

    async def close(self) -> None:
        """End it."""
        self._call.cancel()


class Client:
    """One player's connection: calls with answers, and watches."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[play_pb2.ConnectResponse]] = {}
        self._feeds: dict[int, Feed] = {}
        self._reader = asyncio.create_task(self._read())

    async def call(self, call: play_pb2.Call) -> play_pb2.Answer:
        """Return the answer to a call. Raises RefusedError."""
        response = await self._request(play_pb2.ConnectRequest(call=call))
        return response.answer

    async def authenticate(self, player_token: str) -> None:
        """Say who is calling."""
        await self._request(play_pb2.ConnectRequest(authenticate=play_pb2.Authenticate(player_token=player_token)))

    async def watch(self, request: play_pb2.WatchRequest, feed: Feed) -> int:
        """Begin a watch; `feed` gets each of its messages. Returns the watch's id."""
        number = next(self._ids)
        self._feeds[number] = feed
        await self._frames.send(play_pb2.ConnectRequest(id=number, watch=request).SerializeToString())
        return number

    async def unwatch(self, watch: int) -> None:
        """End a watch."""
        self._feeds.pop(watch, None)
        await self._request(play_pb2.ConnectRequest(unwatch=play_pb2.Unwatch(watch_id=watch)))

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._reader.done()

    @property
    def failure(self) -> BaseException | None:
        """Why the connection can be used no more, if it cannot."""
        return None if not self._reader.done() or self._reader.cancelled() else self._reader.exception()

    async def close(self) -> None:
        """End the connection."""
        await self._frames.close()
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader

    async def _request(self, request: play_pb2.ConnectRequest) -> play_pb2.ConnectResponse:
        request.id = next(self._ids)
        future: asyncio.Future[play_pb2.ConnectResponse] = asyncio.get_running_loop().create_future()
        self._waiting[request.id] = future
        await self._frames.send(request.SerializeToString())
        response = await future
        if response.WhichOneof("kind") == "refusal":
            raise RefusedError(response.refusal)
        if response.answer.WhichOneof("response") == "refusal":
            raise RefusedError(response.answer.refusal)
        return response

    async def _read(self) -> None:
        async for data in self._frames.receive():
            response = play_pb2.ConnectResponse.FromString(data)
            if feed := self._feeds.get(response.id):
                if response.WhichOneof("kind") == "refusal":
                    raise RefusedError(response.refusal)
                feed(response.watch)
            elif (future := self._waiting.pop(response.id, None)) and not future.done():
                future.set_result(response)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ConnectionError("the server ended the connection"))


class Endpoints:
    """Opens connections through one kind of endpoint."""

    def __init__(self, endpoint: EndpointName, grpc_address: str, web_address: str, channels: int = 4) -> None:
        self._endpoint = endpoint
        self._web_address = web_address
        # One HTTP/2 connection carries a bounded number of streams, so players are spread over a few channels.
        self._channels = [
            grpc.aio.insecure_channel(grpc_address, options=(("grpc.use_local_subchannel_pool", 1), ("brettwerk.channel", i)))
            for i in range(channels if endpoint == "grpc" else 0)
        ]
        self._turn = itertools.count()

    async def open(self, forwarded_for: str = "") -> Client:
        """Return a new connection; `forwarded_for` is what a trusted proxy would say of where the client is."""
        if self._endpoint == "websocket":
            return Client(await WebSocketFrames.open(self._web_address, forwarded_for))
        channel = self._channels[next(self._turn) % len(self._channels)]
        return Client(GrpcFrames(play_pb2_grpc.PlayServiceStub(channel), forwarded_for))

    async def close(self) -> None:
        """End all channels."""
        for channel in self._channels:
            await channel.close()
