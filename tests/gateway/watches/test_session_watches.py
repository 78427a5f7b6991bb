"""Clients of a watch get every version once and in order, whatever happens behind the gateway."""

import asyncio
import random
from typing import Any

import grpc
import pytest
import pytest_asyncio

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc, sessions_pb2
from gateway.watches import feeds
from services.runtime import metrics
from services.runtime.refusal import Refused, of_rpc_error, unavailable
from tests.gateway.conftest import OpenGateway, OpenTalk
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, Talk

UPDATE = sessions_pb2.Update(version=7, at_ms=70)
KINDS = pytest.mark.parametrize("kind", ["connect", "websocket", "json websocket"])


def watch(number: int, session: str, after: int = 0) -> play_pb2.ConnectRequest:
    request = play_pb2.WatchRequest(session_id=session, after_version=after)
    return play_pb2.ConnectRequest(id=number, watch=request)


def version_of(message: play_pb2.WatchResponse | errors_pb2.Refusal) -> int:
    """Return the version of an update, minus the version of a whole picture."""
    assert isinstance(message, play_pb2.WatchResponse), message
    return message.update.version or -message.resync.update.version


async def versions(talk: Talk, count: int) -> list[int]:
    return [version_of((await talk.watched())[1]) for _ in range(count)]


@KINDS
async def test_a_watch_begins_with_a_whole_picture_and_goes_on_with_every_update(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    for _ in range(4):
        peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a"))
    assert await versions(talk, 1) == [-4]
    for _ in range(3):
        peer.publish("a")
    assert await versions(talk, 3) == [5, 6, 7]


@KINDS
async def test_a_watch_goes_on_after_any_version(kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk) -> None:
    for _ in range(4):
        peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a", after=1))
    assert await versions(talk, 3) == [2, 3, 4]


@pytest.mark.parametrize("kind", ["connect", "websocket"])
async def test_messages_come_as_the_bytes_that_the_session_service_sent(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a", padding=300)
    # A field that this gateway has never heard of, and a field out of order, would not survive being parsed and written.
    update = peer.sessions["a"][0]
    data = b"\xaa\x3e\x03new" + play_pb2.WatchResponse(resync=play_pb2.Resync(update=update)).SerializeToString()
    talk = await talk_to(kind, running)
    await talk.send(watch(7, "a"))
    await talk.watched()
    tailing = peer.tailings[0]
    tails = session_pb2.Tail(ids=list(tailing.follows), message=data)
    tailing.send_queue.put_nowait(session_pb2.TailSessionsResponse(tails=[tails]))
    framed = await talk.receive_bytes()
    while not framed.endswith(data):
        framed = await talk.receive_bytes()
    assert framed[:2] == b"\x08\x07"


@KINDS
async def test_every_update_comes_once_when_the_tail_breaks(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    chance = random.Random(7)
    talks = [await talk_to(kind, running) for _ in range(3)]
    for session in "ab":
        peer.publish(session)
    for talk in talks:
        for number, session in ((1, "a"), (2, "b")):
            await talk.send(watch(number, session))
            await talk.watched()
    for _ in range(5):
        for _ in range(chance.randrange(1, 6)):
            peer.publish(chance.choice("ab"))
        peer.break_tails()
        for _ in range(chance.randrange(1, 6)):
            peer.publish(chance.choice("ab"))
        await peer.until(lambda: bool(peer.tailings) and not peer.tailings[-1].send_queue.qsize())
    await peer.until(lambda: bool(peer.tailings) and len(peer.tailings[-1].follows) == 6)
    for session in "ab":
        peer.publish(session)
    last = {number: len(peer.sessions[session]) for number, session in ((1, "a"), (2, "b"))}
    for talk in talks:
        found: dict[int, list[int]] = {1: [], 2: []}
        while not all(found[number] and found[number][-1] == last[number] for number in found):
            number, message = await talk.watched()
            found[number].append(version_of(message))
        assert found == {number: list(range(2, last[number] + 1)) for number in found}


@KINDS
async def test_an_update_that_a_client_has_is_not_given_again(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    for _ in range(3):
        peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a", after=1))
    assert await versions(talk, 2) == [2, 3]
    tailing = peer.tailings[0]
    for update in peer.sessions["a"]:
        peer.tell(tailing, list(tailing.follows), play_pb2.WatchResponse(update=update))
    peer.publish("a")
    assert await versions(talk, 1) == [4]


@KINDS
async def test_watches_come_through_a_restart_of_the_session_service(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a"))
    assert await versions(talk, 1) == [-1]
    resumes = metrics.WATCH_RESUMES.labels("tail")._value.get()
    await peer.stop()
    peer.publish("a")
    peer.publish("a")
    await peer.start()
    assert await versions(talk, 2) == [2, 3]
    assert peer.follows[-1].watch.after_version == 1
    assert metrics.WATCH_RESUMES.labels("tail")._value.get() > resumes


@KINDS
async def test_a_server_that_has_lost_versions_says_so_and_the_watch_goes_on_from_there(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    for _ in range(5):
        peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a"))
    assert await versions(talk, 1) == [-5]
    del peer.sessions["a"][3:]
    peer.break_tails()
    _, message = await talk.watched()
    assert isinstance(message, play_pb2.WatchResponse)
    assert message.resync.cause == play_pb2.Resync.CAUSE_AHEAD
    assert message.resync.update.version == 3
    peer.publish("a")
    assert await versions(talk, 1) == [4]


@KINDS
async def test_a_watch_that_cannot_be_served_now_is_asked_for_again(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a"))
    await talk.watched()
    for _ in range(3):
        asked = len(peer.follows)
        peer.refuse(peer.tailings[0], list(peer.tailings[0].follows), unavailable("store"))
        peer.publish("a")
        await peer.until(lambda asked=asked: len(peer.follows) > asked)  # type: ignore[misc]
    assert await versions(talk, 3) == [2, 3, 4]


@KINDS
async def test_a_watch_that_is_refused_ends_and_tells_the_last_version(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a"))
    await talk.watched()
    gone = Refused(errors_pb2.REASON_UNKNOWN, "the session is gone")
    peer.refuse(peer.tailings[0], list(peer.tailings[0].follows), gone)
    number, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert (number, refusal.reason, refusal.head_version) == (1, errors_pb2.REASON_UNKNOWN, 1)
    assert len(running.gateway.watches) == 0


@KINDS
async def test_watches_end_as_unavailable_when_the_session_service_stays_away(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "MAX_ATTEMPTS", 2)
    peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(watch(1, "a"))
    await talk.watched()
    await peer.stop()
    number, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert (number, refusal.reason, refusal.head_version) == (1, errors_pb2.REASON_UNAVAILABLE, 1)
    monkeypatch.undo()
    await peer.start()
    await talk.send(watch(2, "a"))
    assert await versions(talk, 1) == [-1]


@KINDS
async def test_one_tail_serves_all_watches_of_the_process(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    gauge = metrics.WATCHES.labels({"connect": "grpc"}.get(kind, "websocket"))
    before = gauge._value.get()
    talks = [await talk_to(kind, running) for _ in range(3)]
    for talk in talks:
        for number in range(1, 6):
            await talk.send(watch(number, "a"))
            await talk.watched()
    assert len(peer.tailings) == 1
    assert gauge._value.get() == before + 15
    for talk in talks:
        await talk.close()
    await peer.until(lambda: len(peer.unfollowed) == 15)
    assert gauge._value.get() == before


# --- PlayService.Watch


@pytest_asyncio.fixture(loop_scope="session")
async def stub(running: RunningGateway) -> Any:
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        yield play_pb2_grpc.PlayServiceStub(channel)


async def test_the_grpc_watch_gives_the_same_messages(running: RunningGateway, peer: Peer, stub: Any) -> None:
    peer.publish("a")
    stream = stub.Watch(play_pb2.WatchRequest(session_id="a"))
    assert version_of(await stream.read()) == -1
    peer.publish("a")
    assert version_of(await stream.read()) == 2
    stream.cancel()
    await peer.until(lambda: len(running.gateway.watches) == 0)


async def test_the_grpc_watch_of_an_unknown_session_is_refused(stub: Any) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await stub.Watch(play_pb2.WatchRequest(session_id="nowhere")).read()
    assert of_rpc_error(error.value, "gateway").reason == errors_pb2.REASON_UNKNOWN


async def test_the_grpc_watch_ends_with_the_last_version_when_the_gateway_ends(open_gateway: OpenGateway, peer: Peer) -> None:
    running = await open_gateway()
    peer.publish("a")
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        stream = stub.Watch(play_pb2.WatchRequest(session_id="a"))
        await stream.read()
        stopping = asyncio.create_task(running.stop())
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await stream.read()
        refusal = of_rpc_error(error.value, "gateway").refusal
        assert (refusal.reason, refusal.head_version) == (errors_pb2.REASON_UNAVAILABLE, 1)
        await stopping


@pytest.mark.parametrize("method", ["Watch", "Connect"])
async def test_a_grpc_client_that_does_not_read_is_parted_from(method: str, running: RunningGateway, peer: Peer) -> None:
    peer.publish("a")
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        path = f"/brettwerk.v1.PlayService/{method}"
        if method == "Watch":
            begin: Any = channel.unary_stream(path)
            stream: Any = begin(play_pb2.WatchRequest(session_id="a").SerializeToString())
        else:
            stream = channel.stream_stream(path)()
            await stream.write(watch(1, "a").SerializeToString())
        await stream.read()
        await publish_until_parted(running, peer)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await read_all(stream)
        assert of_rpc_error(error.value, "gateway").reason == errors_pb2.REASON_FULL
    assert len(running.gateway.watches) == 0


async def read_all(stream: Any) -> None:
    while await stream.read() is not grpc.aio.EOF:
        pass


async def publish_until_parted(running: RunningGateway, peer: Peer) -> None:
    """Make large versions until the gateway has had enough of who does not read them."""
    for _ in range(400):
        if len(running.gateway.watches) == 0:
            return
        peer.publish("a", padding=100_000)
        await asyncio.sleep(0.01)
    raise AssertionError("the gateway keeps everything")


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (play_pb2.WatchResponse(update=UPDATE), feeds.UPDATE),
        (play_pb2.WatchResponse(resync=play_pb2.Resync(update=UPDATE)), feeds.RESYNC),
        (play_pb2.WatchResponse(heartbeat=play_pb2.Heartbeat(head_version=9, at_ms=90)), feeds.OTHER),
        (play_pb2.WatchResponse(), feeds.OTHER),
    ],
)
def test_the_kind_of_a_message_is_read(message: play_pb2.WatchResponse, kind: int) -> None:
    assert feeds.kind_of(message.SerializeToString()) == kind
