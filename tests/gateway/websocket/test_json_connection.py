"""The WebSocket in JSON: the same messages as texts, under the same bounds, and paid for by those who ask for them."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from brettwerk.v1 import einstein_pb2, play_pb2, sessions_pb2
from gateway.limits import rates
from gateway.messages import offload
from gateway.streams.send_queue import SendQueue
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import JSON, RunningGateway
from tests.gateway.watches.test_session_watches import publish_until_parted
from tests.gateway.websocket.test_websocket import CALL, closing
from tests.night import at_night, examples

GET = {"call": {"getSession": {"sessionId": "x"}}}


@contextlib.asynccontextmanager
async def in_json(running: RunningGateway, **options: Any) -> AsyncIterator[ClientConnection]:
    async with connect(running.websocket, subprotocols=[JSON], compression=None, max_size=2**25, **options) as connection:
        yield connection


async def received(connection: ClientConnection) -> dict[str, Any]:
    text = await asyncio.wait_for(connection.recv(), 60)
    assert isinstance(text, str)
    assert "\n" not in text
    found: dict[str, Any] = json.loads(text)
    return found


async def refusal(connection: ClientConnection) -> tuple[str, str, str]:
    """Return the id, the reason and the field of a request's refusal."""
    found = await received(connection)
    return found["id"], found["refusal"]["reason"], found["refusal"].get("field", "")


@pytest.mark.parametrize(
    ("offered", "spoken"),
    [
        (["brettwerk.v1"], "brettwerk.v1"),
        (["brettwerk.v1+json"], "brettwerk.v1+json"),
        (["mqtt", "brettwerk.v1+json", "brettwerk.v1"], "brettwerk.v1+json"),
        (["brettwerk.v1", "brettwerk.v1+json"], "brettwerk.v1"),
        (["mqtt"], None),
        (None, None),
    ],
)
async def test_the_first_subprotocol_that_is_known_is_spoken_and_binary_without_one(
    running: RunningGateway, offered: list[Subprotocol] | None, spoken: str | None
) -> None:
    async with connect(running.websocket, subprotocols=offered) as connection:
        assert connection.subprotocol == spoken
        await connection.send(json.dumps(GET) if spoken == JSON else CALL)
        assert isinstance(await connection.recv(), str) is (spoken == JSON)


async def test_binary_frames_are_refused(running: RunningGateway) -> None:
    async with in_json(running) as connection:
        await connection.send(CALL)
        assert await closing(connection) == (1003, "frames are text: ConnectRequests in JSON")


@pytest.mark.parametrize("size", [10, 100_000])
async def test_text_that_is_not_utf_8_ends_the_connection(running: RunningGateway, size: int) -> None:
    async with in_json(running) as connection:
        with contextlib.suppress(ConnectionClosed):
            await connection.send(b"\xff" * size, text=True)
        assert (await closing(connection))[0] == 1007


async def test_texts_are_those_of_the_other_json_endpoints(running: RunningGateway, peer: Peer) -> None:
    view = AnyMessage()
    view.Pack(einstein_pb2.EinsteinView())
    shown = sessions_pb2.Update(version=7, view=view)
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=shown)
    async with in_json(running) as connection:
        await connection.send(json.dumps({"id": 2**53 + 1, **GET}))
        found = await received(connection)
    assert found["id"] == str(2**53 + 1)
    update = found["answer"]["getSession"]["update"]
    assert (update["version"], update["toAct"], update["ownSeat"]) == ("7", [], 0)
    assert update["view"]["@type"] == "type.googleapis.com/brettwerk.v1.EinsteinView"


async def test_a_watch_and_its_end_are_texts(running: RunningGateway, peer: Peer) -> None:
    peer.publish("a")
    async with in_json(running) as connection:
        await connection.send('{"id": "18446744073709551615", "watch": {"sessionId": "a"}}')
        first = await received(connection)
        assert (first["id"], first["watch"]["resync"]["update"]["version"]) == ("18446744073709551615", "1")
        peer.publish("a")
        while "update" not in (found := await received(connection))["watch"]:
            pass
        assert found["watch"]["update"]["version"] == "2"
        await connection.send('{"id": 2, "unwatch": {"watchId": "18446744073709551615"}}')
        while (found := await received(connection))["id"] != "2":
            pass
        assert found == {"id": "2", "answer": {}}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"id": 3, "call": {"act": {"expectedVersion": "many"}}}', ("3", "call.act.expected_version")),
        ('{"call": {"nothing": {}}, "id": "4"}', ("4", "call.nothing")),
        ('{"id": 5, "call": {}, "watch": {}}', ("5", "watch")),
        ('{"id": 6, "id": 7}', ("7", "")),
        ('{"id": -1, "call": {}}', ("0", "id")),
        ('{"id": 99999999999999999999, "call": {}}', ("0", "id")),
        ("[]", ("0", "")),
        ("", ("0", "")),
        ('{"id": 8, "call"', ("8", "")),
        ("[" * 8000, ("0", "")),
        ('{"id": 9, "call": {"act": {"notation": "' + "x" * 9000 + '"}, "what": 1}}', ("9", "call.what")),
        ('{"call": {"act": {"notation": "' + "x" * 9000 + '"}, "what": 1}, "id": 9}', ("0", "call.what")),
        ('{"id": 10, "watch": {"sessionId": "' + "x" * 9000 + '"}}', ("10", "")),
        ('{"id": 11, "call": {"act": {"notation": "' + "x" * 300_000 + '"}}}', ("11", "")),
    ],
)
async def test_an_unreadable_request_is_refused_with_its_field_and_the_stream_goes_on(
    shared: tuple[Peer, RunningGateway], text: str, found: tuple[str, str]
) -> None:
    peer, running = shared
    peer.forget()
    async with in_json(running) as connection:
        await connection.send(text)
        number, reason, field = await refusal(connection)
        assert (number, reason) == (found[0], "REASON_MALFORMED")
        assert field == found[1]
        assert not peer.calls
        await connection.send(json.dumps({"id": 12, **GET}))
        assert (await received(connection))["answer"]["getSession"] == {"isOwn": False}


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
names = st.sampled_from(["id", "call", "watch", "unwatch", "authenticate", "giveUp", "getSession", "act", "@type", "sessionId"])
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names | st.text(max_size=4), inner, max_size=4)
)
texts = st.text(max_size=60).filter(lambda text: text.isprintable()) | values.map(json.dumps)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(texts, max_size=12))
@example(sent=[json.dumps({"id": number, **GET}) for number in range(12)])
@example(sent=['{"watch": {}}', '{"unwatch": {}}'])
async def test_any_texts_get_a_typed_response_each_and_the_stream_goes_on(running: RunningGateway, sent: list[str]) -> None:
    """In any order. Only a watch that another text ends at once may have none: the answer to that one speaks for both."""
    unwatching = sum('"unwatch"' in text for text in sent)
    async with in_json(running) as connection:
        for text in sent:
            await connection.send(text)
        await connection.send(json.dumps({"id": 2**60, **GET}))
        ids: list[str] = []
        empty = 0
        while str(2**60) not in ids or len(ids) + min(empty, unwatching) < len(sent) + 1:
            found = await received(connection)
            ids.append(found["id"])
            empty += found.get("answer") == {}
            reason = (found.get("refusal") or found.get("answer", {}).get("refusal") or {}).get("reason", "")
            assert reason not in ("REASON_INTERNAL", "REASON_UNAVAILABLE"), found


async def test_large_answers_are_written_elsewhere_and_later_ones_wait_for_them(
    running: RunningGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Message] = []
    spelled = offload.spelled

    def noted(message: Message) -> bytes:
        written.append(message)
        return spelled(message)

    monkeypatch.setattr(offload, "spelled", noted)
    title = "ü" * 300_000
    large = play_pb2.GetSessionResponse(update=sessions_pb2.Update(session=sessions_pb2.Session(title=title)))
    peer.handlers["get_session"] = lambda _, __: large
    async with in_json(running) as connection:
        for number in (1, 2):
            await connection.send(json.dumps({"id": number, **GET}))
        await connection.send('{"id": 3, "unwatch": {"watchId": 77}}')
        found = [await received(connection) for _ in range(3)]
    assert {each["id"] for each in found} == {"1", "2", "3"}
    assert [each["answer"]["getSession"]["update"]["session"]["title"] == title for each in found if "answer" in each] == [
        True
    ] * 2
    assert all(len(message.SerializeToString()) < 1000 for message in written)
    await peer.until(lambda: SendQueue.in_all == 0)


async def test_a_response_that_cannot_be_written_harms_no_other(
    running: RunningGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer.publish("a")

    def broken(*_: object) -> bytes:
        raise TypeError("a message that is not known here")

    async with in_json(running) as connection:
        with monkeypatch.context() as patched:
            patched.setattr("gateway.messages.offload.spelled_watch", broken)
            await connection.send('{"id": 1, "watch": {"sessionId": "a"}}')
            assert (await refusal(connection))[:2] == ("1", "REASON_INTERNAL")
        await connection.send(json.dumps({"id": 2, **GET}))
        while (found := await received(connection))["id"] != "2":
            pass
        assert "getSession" in found["answer"]


@pytest.mark.parametrize("kind", ["requests", at_night("large requests"), "watches"])
async def test_a_client_with_much_traffic_is_charged_and_waits(
    open_gateway: OpenGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(rates, "CHARGED_S", 0.0)
    running = await open_gateway(address_rate_per_s=10, address_rate_burst=2)
    peer.publish("a")
    began = asyncio.get_running_loop().time()
    padding, count = (" " * 9000, 5) if kind == "large requests" else ("", 10)
    async with in_json(running) as connection:
        if kind == "watches":
            await connection.send('{"id": 1, "watch": {"sessionId": "a"}}')
        for _ in range(count):
            if kind == "watches":
                peer.publish("a")
            else:
                await connection.send('{"id": "many"' + padding + "}")
            await received(connection)
    assert asyncio.get_running_loop().time() - began > count / 25, "they were paid for by ten a second, with a few in advance"


async def test_a_client_that_does_not_read_its_texts_is_parted_from(running: RunningGateway, peer: Peer) -> None:
    peer.publish("a")
    async with in_json(running, max_queue=1) as connection:
        await connection.send('{"id": 1, "watch": {"sessionId": "a"}}')
        await received(connection)
        connection.transport.pause_reading()
        await publish_until_parted(running, peer)
        await peer.until(lambda: not running.gateway.streams._addresses)
        connection.transport.abort()
    await peer.until(lambda: SendQueue.in_all == 0)


async def test_an_update_that_many_watch_is_written_once(running: RunningGateway, peer: Peer) -> None:
    peer.publish("watched by many")
    offload.spelled_watch.cache_clear()
    async with contextlib.AsyncExitStack() as held:
        for _ in range(3):
            connection = await held.enter_async_context(in_json(running))
            await connection.send('{"id": 1, "watch": {"sessionId": "watched by many"}}')
            await received(connection)
    assert offload.spelled_watch.cache_info().misses == 1
