"""The ways into a running system: gRPC calls, the Connect stream, the WebSocket and JSON."""

import asyncio
import contextlib
import json
import random
from dataclasses import dataclass
from typing import Any

import grpc
import httpx
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc
from loadtests.crowd.endpoints import Client, GrpcFrames, RefusedError, WebSocketFrames
from loadtests.fuzz.material import Person
from loadtests.fuzz.mutations import Mutator

ANSWER_S = 60.0
"""How long a request may take: one that has no answer by then is a fault."""
WAYS = ("grpc", "connect", "websocket", "json")
_FAULTS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS)
_SERVICE = play_pb2.DESCRIPTOR.services_by_name["PlayService"]
_NAMES = {method.input_type.full_name: method.name for method in _SERVICE.methods}
_REQUESTS: Any = play_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields
_FIELDS = {field.message_type.full_name: field.name for field in _REQUESTS}


@dataclass(frozen=True, slots=True)
class Said:
    """The answer: a response, or the name of the reason why there is none."""

    response: Message | None = None
    reason: str = ""
    fault: str = ""
    """Why this is a fault of the server's; empty when it is none."""


def is_fault(refusal: errors_pb2.Refusal) -> bool:
    """Return whether a refusal is a fault of the server's."""
    return refusal.reason in (errors_pb2.REASON_INTERNAL, errors_pb2.REASON_UNSPECIFIED)


def method_name(request: Message) -> str:
    """Return the method that a request is for."""
    return _NAMES[request.DESCRIPTOR.full_name]


def _refused(refusal: errors_pb2.Refusal) -> Said:
    reason = errors_pb2.Reason.Name(refusal.reason).removeprefix("REASON_")
    nameless = refusal.reason == errors_pb2.REASON_MALFORMED and not refusal.message
    return Said(reason=reason, fault=f"{reason}: {refusal.message}" if is_fault(refusal) or nameless else "")


def _wrapped(request: Message) -> play_pb2.Call:
    call = play_pb2.Call()
    getattr(call, _FIELDS[request.DESCRIPTOR.full_name]).CopyFrom(request)
    return call


class Senders:
    """Sends requests in every way, for any player."""

    def __init__(self, grpc_address: str, web_address: str, rng: random.Random) -> None:
        """Take the two addresses (host:port) and the random numbers that decide about bodies and frames."""
        self._web = web_address
        self._rng = rng
        self._channel = grpc.aio.insecure_channel(grpc_address)
        self._stub: Any = play_pb2_grpc.PlayServiceStub(self._channel)
        self._http = httpx.AsyncClient(base_url=f"http://{web_address}", trust_env=False, timeout=ANSWER_S)
        self._clients: dict[tuple[str, str], Client] = {}

    async def close(self) -> None:
        """End all connections."""
        for client in list(self._clients.values()):
            await client.close()
        await self._http.aclose()
        await self._channel.close()

    async def send(self, way: str, person: Person, request: Message) -> Said:
        """Send a request and return what was said."""
        try:
            async with asyncio.timeout(ANSWER_S):
                match way:
                    case "grpc":
                        return await self._send_unary(person, request)
                    case "json":
                        return await self._send_json(person, request)
                    case _:
                        return await self._send_framed(way, person, request)
        except TimeoutError:
            return Said(fault=f"no answer within {ANSWER_S:.0f} s")

    async def _send_unary(self, person: Person, request: Message) -> Said:
        metadata = (("authorization", f"Bearer {person.token}"),) if person.token else ()
        try:
            return Said(await getattr(self._stub, method_name(request))(request, metadata=metadata))
        except grpc.aio.AioRpcError as error:
            fault = f"{error.code().name}: {error.details()}" if error.code() in _FAULTS else ""
            return Said(reason=error.code().name, fault=fault)

    async def _send_json(self, person: Person, request: Message) -> Said:
        try:
            body = json_format.MessageToJson(request, indent=None)
        except (TypeError, ValueError, DecodeError, json_format.SerializeToJsonError):
            return await self._send_unary(person, request)  # a value of a type that JSON cannot spell out
        if self._rng.random() < 0.2:
            body = garbled(body, self._rng)
        headers = {"content-type": "application/json", "authorization": f"Bearer {person.token}"}
        try:
            answer = await self._http.post(
                f"/v1/{method_name(request)}", content=body.encode("utf-8", "surrogatepass"), headers=headers
            )
        except httpx.RequestError as error:
            return Said(fault=f"the connection broke: {error!r}")
        if answer.status_code == 200:
            response = play_pb2.Answer()
            field = getattr(response, _FIELDS[request.DESCRIPTOR.full_name])
            json_format.Parse(answer.text, field)
            return Said(field)
        if answer.status_code >= 500 and answer.status_code not in (503, 504):
            return Said(fault=f"HTTP {answer.status_code}: {answer.text[:500]}\nthe body was: {body[:2000]}")
        return Said(reason=str(answer.json().get("reason", answer.status_code)).removeprefix("REASON_"))

    async def _send_framed(self, way: str, person: Person, request: Message) -> Said:
        client = await self._client(way, person)
        try:
            answer = await client.call(_wrapped(request))
        except RefusedError as error:
            return _refused(error.refusal)
        except (ConnectionError, OSError, WebSocketException, grpc.aio.UsageError, grpc.aio.AioRpcError) as error:
            self._clients.pop((way, person.player_id), None)
            await client.close()
            return Said(reason=f"CONNECTION {type(error).__name__}")
        return Said(getattr(answer, str(answer.WhichOneof("response"))))

    async def _client(self, way: str, person: Person) -> Client:
        client = self._clients.get((way, person.player_id))
        if client is None or client.failure is not None:
            frames = await WebSocketFrames.open(self._web) if way == "websocket" else GrpcFrames(self._stub)
            client = self._clients[way, person.player_id] = Client(frames)
            await client.authenticate(person.token)
        return client

    async def forget(self, person: Person) -> None:
        """End a player's connections: there is another one in their place."""
        for way in WAYS:
            client = self._clients.pop((way, person.player_id), None)
            if client is not None:
                await client.close()

    async def watch(self, person: Person, request: play_pb2.WatchRequest, seconds: float = 0.3) -> Said:
        """Watch for a moment."""
        metadata = (("authorization", f"Bearer {person.token}"),)
        try:
            async for _ in self._stub.Watch(request, metadata=metadata, timeout=seconds):
                pass
        except grpc.aio.AioRpcError as error:
            fault = f"{error.code().name}: {error.details()}" if error.code() in _FAULTS else ""
            return Said(reason=error.code().name, fault=fault)
        return Said()

    async def converse(self, person: Person, frames: list[bytes], seconds: float = 0.5) -> Said:
        """Send frames in a WebSocket of their own, whatever they hold, and return the first fault among the answers."""
        with contextlib.suppress(WebSocketException, OSError, TimeoutError):
            async with connect(f"ws://{self._web}/v1/connect", compression=None, max_size=8 * 1024 * 1024) as socket:
                entering = play_pb2.ConnectRequest(id=1, authenticate=play_pb2.Authenticate(player_token=person.token))
                for frame in (entering.SerializeToString(), *frames):
                    await socket.send(frame)
                async with asyncio.timeout(seconds):
                    while True:
                        response = play_pb2.ConnectResponse.FromString(await socket.recv(decode=False))
                        refusal = response.refusal if response.HasField("refusal") else response.answer.refusal
                        if refusal.message and is_fault(refusal):
                            return _refused(refusal)
        return Said()


def frames_of(mutator: Mutator, requests: list[Message]) -> list[bytes]:
    """Return frames of a Connect stream: calls, watches and their ends, changed by lot, and now and then bytes that are none."""
    frames = []
    for number, request in enumerate(requests, 2):
        draw = mutator.rng.random()
        if isinstance(request, play_pb2.WatchRequest):
            frame = play_pb2.ConnectRequest(id=number, watch=request)
        elif draw < 0.2:
            frame = play_pb2.ConnectRequest(id=number, unwatch=play_pb2.Unwatch(watch_id=mutator.rng.randrange(number)))
        else:
            frame = play_pb2.ConnectRequest(id=number, call=_wrapped(request))
        data = mutator.mutant(frame, mutator.rng.choice((1, 2))).SerializePartialToString()
        frames.append(data if draw < 0.95 else data[: mutator.rng.randrange(len(data) + 1)])
    return frames


_ODD: tuple[Any, ...] = (
    None,
    -1,
    1e300,
    2**70,
    "\ud800",
    [],
    {},
    "NaN",
    True,
    "a" * 1000,
    "\u0000",
    [[[]]],
    {"@type": ""},
    {"@type": "x"},
)


def garbled(body: str, rng: random.Random) -> str:
    """Return a JSON text with one value that is of another kind."""
    value = json.loads(body)
    holders: list[tuple[Any, Any]] = []
    rest = [value]
    while rest:
        one = rest.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        for key in keys:
            holders.append((one, key))
            if isinstance(one[key], dict | list):
                rest.append(one[key])
    if holders:
        holder, key = rng.choice(holders)
        holder[key] = rng.choice(_ODD)
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)
