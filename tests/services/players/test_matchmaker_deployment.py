"""Finding opponents in a whole deployment: from a pool or a challenge to a game that both play to its end."""

import random
import threading
import time
from pathlib import Path

import grpc
import pytest

from brettwerk.v1 import errors_pb2, news_pb2, opponents_pb2, record_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from services.runtime.refusal import of_rpc_error
from tests.e2e.stranger import Stranger, eventually, new_id

CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=300_000, increment_ms=3_000)
READY = opponents_pb2.Seek.STATE_READY
pytestmark = pytest.mark.e2e


def seek(stranger: Stranger) -> opponents_pb2.Seek:
    request = opponents_pb2.StartSeekRequest(game="einstein", clock=CLOCK, competitive=True, request_id=new_id())
    return stranger.stub.StartSeek(request, metadata=stranger.metadata, timeout=20).seek


def found(stranger: Stranger, seek_id: str) -> opponents_pb2.Seek:
    """Follow a search until it has led to a session."""
    until = time.monotonic() + 60
    while True:
        request = opponents_pb2.FollowSeekRequest(seek_id=seek_id, wait_ms=2000)
        try:
            now = stranger.stub.FollowSeek(request, metadata=stranger.metadata, timeout=20).seek
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            continue
        assert now.state != opponents_pb2.Seek.STATE_OVER
        assert time.monotonic() < until
        if now.state == READY:
            return now


def play_out(one: Stranger, other: Stranger, session_id: str) -> sessions_pb2.Update:
    tokens = [each.join(session_id).seat_token for each in (one, other)]
    playing = threading.Thread(target=one.play, args=(session_id, tokens[0], random.Random(1)))
    playing.start()
    ended = other.play(session_id, tokens[1], random.Random(2))
    playing.join(60)
    return ended


def test_two_of_a_pool_meet_and_play_a_game_that_counts(deployment: Deployment):
    ada, bob = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Bob"))
    waiting = seek(ada)
    meeting = found(bob, seek(bob).seek_id)
    assert found(ada, waiting.seek_id).session_id == meeting.session_id
    before = ada.look(meeting.session_id).session
    assert before.state == sessions_pb2.Session.STATE_WAITING and before.competitive
    assert {seat.kept_for for seat in before.seats} == {ada.player_id, bob.player_id}
    ended = play_out(ada, bob, meeting.session_id)
    assert ended.session.state == sessions_pb2.Session.STATE_FINISHED
    ada.close()
    bob.close()


def test_a_third_player_cannot_sit_down_where_two_have_met(deployment: Deployment):
    ada, bob, eve = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Bob", "Eve"))
    seek(ada)
    session_id = found(bob, seek(bob).seek_id).session_id
    with pytest.raises(grpc.RpcError) as caught:
        eve.join(session_id)
    assert of_rpc_error(caught.value, "gateway").reason == errors_pb2.REASON_SEAT_TAKEN
    for each in (ada, bob, eve):
        each.close()


def test_a_challenge_is_announced_accepted_and_played(deployment: Deployment):
    ada, bob = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Bob"))
    received: list[news_pb2.News] = []
    watch = bob.stub.WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=bob.metadata, timeout=120)
    first = next(iter(watch))
    assert first.WhichOneof("kind") == "resync"
    meet(ada, bob)  # after a game they have news, and can be challenged by their ids
    asked = opponents_pb2.ChallengePlayerRequest(player_id=bob.player_id, game="einstein", request_id=new_id())
    made = ada.stub.ChallengePlayer(asked, metadata=ada.metadata, timeout=20).challenge
    for message in watch:
        if message.WhichOneof("kind") == "news":
            received.append(message.news)
            if message.news.kind == news_pb2.News.KIND_CHALLENGED:
                break
    assert (received[-1].challenge_id, received[-1].name) == (made.challenge_id, "Ada")
    answer = opponents_pb2.AnswerChallengeRequest(challenge_id=made.challenge_id, accept=True)
    accepted: list[str] = []

    def has_session() -> bool:
        accepted.append(bob.stub.AnswerChallenge(answer, metadata=bob.metadata, timeout=20).challenge.session_id)
        return bool(accepted[-1])

    eventually(has_session, 20)  # it is created as soon as that is possible; the same answer again changes nothing
    assert play_out(ada, bob, accepted[-1]).session.state == sessions_pb2.Session.STATE_FINISHED
    watch.cancel()
    ada.close()
    bob.close()


def test_options_that_no_game_can_have_are_refused_at_once(deployment: Deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    asked = opponents_pb2.ChallengePlayerRequest(
        player_id=ada.player_id, game="einstein", computers=[record_pb2.Computer(level="easy")], request_id=new_id()
    )
    with pytest.raises(grpc.RpcError) as caught:
        ada.stub.ChallengePlayer(asked, metadata=ada.metadata, timeout=20)
    refused = of_rpc_error(caught.value, "gateway")
    assert (refused.reason, refused.refusal.field) == (errors_pb2.REASON_MALFORMED, "seats")
    ada.close()


@pytest.mark.nightly
def test_a_killed_service_remembers_all_who_wait(own_deployment: Deployment):
    ada, bob = (Stranger(own_deployment.grpc_address, name) for name in ("Ada", "Bob"))
    waiting = seek(ada)
    own_deployment.kill("players")
    own_deployment.wait("players")
    begun: list[opponents_pb2.Seek] = []
    eventually(lambda: began(bob, begun), 60)  # a gateway that has lost the service tries again within two seconds
    meeting = found(ada, waiting.seek_id)
    assert found(bob, begun[0].seek_id).session_id == meeting.session_id
    ada.close()
    bob.close()


@pytest.mark.nightly
def test_a_table_to_which_only_one_has_come_is_closed(tmp_path: Path):
    hasty = {"players": {"BRETTWERK_JOIN_TIMEOUT_S": "5"}}
    with Deployment(data=tmp_path / "hasty", processes=Processes(own_environment=hasty)) as deployment:
        ada, bob = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Bob"))
        waiting = seek(ada)
        session_id = found(bob, seek(bob).seek_id).session_id
        ada.join(session_id)
        eventually(lambda: ada.look(session_id).session.state == sessions_pb2.Session.STATE_CLOSED, 60)
        request = opponents_pb2.FollowSeekRequest(seek_id=waiting.seek_id)
        ended = ada.stub.FollowSeek(request, metadata=ada.metadata, timeout=20).seek
        assert ended.state == opponents_pb2.Seek.STATE_OVER
        ada.close()
        bob.close()


def began(stranger: Stranger, begun: list[opponents_pb2.Seek]) -> bool:
    """Begin a search if the service can be reached, and add it to `begun`."""
    try:
        begun.append(seek(stranger))
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.UNAVAILABLE:
            raise
    return bool(begun)


def meet(one: Stranger, other: Stranger) -> None:
    """Let two play a game."""
    one_seeks = seek(one)
    session_id = found(other, seek(other).seek_id).session_id
    found(one, one_seeks.seek_id)
    play_out(one, other, session_id)
