"""The endpoints of the gateway as one thing that makes calls, so that a test can go through each of them."""

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import grpc
import httpx
from google.protobuf import json_format
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc
from gateway.messages.contract import METHODS, Method
from gateway.process import Gateway
from services.runtime.refusal import of_rpc_error
from services.runtime.settings import Settings
from tests.web_client import web_client

JSON = Subprotocol("brettwerk.v1+json")


@dataclass
class RunningGateway:
    """A gateway that runs in this process."""

    gateway: Gateway
    config: Settings
    grpc_address: str
    stopping: asyncio.Event
    serving: "asyncio.Task[None]"

    @property
    def web(self) -> str:
        return f"http://127.0.0.1:{self.gateway.web.port}"

    @property
    def websocket(self) -> str:
        return f"ws://127.0.0.1:{self.gateway.web.port}/v1/connect"

    async def stop(self) -> None:
        self.stopping.set()
        await self.serving


class Endpoint(Protocol):
    """An endpoint that calls go through."""

    async def call(self, call: play_pb2.Call) -> play_pb2.Answer: ...
    async def close(self) -> None: ...


def method_of(call: play_pb2.Call) -> Method:
    """Return the method that a call is for."""
    return next(method for method in METHODS.values() if method.field == call.WhichOneof("request"))


class UnaryEndpoint:
    """gRPC, one call at a time."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self._channel = channel
        self._stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    @classmethod
    async def open(cls, running: RunningGateway, token: str) -> Self:
        return cls(grpc.aio.insecure_channel(running.grpc_address), token)

    async def call(self, call: play_pb2.Call) -> play_pb2.Answer:
        method = method_of(call)
        answer = play_pb2.Answer()
        try:
            response = await getattr(self._stub, method.name)(getattr(call, method.field), metadata=self._metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            answer.refusal.CopyFrom(of_rpc_error(error, "gateway").refusal)
            if error.code().value[0] != answer.refusal.code:
                raise AssertionError("the status and the refusal differ") from error
        else:
            getattr(answer, method.field).CopyFrom(response)
            getattr(answer, method.field).SetInParent()
        return answer

    async def close(self) -> None:
        await self._channel.close()


class Talk:
    """A Connect stream by hand: requests out, responses in."""

    async def send(self, request: play_pb2.ConnectRequest) -> None:
        await self.send_bytes(request.SerializeToString())

    async def send_bytes(self, data: bytes) -> None:
        raise NotImplementedError

    async def receive_bytes(self) -> bytes:
        raise NotImplementedError

    async def receive(self) -> play_pb2.ConnectResponse:
        return play_pb2.ConnectResponse.FromString(await self.receive_bytes())

    async def close(self) -> None:
        raise NotImplementedError

    async def authenticate(self, token: str) -> None:
        await self.send(play_pb2.ConnectRequest(id=999_999, authenticate=play_pb2.Authenticate(player_token=token)))
        response = await self.receive()
        assert response.WhichOneof("kind") == "answer", response

    async def watched(self) -> tuple[int, play_pb2.WatchResponse | errors_pb2.Refusal]:
        """Return the next message of a watch that is not a heartbeat, or why it ended."""
        while True:
            response = await self.receive()
            if response.WhichOneof("kind") == "refusal":
                return response.id, response.refusal
            if response.WhichOneof("kind") == "watch" and response.watch.WhichOneof("kind") != "heartbeat":
                return response.id, response.watch


class ConnectTalk(Talk):
    """Over gRPC."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel
        self.stream: Any = channel.stream_stream("/brettwerk.v1.PlayService/Connect")()

    @classmethod
    async def open(cls, running: RunningGateway) -> Self:
        return cls(grpc.aio.insecure_channel(running.grpc_address))

    async def send_bytes(self, data: bytes) -> None:
        await self.stream.write(data)

    async def receive_bytes(self) -> bytes:
        data = await asyncio.wait_for(self.stream.read(), 20)
        assert isinstance(data, bytes), "the stream has ended"
        return data

    async def close(self) -> None:
        self.stream.cancel()
        await self._channel.close()


class WebSocketTalk(Talk):
    """Over a WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    @classmethod
    async def open(cls, running: RunningGateway) -> Self:
        return cls(await connect(running.websocket, compression=None, max_size=2**24))

    async def send_bytes(self, data: bytes) -> None:
        await self.socket.send(data)

    async def receive_bytes(self) -> bytes:
        data = await asyncio.wait_for(self.socket.recv(), 20)
        assert isinstance(data, bytes)
        return data

    async def close(self) -> None:
        await self.socket.close()


class JsonWebSocketTalk(Talk):
    """Over a WebSocket, in JSON."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    @classmethod
    async def open(cls, running: RunningGateway) -> Self:
        socket = await connect(running.websocket, compression=None, max_size=2**25, subprotocols=[JSON])
        assert socket.subprotocol == JSON
        return cls(socket)

    async def send(self, request: play_pb2.ConnectRequest) -> None:
        await self.send_bytes(json_format.MessageToJson(request).encode())

    async def send_bytes(self, data: bytes) -> None:
        await self.socket.send(data, text=True)

    async def receive_bytes(self) -> bytes:
        text = await asyncio.wait_for(self.socket.recv(), 20)
        assert isinstance(text, str)
        return text.encode()

    async def receive(self) -> play_pb2.ConnectResponse:
        return json_format.Parse(await self.receive_bytes(), play_pb2.ConnectResponse())

    async def close(self) -> None:
        await self.socket.close()


class TalkEndpoint:
    """Calls in a Connect stream."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self._ids = itertools.count(1)

    async def call(self, call: play_pb2.Call) -> play_pb2.Answer:
        number = next(self._ids)
        await self.talk.send(play_pb2.ConnectRequest(id=number, call=call))
        response = await self.talk.receive()
        assert (response.id, response.WhichOneof("kind")) == (number, "answer")
        return response.answer

    async def close(self) -> None:
        await self.talk.close()


class JsonEndpoint:
    """JSON over HTTP."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    @classmethod
    async def open(cls, running: RunningGateway, token: str) -> Self:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return cls(web_client(base_url=running.web, headers=headers))

    async def call(self, call: play_pb2.Call) -> play_pb2.Answer:
        method = method_of(call)
        body = json_format.MessageToJson(getattr(call, method.field))
        response = await self.client.post(f"/v1/{method.name}", content=body, headers={"content-type": "application/json"})
        answer = play_pb2.Answer()
        if response.is_success:
            json_format.Parse(response.content, getattr(answer, method.field))
            getattr(answer, method.field).SetInParent()
        else:
            json_format.ParseDict(response.json()["refusal"], answer.refusal)
        return answer

    async def close(self) -> None:
        await self.client.aclose()


async def open_endpoint(name: str, running: RunningGateway, token: str = "") -> Endpoint:
    """Return an endpoint by name, with a player's token or without."""
    if name == "json":
        return await JsonEndpoint.open(running, token)
    if name == "unary":
        return await UnaryEndpoint.open(running, token)
    talk = await open_talk(name, running)
    if token:
        await talk.authenticate(token)
    return TalkEndpoint(talk)


async def open_talk(name: str, running: RunningGateway) -> Talk:
    """Return a Connect stream of one of the three kinds."""
    return await _TALKS[name].open(running)


_TALKS: Mapping[str, type[ConnectTalk] | type[WebSocketTalk] | type[JsonWebSocketTalk]] = {
    "connect": ConnectTalk,
    "websocket": WebSocketTalk,
    "json websocket": JsonWebSocketTalk,
}


def call_of(name: str, /, **fields: Any) -> play_pb2.Call:
    """Return the call of a method."""
    call = play_pb2.Call()
    message = getattr(call, METHODS[name].field)
    message.SetInParent()
    message.CopyFrom(METHODS[name].request(**fields))
    return call
