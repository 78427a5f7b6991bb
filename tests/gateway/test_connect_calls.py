"""The Connect protocol: calls and watches by HTTP as its specification has them, bounded like those of the other endpoints."""

import asyncio
import base64
import contextlib
import gzip
import json
import socket
import struct
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, sessions_pb2
from gateway import connect_calls, connect_format
from gateway.contract import MESSAGE_BYTES
from services.runtime.refusal import Refused
from tests.gateway.conftest import OpenGateway
from tests.gateway.endpoints import RunningGateway
from tests.gateway.peer import Peer

SERVICE = "/brettwerk.v1.PlayService"
JSON, PROTO = {"content-type": "application/json"}, {"content-type": "application/proto"}
STREAM_JSON, STREAM_PROTO = {"content-type": "application/connect+json"}, {"content-type": "application/connect+proto"}
HTTP = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 10: 409, 12: 501, 13: 500, 14: 503, 16: 401}
"""What the specification says of the codes that there are here."""


def enveloped(message: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(message)) + message


WATCH_07ABC = enveloped(b'{"sessionId": "07abc"}')


async def envelopes(response: httpx.Response) -> AsyncIterator[tuple[int, bytes]]:
    waiting = b""
    async for data in response.aiter_bytes():
        waiting += data
        while len(waiting) >= 5 and len(waiting) >= 5 + int.from_bytes(waiting[1:5]):
            size = int.from_bytes(waiting[1:5])
            yield waiting[0], waiting[5 : 5 + size]
            waiting = waiting[5 + size :]
    assert not waiting, "the last message is whole"


async def ended(client: httpx.AsyncClient, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    """Return the error at the end of a stream that has nothing else."""
    async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == headers["content-type"]
        ((flags, end),) = [each async for each in envelopes(response)]
    assert flags == 2
    found: dict[str, Any] = json.loads(end)["error"]
    return found


async def test_a_call_in_json_and_one_in_bytes_have_the_same_answer(client: httpx.AsyncClient, peer: Peer, token: str) -> None:
    update = sessions_pb2.Update(session_id="07abc", version=2**53 + 1)
    update.view.Pack(games_pb2.Text(key="die"))
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=update)
    signed = {"authorization": f"Bearer {token}", "connect-protocol-version": "1"}
    spelled = await client.post(f"{SERVICE}/GetSession", json={"sessionId": "07abc"}, headers=signed)
    request = play_pb2.GetSessionRequest(session_id="07abc").SerializeToString()
    encoded = await client.post(f"{SERVICE}/GetSession", content=request, headers=signed | PROTO)
    assert spelled.json()["update"]["view"]["key"] == "die"
    assert spelled.headers["content-type"] == "application/json"
    assert encoded.headers["content-type"] == "application/proto"
    assert play_pb2.GetSessionResponse.FromString(encoded.content).update == update
    assert [call.caller.name for call in peer.calls] == ["Ada", "Ada"]
    assert peer.calls[0].call == peer.calls[1].call


@pytest.mark.parametrize("reason", [number for number in errors_pb2.Reason.values() if number])
async def test_every_refusal_is_an_error_with_its_code_status_and_details(
    client: httpx.AsyncClient, peer: Peer, reason: int
) -> None:
    def refuse(*_: object) -> play_pb2.GetSessionResponse:
        raise Refused(errors_pb2.Reason.ValueType(reason), "no", rule="EWN-TURN-1", retry_after_ms=5)

    peer.handlers["get_session"] = refuse
    response = await client.post(f"{SERVICE}/GetSession", json={"sessionId": "07abc"})
    error = response.json()
    expected = Refused(errors_pb2.Reason.ValueType(reason), "no").refusal
    received = errors_pb2.Refusal.FromString(base64.b64decode(error["details"][-1]["value"] + "=="))
    assert response.status_code == HTTP[expected.code]
    assert error["code"] == connect_format.code_of(expected)
    assert (received.reason, received.rule) == (reason, "EWN-TURN-1")
    assert error["details"][0]["type"] == "google.rpc.ErrorInfo"
    assert error["details"][-1]["debug"]["rule"] == "EWN-TURN-1"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/GetSession", {"content-type": "text/plain"}, 415),
        ("/GetSession", STREAM_JSON, 415),
        ("/Watch", JSON, 415),
        ("/Connect", STREAM_PROTO, 505),
        ("/Nothing", JSON, 501),
        ("/", JSON, 501),
        ("/GetSession", JSON | {"content-encoding": "br"}, 501),
    ],
)
async def test_what_is_not_of_the_protocol_is_an_error(client: httpx.AsyncClient, path: str, headers: Any, status: int) -> None:
    response = await client.post(SERVICE + path, content=b"{}", headers=headers)
    assert response.status_code == status
    assert response.json()["code"] in ("invalid_argument", "unimplemented")


async def test_a_call_is_a_post(client: httpx.AsyncClient) -> None:
    response = await client.get(f"{SERVICE}/GetSession")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


KEPT = f"{SERVICE}/GetGame?connect=v1&encoding=proto&base64=1&message="


def of_game(peer: Peer, words: dict[str, str]) -> str:
    """Let the server answer with words; return where a browser gets them."""
    peer.handlers["get_game"] = lambda _, __: play_pb2.GetGameResponse(catalogue=words)
    message = play_pb2.GetGameRequest(game="wec", language="de").SerializeToString()
    return KEPT + base64.urlsafe_b64encode(message).decode().rstrip("=")


async def test_what_is_the_same_for_everybody_is_sent_once_to_a_browser(client: httpx.AsyncClient, peer: Peer) -> None:
    words = {f"key.{number}": "word" for number in range(100)}
    address = of_game(peer, words)
    first = await client.get(address)
    assert (first.status_code, first.headers["content-type"]) == (200, "application/proto")
    assert first.headers["content-encoding"] == "gzip"
    assert play_pb2.GetGameResponse.FromString(first.content).catalogue == words
    named = {"if-none-match": first.headers["etag"]}
    again = await client.get(of_game(peer, dict(reversed(words.items()))), headers=named)
    assert (again.status_code, again.content) == (304, b"")
    changed = await client.get(of_game(peer, words | {"key.0": "words"}), headers=named)
    assert changed.status_code == 200
    request = peer.calls[-1].call
    assert request.get_game == play_pb2.GetGameRequest(game="wec", language="de")


async def test_it_can_be_asked_for_in_json(client: httpx.AsyncClient, peer: Peer) -> None:
    of_game(peer, {"game.name": "Schach"})
    asked = {"encoding": "json", "message": '{"game": "wec", "language": "de"}'}
    response = await client.get(f"{SERVICE}/GetGame", params=asked)
    assert response.json()["catalogue"] == {"game.name": "Schach"}
    assert response.headers["etag"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "encoding=xml",
        "encoding=proto&base64=1&message=!",
        "encoding=json&message=[]",
        "encoding=json&message={}&compression=br",
    ],
)
async def test_a_query_that_holds_no_request_is_refused(client: httpx.AsyncClient, query: str) -> None:
    response = await client.get(f"{SERVICE}/GetGame?{query}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_argument")
    assert response.headers["cache-control"] == "no-store"


async def test_a_body_beyond_the_bound_is_not_read(client: httpx.AsyncClient) -> None:
    response = await client.post(f"{SERVICE}/GetSession", content=b"x" * (MESSAGE_BYTES + 1), headers=PROTO)
    assert response.status_code == 413


async def test_large_answers_are_compressed_for_who_takes_that(client: httpx.AsyncClient, peer: Peer) -> None:
    update = sessions_pb2.Update(session=sessions_pb2.Session(title="x" * 5000))
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=update)
    for headers in (JSON, PROTO):
        body = b"{}" if headers is JSON else b""
        async with client.stream("POST", f"{SERVICE}/GetSession", content=body, headers=headers) as response:
            raw = b"".join([data async for data in response.aiter_raw()])
        assert response.headers["content-encoding"] == "gzip"
        assert len(raw) < 300 < 5000 < len(gzip.decompress(raw))
        plain = await client.post(f"{SERVICE}/GetSession", content=body, headers=headers | {"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers


async def test_a_call_has_as_long_as_its_client_says(client: httpx.AsyncClient, peer: Peer) -> None:
    peer.hold.clear()
    for timeout, code in (("50", "deadline_exceeded"), ("0", "deadline_exceeded"), ("soon", "invalid_argument")):
        response = await client.post(f"{SERVICE}/GetSession", json={}, headers={"connect-timeout-ms": timeout})
        assert response.json()["code"] == code
    peer.hold.set()


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
async def test_what_is_no_request_for_a_watch_ends_its_stream_at_once(client: httpx.AsyncClient, body: bytes) -> None:
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
    async with httpx.AsyncClient(base_url=running.web, trust_env=False, timeout=20) as client:
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
async def test_who_does_not_read_is_cut_off(open_gateway: OpenGateway, peer: Peer, kind: str) -> None:
    running = await open_gateway()
    peer.publish("07abc")
    encoded = enveloped(play_pb2.WatchRequest(session_id="07abc").SerializeToString())
    body = WATCH_07ABC if kind == "connect+json" else encoded
    head = f"POST {SERVICE}/Watch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/{kind}\r\ncontent-length: {len(body)}"
    with socket.create_connection(("127.0.0.1", running.gateway.web.port)) as line:
        line.sendall(head.encode() + b"\r\n\r\n" + body)
        await peer.until(lambda: len(running.gateway.watches) == 1)
        for _ in range(400):
            peer.publish("07abc", padding=60_000)
            await asyncio.sleep(0)
        await peer.until(lambda: len(running.gateway.watches) == 0 and not running.gateway.streams._addresses)
        line.setblocking(False)
        last = b""
        with contextlib.suppress(ConnectionResetError):
            async with asyncio.timeout(20):
                while data := await asyncio.get_running_loop().sock_recv(line, 1 << 20):
                    last = data
        assert not last.endswith(b"0\r\n\r\n"), "it is cut, not brought to its end"


async def test_a_gateway_that_ends_says_so_to_its_watches(open_gateway: OpenGateway, peer: Peer) -> None:
    running = await open_gateway()
    peer.publish("07abc")
    async with httpx.AsyncClient(base_url=running.web, trust_env=False, timeout=20) as client:
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


async def test_who_watches_much_in_json_is_charged_and_waits(
    open_gateway: OpenGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect_calls, "CHARGED_S", 0.0)
    slow = asyncio.Event()

    async def wait(self: Any, caller: Any, cpu_s: float) -> None:
        slow.set()
        await charge(self, caller, cpu_s)

    charge = connect_calls.ConnectCalls._charge
    monkeypatch.setattr(connect_calls.ConnectCalls, "_charge", wait)
    running = await open_gateway(address_rate_per_s=4, address_rate_burst=4)
    peer.publish("07abc")
    async with httpx.AsyncClient(base_url=running.web, trust_env=False, timeout=20) as client:
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


async def test_a_listed_page_may_ask_by_this_protocol(open_gateway: OpenGateway) -> None:
    running = await open_gateway(allowed_origins="https://play.example")
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "connect-protocol-version,content-type"}
    async with httpx.AsyncClient(base_url=running.web, trust_env=False, headers={"origin": "https://play.example"}) as client:
        allowed = (await client.options(f"{SERVICE}/Act", headers=asked)).headers["access-control-allow-headers"]
        assert {"connect-protocol-version", "connect-timeout-ms", "content-type", "authorization"} <= set(allowed.split(", "))
        answer = await client.post(f"{SERVICE}/GetSession", json={})
        assert answer.headers["access-control-allow-origin"] == "https://play.example"
