"""A seat changes hands in a whole deployment whose session and players services are killed in between: by gRPC and by JSON."""

from collections.abc import Callable
from typing import Any

import grpc
import httpx
import pytest

from brettwerk.v1 import news_pb2, notifications_pb2, play_pb2, sessions_pb2, substitutes_pb2
from deploy.local.deployment import Deployment
from tests.chaos.test_kill import PASSING
from tests.e2e.stranger import Stranger, eventually, me, new_id, nobody

pytestmark = pytest.mark.e2e


def until_answered(ask: Callable[[], Any]) -> Any:
    """Return the answer to a call that is made again, the same, as long as nobody answers it."""
    answers: list[Any] = []

    def is_answered() -> bool:
        try:
            answers.append(ask())
        except grpc.RpcError as error:
            if error.code() not in PASSING:
                raise
            return False
        return True

    eventually(is_answered, within_s=30)
    return answers[-1]


def kinds_of(player: Stranger) -> list[news_pb2.News.Kind.ValueType]:
    """Return the kinds of a player's news so far."""
    stream = player.stub.WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=player.metadata, timeout=20)
    for response in stream:
        if response.HasField("resync"):
            stream.cancel()
            return [one.kind for one in response.resync.news]
    return []


def open_seats(deployment: Deployment) -> list[str]:
    url = f"http://{deployment.web_address}/v1/ListOpenSeats"
    answer = httpx.post(url, json={"game": "einstein"}, timeout=20)
    return [session["id"] for session in answer.json().get("sessions", [])] if answer.status_code == 200 else []


def test_a_seat_is_left_and_taken_though_session_and_players_services_are_killed(own_deployment: Deployment) -> None:
    ada, ben, dora = (Stranger(own_deployment.grpc_address, name) for name in ("Ada", "Ben", "Dora"))
    wanted = notifications_pb2.NotificationSettings(open_seats=["einstein"])
    request = notifications_pb2.SetNotificationsRequest(settings=wanted)
    kept = dora.stub.SetNotifications(request, metadata=dora.metadata, timeout=20).notifications.settings
    assert list(kept.open_seats) == ["einstein"]
    session, seats = ada.create(me(), nobody(), public=True, substitutes=True)
    former = ben.join(session.id).seat_token
    leave = play_pb2.LeaveSessionRequest(session_id=session.id, seat_token=former, request_id=new_id())
    left = ben.stub.LeaveSession(leave, metadata=ben.metadata, timeout=20).session
    assert left.seats[1].HasField("offer")
    eventually(lambda: news_pb2.News.KIND_SEAT_OFFERED in kinds_of(dora), within_s=20)

    own_deployment.kill("session")
    eventually(lambda: open_seats(own_deployment) == [session.id], within_s=30)
    ask = substitutes_pb2.AskForSeatRequest(session_id=session.id, seat=1, request_id=new_id())
    asked = dora.stub.AskForSeat(ask, metadata=dora.metadata, timeout=20).session
    assert asked.seats[1].offer.asker.name == "Dora"
    own_deployment.kill("session")
    own_deployment.kill("players")
    assert until_answered(lambda: dora.stub.AskForSeat(ask, metadata=dora.metadata, timeout=5)).session == asked
    agree = substitutes_pb2.AnswerSubstituteRequest(
        session_id=session.id, seat_token=seats[0], seat=1, accept=True, request_id=new_id()
    )
    first = until_answered(lambda: ada.stub.AnswerSubstitute(agree, metadata=ada.metadata, timeout=5))
    own_deployment.kill("session")
    assert until_answered(lambda: ada.stub.AnswerSubstitute(agree, metadata=ada.metadata, timeout=5)) == first

    token = until_answered(lambda: dora.join(session.id, 1)).seat_token
    seen = dora.look(session.id, token)
    assert [seat.occupant.person.name for seat in seen.session.seats] == ["Ada", "Dora"]
    assert open_seats(own_deployment) == []
    with pytest.raises(grpc.RpcError) as caught:
        ben.look(session.id, former)
    assert caught.value.code() == grpc.StatusCode.PERMISSION_DENIED
    resign = play_pb2.ResignRequest(session_id=session.id, seat_token=token, request_id=new_id())
    dora.stub.Resign(resign, metadata=dora.metadata, timeout=20)
    record = ada.record(session.id)
    changes = [entry.WhichOneof("change") for entry in record.entries]
    assert [changes.count(one) for one in ("seat_offered", "substitute_asked", "substitute_answered")] == [1, 1, 1]
    checked = play_pb2.CheckRecordRequest(record=record)
    assert ada.stub.CheckRecord(checked, metadata=ada.metadata, timeout=60).verification.good
    assert seen.session.state == sessions_pb2.Session.STATE_RUNNING
    for player in (ada, ben, dora):
        player.close()
