"""The Connect protocol: calls by HTTP as its specification has them, bounded like those of the other endpoints."""

import base64
import gzip
from typing import Any

import httpx
import pytest

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, sessions_pb2
from gateway.endpoints import connect_format
from gateway.messages.contract import MESSAGE_BYTES
from services.runtime.refusal import Refused
from tests.gateway.conftest import OpenGateway
from tests.gateway.connect_client import JSON, PROTO, SERVICE, STREAM_JSON, STREAM_PROTO
from tests.gateway.peer import Peer
from tests.web_client import web_client

HTTP = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 10: 409, 12: 501, 13: 500, 14: 503, 16: 401}
"""The specification's HTTP statuses of the codes that there are here."""


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
async def test_requests_outside_the_protocol_are_errors(client: httpx.AsyncClient, path: str, headers: Any, status: int) -> None:
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


async def test_an_answer_that_is_the_same_for_everybody_is_sent_once_to_a_browser(client: httpx.AsyncClient, peer: Peer) -> None:
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


async def test_it_is_the_same_for_those_who_sign_their_request(client: httpx.AsyncClient, peer: Peer, token: str) -> None:
    await client.get(of_game(peer, {}), headers={"authorization": f"Bearer {token}"})
    assert (peer.calls[-1].caller.player_id, peer.calls[-1].caller.name) == ("", "")


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


async def test_large_answers_are_compressed_for_callers_that_take_it(client: httpx.AsyncClient, peer: Peer) -> None:
    update = sessions_pb2.Update(session=sessions_pb2.Session(title="x" * 5000))
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=update)
    for headers in (JSON, PROTO):
        body = b"{}" if headers is JSON else b""
        async with client.stream("POST", f"{SERVICE}/GetSession", content=body, headers=headers) as response:
            raw = b"".join([data async for data in response.aiter_raw()])
        assert response.headers["content-encoding"] == "gzip"
        assert len(raw) < 400 < 5000 < len(gzip.decompress(raw))
        plain = await client.post(f"{SERVICE}/GetSession", content=body, headers=headers | {"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers


async def test_a_call_has_as_long_as_its_client_says(client: httpx.AsyncClient, peer: Peer) -> None:
    peer.hold.clear()
    for timeout, code in (("50", "deadline_exceeded"), ("0", "deadline_exceeded"), ("soon", "invalid_argument")):
        response = await client.post(f"{SERVICE}/GetSession", json={}, headers={"connect-timeout-ms": timeout})
        assert response.json()["code"] == code
    peer.hold.set()


async def test_a_listed_page_may_ask_by_this_protocol(open_gateway: OpenGateway) -> None:
    running = await open_gateway(allowed_origins="https://play.example")
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "connect-protocol-version,content-type"}
    async with web_client(base_url=running.web, headers={"origin": "https://play.example"}) as client:
        allowed = (await client.options(f"{SERVICE}/Act", headers=asked)).headers["access-control-allow-headers"]
        assert {"connect-protocol-version", "connect-timeout-ms", "content-type", "authorization"} <= set(allowed.split(", "))
        answer = await client.post(f"{SERVICE}/GetSession", json={})
        assert answer.headers["access-control-allow-origin"] == "https://play.example"
