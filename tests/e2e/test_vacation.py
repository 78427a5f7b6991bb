"""Bots go on vacation, set rest hours and remind others: by gRPC and by JSON, through a whole deployment."""

from collections.abc import Mapping

import httpx
import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from tests.e2e.stranger import Stranger, me, new_id, nobody

pytestmark = pytest.mark.e2e

DAY_MS = 86_400_000


def test_a_bot_goes_on_vacation_once_however_often_it_asks_and_others_are_told(deployment):
    ada, ben = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Ben")
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=2 * DAY_MS, vacation_days=5)
    session, seats = ada.create(me(), nobody(), clock=clock, competitive=True)
    token = ben.join(session.id).seat_token
    before = ada.look(session.id)
    request = play_pb2.TakeVacationRequest(session_id=session.id, seat_token=seats[0], days=3, request_id=new_id())
    answers = [ada.stub.TakeVacation(request, metadata=ada.metadata, timeout=20) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].left_ms == 2 * DAY_MS
    (seen,) = (u for u in _until(ben, session.id, token, answers[0].version) if u.version > before.version)
    assert (seen.happening.kind, seen.happening.concerned_seat) == (sessions_pb2.Happening.KIND_VACATION, 0)
    assert seen.clocks[0].vacation_until_ms == answers[0].until_ms == seen.at_ms + 3 * DAY_MS
    ada.act(ada.look(session.id, seats[0]), seats[0])
    mine = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE)
    (turn,) = ben.stub.ListSessions(mine, metadata=ben.metadata, timeout=20).turns
    assert turn.to_act == [1]
    assert turn.clocks[0].vacation_until_ms == answers[0].until_ms
    _refused_by_json(deployment, ada, {"sessionId": session.id, "seatToken": seats[0], "days": 6, "requestId": new_id()})
    ada.close()
    ben.close()


def _until(player: Stranger, session_id: str, token: str, version: int) -> list[sessions_pb2.Update]:
    """Return the updates of a watch from the beginning until a version."""
    found = []
    for update in player.updates(session_id, token, after_version=1):
        found.append(update)
        if update.version >= version:
            break
    return found


def test_rest_hours_are_told_to_their_player_alone_and_reminders_come_no_earlier_than_they_may(deployment):
    ada, ben = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Ben")
    bank = record_pb2.ClockSpec(
        kind=record_pb2.ClockSpec.KIND_TOTAL,
        time_ms=2 * DAY_MS,
        increment_ms=DAY_MS // 2,
        cap_ms=3 * DAY_MS,
        rest_hours=True,
        automatic_vacation=True,
        claims=True,
    )
    session, seats = ada.create(me(), nobody(), clock=bank)
    token = ben.join(session.id).seat_token
    hours = {"timeZone": "Pacific/Auckland", "nightFrom": 1320, "nightUntil": 420, "weekends": True}
    body = {"sessionId": session.id, "seatToken": seats[0]}
    _by_json(deployment, ada, "SetRestHours", {**body, "hours": hours, "requestId": new_id()})
    assert _by_json(deployment, ada, "GetRestHours", body)["hours"] == hours
    assert "hours" not in _by_json(deployment, ben, "GetRestHours", {**body, "seatToken": token})
    seen = ben.look(session.id, token)
    assert (seen.happening.kind, seen.happening.concerned_seat) == (sessions_pb2.Happening.KIND_REST_HOURS, 0)
    assert seen.clocks[0].left_ms > seen.clocks[1].left_ms == 2 * DAY_MS
    for call, why in (("Nudge", {"nudge": "early"}), ("ClaimTime", {"claim": "left"})):
        refusal = _by_json(deployment, ben, call, {**body, "seatToken": token, "requestId": new_id()}, status=409)["refusal"]
        assert refusal["details"] == why
    ada.close()
    ben.close()


def _by_json(deployment, player: Stranger, call: str, body: Mapping[str, object], status: int = 200):
    url = f"http://{deployment.web_address}/v1/{call}"
    answer = httpx.post(url, json=body, headers=dict(player.metadata), timeout=20)
    assert answer.status_code == status, answer.text
    return answer.json()


def _refused_by_json(deployment, player: Stranger, body: dict[str, object]) -> None:
    url = f"http://{deployment.web_address}/v1/TakeVacation"
    answer = httpx.post(url, json=body, headers=dict(player.metadata), timeout=20)
    assert answer.status_code == 409
    refusal = answer.json()["refusal"]
    assert refusal["reason"] == "REASON_NO_VACATION"
    assert 0 < int(refusal["details"]["left_ms"]) <= 5 * DAY_MS
