"""Requests with too much in them, or too deep, are refused at every endpoint with the field's name, and go no further.

Each is sent as bytes that nobody has parsed, as somebody who means harm sends them.
"""

import asyncio
import gzip
import json
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from websockets.asyncio.client import connect

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from brettwerk_games.protobuf_wire.fields import block, block_tag
from gateway.messages.contract import METHODS, SMALL_BYTES
from services.runtime.refusal import of_rpc_error
from tests.gateway.conftest import OpenTalk
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import JSON, RunningGateway
from tests.gateway.sharing import shared_peer, shared_running
from tests.night import at_night, by_day
from tests.web_client import web_client

RECORDS = {"CheckRecord": "record", "ImportSession": "record", "Propose": "proposal.load"}
"""The methods that carry a record, and where."""
LINES, PLIES = 40, 80_000
"""Three million empty plies in 6.4 MB; no list has more than it may."""


peer, running = shared_peer, shared_running


def inside(descriptor: Descriptor, path: str, data: bytes) -> bytes:
    """Return an encoded message of a type with the bytes in a field of a field and so on, at `path`."""
    name, _, rest = path.partition(".")
    field = descriptor.fields_by_name[name]
    if rest:
        assert field.message_type is not None
        data = inside(field.message_type, rest, data)
    return block(block_tag(field.number), data)


async def refusal_at(
    endpoint: str, running: RunningGateway, talk_to: OpenTalk, method: str, data: bytes, token: str
) -> errors_pb2.Refusal:
    """Return what encoded bytes are refused with. Raises AssertionError when they are not refused."""
    if endpoint == "unary":
        async with grpc.aio.insecure_channel(running.grpc_address) as channel:
            call: Any = channel.unary_unary(f"/brettwerk.v1.PlayService/{method}")
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await call(data, metadata=(("authorization", f"Bearer {token}"),), timeout=60)
        return of_rpc_error(refused.value, "gateway").refusal
    talk = await talk_to(endpoint, running)
    await talk.authenticate(token)
    asked = inside(play_pb2.ConnectRequest.DESCRIPTOR, f"call.{METHODS[method].field}", data)
    await talk.send_bytes(play_pb2.ConnectRequest(id=7).SerializeToString() + asked)
    response = await talk.receive()
    assert (response.id, response.answer.WhichOneof("response")) == (7, "refusal"), response
    return response.answer.refusal


async def json_refusal(running: RunningGateway, method: str, body: str, token: str) -> errors_pb2.Refusal:
    """Return what a body of JSON is refused with."""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    async with web_client(base_url=running.web, headers=headers, timeout=60) as client:
        response = await client.post(f"/v1/{method}", content=body)
    return json_format.ParseDict(response.json()["refusal"], errors_pb2.Refusal())


@pytest.mark.parametrize("method", by_day(RECORDS, "CheckRecord"))
@pytest.mark.parametrize("endpoint", ["unary", at_night("connect"), "websocket"])
async def test_millions_of_empty_plies_are_counted_before_they_are_parsed(
    endpoint: str, method: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk, token: str
) -> None:
    entry = inside(record_pb2.Record.DESCRIPTOR, "entries.loaded", b"\x0a\x00" * PLIES)
    data = inside(METHODS[method].request.DESCRIPTOR, RECORDS[method], entry * LINES)  # type: ignore[arg-type]
    assert len(data) > 6_400_000
    refusal = await refusal_at(endpoint, running, talk_to, method, data, token)
    assert (refusal.code, refusal.reason) == (3, errors_pb2.REASON_MALFORMED)
    # The count names fields without their numbers, which only a parsed message has.
    assert refusal.field == f"{RECORDS[method]}.entries.loaded.variation"
    assert "250000 messages" in refusal.message
    assert not peer.calls


async def test_too_many_empty_plies_in_json_are_counted(running: RunningGateway, peer: Peer, token: str) -> None:
    request: Any = {"record": {"entries": [{"loaded": {"line": [{}] * 90_000}}] * 3}}
    refusal = await json_refusal(running, "CheckRecord", json.dumps(request), token)
    assert (refusal.code, refusal.reason) == (3, errors_pb2.REASON_MALFORMED)
    assert refusal.field == "record.entries[2].loaded.variation"
    assert "more messages than" in refusal.message
    assert not peer.calls


LOOP = "load.entries.proposed.proposal."
"""From a proposal back to a proposal."""


@pytest.mark.parametrize("size", ["small", "large"])
@pytest.mark.parametrize("endpoint", ["unary", "connect", "websocket"])
async def test_a_message_that_is_too_deep_is_refused_with_the_field(
    endpoint: str, size: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk, token: str
) -> None:
    sealed = b"x" * (2 * SMALL_BYTES if size == "large" else 10)
    data = inside(play_pb2.ProposeRequest.DESCRIPTOR, f"proposal.{LOOP * 5}load.sealed", sealed)
    refusal = await refusal_at(endpoint, running, talk_to, "Propose", data, token)
    assert (refusal.code, refusal.reason) == (3, errors_pb2.REASON_MALFORMED)
    assert refusal.field.replace("[0]", "").startswith("proposal.load.entries.proposed.proposal.load")
    assert not peer.calls


@pytest.mark.parametrize(("times", "field"), [(5, "proposal.load.entries[0].proposed"), (300, "")])
async def test_json_that_is_too_deep_is_refused(times: int, field: str, running: RunningGateway, peer: Peer, token: str) -> None:
    head, tail = '{"load":{"entries":[{"proposed":{"proposal":', "}}]}}"
    body = '{"proposal":' + head * times + '{"pause":true}' + tail * times + "}"
    refusal = await json_refusal(running, "Propose", body, token)
    assert (refusal.code, refusal.reason) == (3, errors_pb2.REASON_MALFORMED)
    assert refusal.field.startswith(field)
    assert not peer.calls


@pytest.mark.parametrize(
    "value",
    [
        "[" * 1000 + "]" * 1000,
        "[" * 100_000,
        '{"load":' * 100_000,
        "9" * 5000,
        "9" * 200_000,
        "-0." + "9" * 200_000,
        "1e" + "9" * 5000,
        '"' + "9" * 200_000 + '"',
        "{" + '"pause":true,' * 100_000 + '"pause":true}',
        "{" + ",".join(f'"k{number}":0' for number in range(50_000)) + "}",
    ],
    ids=[
        "deep",
        "deeper",
        "deep objects",
        "a long number",
        "a longer one",
        "a long fraction",
        "a long exponent",
        "a number as text",
        "a field again and again",
        "many unknown fields",
    ],
)
async def test_a_value_that_is_dear_to_read_is_refused(running: RunningGateway, peer: Peer, token: str, value: str) -> None:
    refusal = await json_refusal(running, "Propose", f'{{"proposal":{value}}}', token)
    assert (refusal.code, refusal.reason) == (3, errors_pb2.REASON_MALFORMED)
    asked = f'{{"id":"7","call":{{"propose":{{"proposal":{value}}}}}}}'
    async with connect(running.websocket, subprotocols=[JSON], max_size=2**24) as socket:
        await socket.send(asked)
        answer = json.loads(await asyncio.wait_for(socket.recv(), 60))
    refused = answer.get("refusal") or answer["answer"]["refusal"]
    assert refused["reason"] == "REASON_MALFORMED"
    assert not peer.calls


@pytest.mark.parametrize("body", [gzip.compress(bytes(10_000_000)), b"{}"])
async def test_a_compressed_request_is_not_read(running: RunningGateway, token: str, body: bytes) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    async with web_client(base_url=running.web, headers=headers, timeout=60) as client:
        response = await client.post("/v1/CheckRecord", content=body)
    assert response.status_code == 415
    assert response.json()["refusal"]["message"] == "compressed requests are not accepted here"
