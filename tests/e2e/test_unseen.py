"""Messages of the gateway to others about a Turn that they do not see: the same, whatever was done in it (WEC-RUL-53)."""

import queue
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import news_pb2, play_pb2, sessions_pb2, wec_pb2
from deploy.local.deployment import Deployment
from tests.e2e.stranger import Stranger, in_background, me, new_id, nobody

pytestmark = pytest.mark.e2e

LATE = ("MV:AAA(2,8)", "END")
EARLY = ("MV:AAA(2,3)", "END")


@dataclass
class Ear:
    """Takes the messages of a stream as they come, undecoded."""

    stream: Any
    heard: queue.Queue[bytes] = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        in_background(self._hear)

    def _hear(self) -> None:
        try:
            for message in self.stream:
                self.heard.put(message)
        except grpc.RpcError:
            pass  # it was cancelled

    def until(self, version: int) -> list[bytes]:
        """Return the updates and resyncs up to one of a version, undecoded."""
        found = []
        while True:
            message = self.heard.get(timeout=60)
            read = play_pb2.WatchResponse.FromString(message)
            if not read.HasField("heartbeat"):
                found.append(message)
                update = read.update if read.HasField("update") else read.resync.update
                assert update.version <= version, "something unseen was sent"
                if update.version == version:
                    return found

    def news(self) -> bytes:
        """Return the next news, undecoded."""
        while True:
            message = self.heard.get(timeout=60)
            if news_pb2.WatchPlayerResponse.FromString(message).HasField("news"):
                return message


def raw(who: Stranger, method: str, request: play_pb2.WatchRequest | news_pb2.WatchPlayerRequest) -> Ear:
    """Return what hears a stream of a method."""
    call: Any = who.channel.unary_stream(f"/brettwerk.v1.PlayService/{method}", lambda asked: asked.SerializeToString())
    return Ear(call(request, metadata=who.metadata, timeout=120))


def competitive(who: Stranger) -> AnyMessage:
    """Return the preset options of Weaponized Chess, competitive."""
    games = who.stub.ListGames(play_pb2.ListGamesRequest(), metadata=who.metadata, timeout=20).games
    options = wec_pb2.WecOptions()
    for spec in next(game for game in games if game.id == "wec").options:
        kind = spec.WhichOneof("values")
        assert kind is not None
        setattr(options, spec.key, getattr(spec, kind).preset)
    options.competitive = True
    packed = AnyMessage()
    packed.Pack(options)
    return packed


def without_times(message: bytes, kind: type[play_pb2.WatchResponse] | type[news_pb2.WatchPlayerResponse], session: str) -> str:
    """Return a message as text, without times and without what names the session."""
    read = kind.FromString(message)
    for update in (read.update, read.resync.update) if isinstance(read, play_pb2.WatchResponse) else ():
        update.at_ms = 0
        update.session.ClearField("created_at_ms")
        update.session.ClearField("commitment")
        for clock in update.clocks:
            clock.left_ms = 0
    if isinstance(read, news_pb2.WatchPlayerResponse):
        read.news.ClearField("at_ms")
    return str(read).replace(session, "it")


def received(deployment: Deployment, turn: tuple[str, ...]) -> list[tuple[int, str]]:
    """Play a Turn of a new game; return what an opponent, a spectator and a player elsewhere receive, with the sizes."""
    ada, ben, cleo = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Ben", "Cleo"))
    request = play_pb2.CreateSessionRequest(
        game="wec", seats=[me(), nobody()], options=competitive(ada), competitive=True, public=True, request_id=new_id()
    )
    created = ada.stub.CreateSession(request, metadata=ada.metadata, timeout=20)
    session, own = created.session.id, created.grants[0].seat_token
    token = ben.join(session).seat_token
    elsewhere = raw(ben, "WatchPlayer", news_pb2.WatchPlayerRequest())
    spectator = raw(cleo, "Watch", play_pb2.WatchRequest(session_id=session))
    version = cleo.look(session).version
    first = [(message, "spectator") for message in spectator.until(version)]
    for number, begins in enumerate(turn):
        update = ada.look(session, own)
        choice = next(n for n, each in enumerate(update.actions) if each.notation.startswith(begins))
        ada.act(update, own, choice)
        if number < len(turn) - 1:
            assert cleo.look(session).version == version
            assert ben.look(session, token).version == version
    news = elsewhere.news()
    assert news_pb2.WatchPlayerResponse.FromString(news).news.kind == news_pb2.News.KIND_YOUR_TURN
    received = [*first, *((message, "spectator") for message in spectator.until(version + 1))]
    opponent = raw(ben, "Watch", play_pb2.WatchRequest(session_id=session, seat_token=token, after_version=1))
    received += [(message, "opponent") for message in opponent.until(version + 1)]
    assert cleo.look(session).session.state == sessions_pb2.Session.STATE_RUNNING
    for ear in (elsewhere, spectator, opponent):
        ear.stream.cancel()
    for who in (ada, ben, cleo):
        who.close()
    found = [(len(message), without_times(message, play_pb2.WatchResponse, session)) for message, _ in received]
    return [*found, (len(news), without_times(news, news_pb2.WatchPlayerResponse, session))]


def test_two_turns_that_differ_in_what_is_unseen_are_the_same_messages_for_the_others(deployment: Deployment) -> None:
    early = received(deployment, EARLY)
    assert received(deployment, LATE) == early
    assert len(early) > 3
