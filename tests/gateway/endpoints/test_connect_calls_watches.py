"""Watches by the Connect protocol: streams of messages that end with a reason, bounded in number, time and what waits."""

import asyncio
import contextlib
import json
import socket
from typing import Any

import httpx
import pytest

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.limits import rates
from gateway.streams.send_queue import SendQueue
from services.runtime.refusal import Refused
from tests.gateway.conftest import OpenGateway
from tests.gateway.connect_client import SERVICE, STREAM_JSON, STREAM_PROTO, WATCH_07ABC, ended, enveloped, envelopes
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.web_client import web_client


@pytest.mark.parametrize("is_json", [True, False], ids=["json", "proto"])
async def test_a_watch_is_a_stream_of_messages(
    client: httpx.AsyncClient, peer: Peer, running: RunningGateway, is_json: bool
) -> None:
    peer.publish("07abc")
    request = b'{"sessionId": "07abc"}' if is_json else play_pb2.WatchRequest(session_id="07abc").SerializeToString()
    headers = STREAM_JSON if is_json else STREAM_PROTO
    versions = []
    async with client.stream("POST", f"{SERVICE}/Watch", content=enveloped(request), headers=headers) as response:
        assert (response.status_code, response.headers["content-type"]) == (200, headers["content-type"])
        async for flags, message in envelopes(response):
            assert flags == 0
            if is_json:
                received = json.loads(message)
                update = received.get("update") or received.get("resync", {}).get("update")
                version = int(update["version"]) if update else 0
            else:
                known = play_pb2.WatchResponse.FromString(message)
                version = (known.update if known.HasField("update") else known.resync.update).version
            if not version:
                continue
            versions.append(version)
            if len(versions) == 3:
                break
            peer.publish("07abc")
    assert versions == [1, 2, 3]
    await peer.until(lambda: len(running.gateway.watches) == 0)


async def test_a_watch_ends_with_the_reason(client: httpx.AsyncClient, peer: Peer) -> None:
    peer.publish("07abc")
    body = enveloped(b'{"sessionId": "07abc"}')
    async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_JSON) as response:
        found = []
        async for flags, message in envelopes(response):
            found.append((flags, json.loads(message)))
            if len(found) == 1:
                tailing = peer.tailings[-1]
                refused = Refused(errors_pb2.REASON_UNKNOWN, "there is no such session")
                peer.refuse(tailing, list(tailing.follows), refused)
    flags, end = found[-1]
    assert (flags, end["error"]["code"]) == (2, "not_found")
    assert end["error"]["details"][-1]["debug"]["reason"] == "REASON_UNKNOWN"


async def test_a_watch_has_as_long_as_its_client_says(client: httpx.AsyncClient, peer: Peer, running: RunningGateway) -> None:
    peer.publish("07abc")
    headers = STREAM_JSON | {"connect-timeout-ms": "300"}
    async with client.stream("POST", f"{SERVICE}/Watch", content=WATCH_07ABC, headers=headers) as response:
        found = [each async for each in envelopes(response)]
    assert found[0][0] == 0
    assert json.loads(found[-1][1])["error"]["code"] == "deadline_exceeded"
    await peer.until(lambda: len(running.gateway.watches) == 0)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        enveloped(b"{}")[:-1],
        enveloped(b"{}") + enveloped(b"{}"),
        enveloped(b"{}", flags=1),
        enveloped(b"{}", flags=2),
        enveloped(b'{"session": "07abc"}'),
        enveloped(b'{"sessionId": "' + b"x" * 99 + b'"}'),
    ],
)
async def test_an_invalid_watch_request_ends_its_stream_at_once(client: httpx.AsyncClient, body: bytes) -> None:
    assert (await ended(client, body, STREAM_JSON))["code"] == "invalid_argument"


async def test_bytes_that_are_no_request_end_their_stream_at_once(client: httpx.AsyncClient) -> None:
    assert (await ended(client, enveloped(b"\xff\xff"), STREAM_PROTO))["code"] == "invalid_argument"


async def test_a_token_that_is_not_good_ends_it(client: httpx.AsyncClient) -> None:
    headers = STREAM_PROTO | {"authorization": "Bearer nothing"}
    assert (await ended(client, enveloped(b""), headers))["code"] == "unauthenticated"


async def test_a_player_may_have_so_many_watches(open_gateway: OpenGateway, peer: Peer) -> None:
    running = await open_gateway(streams_per_address=2)
    peer.publish("07abc")
    body = enveloped(b'{"sessionId": "07abc"}')
    async with web_client(base_url=running.web) as client:
        async with (
            client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_JSON) as first,
            client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_JSON) as second,
        ):
            assert (first.status_code, second.status_code) == (200, 200)
            assert (await ended(client, body, STREAM_JSON))["code"] == "resource_exhausted"
        await peer.until(lambda: len(running.gateway.watches) == 0)
        async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_JSON) as again:
            assert (await anext(envelopes(again)))[0] == 0


@pytest.mark.parametrize("kind", ["connect+json", "connect+proto"])
async def test_a_client_that_does_not_read_is_cut_off(open_gateway: OpenGateway, peer: Peer, kind: str) -> None:
    running = await open_gateway()
    peer.publish("07abc")
    encoded = enveloped(play_pb2.WatchRequest(session_id="07abc").SerializeToString())
    body = WATCH_07ABC if kind == "connect+json" else encoded
    head = f"POST {SERVICE}/Watch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/{kind}\r\ncontent-length: {len(body)}"
    with socket.create_connection(("127.0.0.1", running.gateway.web.port)) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + body)
        await peer.until(lambda: len(running.gateway.watches) == 1)
        for _ in range(400):
            peer.publish("07abc", padding=60_000)
            await asyncio.sleep(0)
        await peer.until(lambda: len(running.gateway.watches) == 0 and not running.gateway.streams._addresses)
        assert SendQueue.in_all == 0, "nothing waits any more"
        connection.setblocking(False)
        last = b""
        with contextlib.suppress(ConnectionResetError):
            async with asyncio.timeout(60):
                while data := await asyncio.get_running_loop().sock_recv(connection, 1 << 20):
                    last = data
        assert not last.endswith(b"0\r\n\r\n"), "it is cut, not brought to its end"


async def test_a_gateway_that_ends_says_so_to_its_watches(open_gateway: OpenGateway, peer: Peer) -> None:
    running = await open_gateway()
    peer.publish("07abc")
    async with web_client(base_url=running.web) as client:
        body = enveloped(play_pb2.WatchRequest(session_id="07abc").SerializeToString())
        async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_PROTO) as response:
            stopping, found = None, []
            async for each in envelopes(response):
                stopping = stopping or asyncio.create_task(running.stop())
                found.append(each)
        assert found[-1][0] == 2
        error = json.loads(found[-1][1])["error"]
        assert (error["code"], error["details"][-1]["debug"]["headVersion"]) == ("unavailable", "1")
        assert stopping is not None
        await stopping


async def test_a_client_that_watches_much_in_json_is_charged_and_waits(
    open_gateway: OpenGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "CHARGED_S", 0.0)
    slow = asyncio.Event()

    def pause_s(self: Any, caller: Any) -> Any:
        pause = charge(self, caller)
        if pause:
            slow.set()
        return pause

    charge = rates.StreamCharges.pause_s
    monkeypatch.setattr(rates.StreamCharges, "pause_s", pause_s)
    running = await open_gateway(address_rate_per_s=4, address_rate_burst=4)
    peer.publish("07abc")
    async with web_client(base_url=running.web) as client:
        body = enveloped(b'{"sessionId": "07abc"}')
        async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_JSON) as response:
            seen = 0
            began = asyncio.get_running_loop().time()
            async for _ in envelopes(response):
                seen += 1
                if seen == 12:
                    break
                peer.publish("07abc")
    assert slow.is_set()
    assert asyncio.get_running_loop().time() - began > 0.5, "twelve messages were paid for by four a second"
