"""Answers in JSON are compact, and compressed for those who can read that; programs get no page for an address that is none."""

import gzip
import json
from pathlib import Path

import pytest
from google.protobuf import json_format

from brettwerk.v1 import games_pb2, play_pb2, sessions_pb2
from tests.gateway.conftest import OpenGateway
from tests.gateway.connect_client import PROTO, SERVICE, STREAM_JSON, STREAM_PROTO, enveloped, envelopes
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.gateway.sharing import shared_peer, shared_running
from tests.web_client import web_client

peer, running = shared_peer, shared_running


@pytest.mark.parametrize("arguments", [50, 5000])
async def test_a_long_answer_is_compressed_on_request(running: RunningGateway, peer: Peer, arguments: int) -> None:
    update = sessions_pb2.Update(session_id="07abc")
    update.view.Pack(games_pb2.Text(key="die", args={str(n): "a word or two, and an ä" for n in range(arguments)}))
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=update)
    bodies = {}
    for accepted in ("gzip", "identity", "gzip;q=0"):
        headers = {"accept-encoding": accepted, "content-type": "application/json"}
        async with (
            web_client(base_url=running.web) as client,
            client.stream("POST", "/v1/GetSession", content=b"{}", headers=headers) as response,
        ):
            bodies[accepted] = b"".join([chunk async for chunk in response.aiter_raw()])
            assert response.headers.get("content-encoding", "") == ("gzip" if accepted == "gzip" else "")
            assert response.headers["vary"] == "accept-encoding"
    plain = bodies["identity"]
    # Entries of a map have no order.
    assert json.loads(plain) == json.loads(bodies["gzip;q=0"]) == json.loads(gzip.decompress(bodies["gzip"]))
    assert len(bodies["gzip"]) < len(plain)
    assert plain == (json.dumps(json.loads(plain), separators=(",", ":"), ensure_ascii=False) + "\n").encode()


async def test_a_client_that_asks_for_json_gets_no_page(open_gateway: OpenGateway, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    running = await open_gateway(web_folder=str(tmp_path))
    async with web_client(base_url=running.web) as client:
        refused = await client.get("/v2/games", headers={"accept": "application/json"})
        assert (refused.status_code, refused.json()["refusal"]["reason"]) == (404, "REASON_NO_SUCH_METHOD")
        browser = await client.get("/v2/games", headers={"accept": "text/html,*/*;q=0.8"})
        assert (browser.status_code, browser.text) == (404, "<!doctype html>")


@pytest.mark.parametrize("words", [200, 20_000])
async def test_a_long_binary_answer_is_compressed_on_request(running: RunningGateway, peer: Peer, words: int) -> None:
    session = sessions_pb2.Session(title="a word or two, " * words)
    expected = play_pb2.GetSessionResponse(update=sessions_pb2.Update(session=session))
    peer.handlers["get_session"] = lambda _, __: expected
    async with web_client(base_url=running.web, timeout=60) as client:
        for accepted in ("gzip", "identity"):
            headers = PROTO | {"accept-encoding": accepted}
            async with client.stream("POST", f"{SERVICE}/GetSession", content=b"", headers=headers) as response:
                raw = b"".join([chunk async for chunk in response.aiter_raw()])
            assert response.headers.get("content-encoding") == (None if accepted == "identity" else "gzip")
            body = raw if accepted == "identity" else gzip.decompress(raw)
            assert play_pb2.GetSessionResponse.FromString(body) == expected
            assert accepted == "identity" or len(raw) < len(body) / 20


@pytest.mark.parametrize("padding", [10, 5000, 300_000])
@pytest.mark.parametrize("is_json", [True, False], ids=["json", "proto"])
async def test_messages_of_a_watch_are_compressed_on_request(
    running: RunningGateway, peer: Peer, padding: int, is_json: bool
) -> None:
    session = f"07{padding:x}{is_json:x}"
    peer.publish(session, padding=padding)
    watch = play_pb2.WatchRequest(session_id=session)
    request = json_format.MessageToJson(watch).encode() if is_json else watch.SerializeToString()
    headers = (STREAM_JSON if is_json else STREAM_PROTO) | {"connect-accept-encoding": "gzip", "connect-timeout-ms": "60000"}
    async with (
        web_client(base_url=running.web, timeout=60) as client,
        client.stream("POST", f"{SERVICE}/Watch", content=enveloped(request), headers=headers) as response,
    ):
        assert response.headers["connect-content-encoding"] == "gzip"
        async for flags, message in envelopes(response):
            body = gzip.decompress(message) if flags == 1 else message
            found = json_format.Parse(body, play_pb2.WatchResponse()) if is_json else play_pb2.WatchResponse.FromString(body)
            if found.HasField("resync"):
                break
    assert len(found.resync.update.session.title) == padding
    assert flags == (1 if padding >= 1000 else 0)
    assert len(message) < 1000
