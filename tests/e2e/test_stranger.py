"""Strangers' clients play whole games through each endpoint of the gateway."""

import json
import random
import time

import grpc
import httpx
import pytest
from websockets.sync.client import connect

from brettwerk.v1 import einstein_pb2, errors_pb2, play_pb2, sessions_pb2
from tests.e2e.stranger import OVER, Stranger, computer, in_background, me, new_id, nobody

pytestmark = pytest.mark.e2e


def test_a_grpc_client_plays_a_game_against_the_computer_to_the_end(deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    last = ada.play(session.id, seats[0])
    assert sum(last.session.outcome.scores) == 1
    assert last.session.outcome.rule in ("EWN-END-1", "EWN-END-2")
    view = einstein_pb2.EinsteinView.FromString(last.view.value)
    assert [view.position.winner - 1] == list(last.session.outcome.winners)
    ada.close()


def test_two_people_play_each_other_while_a_third_watches(deployment):
    ada, ben, cleo = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Ben", "Cleo"))
    session, seats = ada.create(me(), nobody(), public=True)
    grant = ben.join(session.id)
    assert grant.seat == 1
    seen: list[sessions_pb2.Update] = []
    watching = in_background(lambda: seen.extend(cleo.updates(session.id)))
    playing = in_background(lambda: ben.play(session.id, grant.seat_token, random.Random(2)) and None)
    last = ada.play(session.id, seats[0])
    playing.join(60)
    watching.join(60)
    assert [u.version for u in seen] == list(range(seen[0].version, last.version + 1))
    assert not any(u.actions for u in seen), "a spectator has nothing to choose"
    assert seen[-1].session == last.session
    for who in (ada, ben, cleo):
        who.close()


def test_a_seat_is_not_played_by_somebody_else(deployment):
    ada, ben = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Ben")
    session, seats = ada.create(me(), nobody())
    grant = ben.join(session.id)
    update = ada.look(session.id, seats[0])
    with pytest.raises(grpc.RpcError) as refused:
        ben.act(update, grant.seat_token)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    with pytest.raises(grpc.RpcError) as refused:
        ben.act(update, "not-a-token-at-all")
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
    ada.act(update, seats[0])
    ada.close()
    ben.close()


def test_a_record_is_verified_and_a_changed_roll_is_found(deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer("beginner"))
    ada.play(session.id, seats[0])
    record = ada.record(session.id)
    found = ada.stub.CheckRecord(play_pb2.CheckRecordRequest(record=record), metadata=ada.metadata, timeout=20).verification
    assert found.good
    assert found.chance_proved
    acted = next(entry for entry in record.entries if entry.WhichOneof("change") == "acted")
    acted.acted.ply.seed = bytes(32)
    found = ada.stub.CheckRecord(play_pb2.CheckRecordRequest(record=record), metadata=ada.metadata, timeout=20).verification
    assert not found.good
    assert found.fault_version == acted.version
    ada.close()


def test_a_websocket_client_plays_a_game_to_the_end(deployment):
    with connect(f"ws://{deployment.web_address}/v1/connect", compression=None) as socket:
        numbers = iter(range(1, 1000))

        def ask(**kind) -> play_pb2.ConnectResponse:
            request = play_pb2.ConnectRequest(id=next(numbers), **kind)
            socket.send(request.SerializeToString())
            while True:
                response = play_pb2.ConnectResponse.FromString(socket.recv(timeout=20, decode=False))
                if response.id == request.id:
                    return response

        player = ask(call=play_pb2.Call(create_player=play_pb2.CreatePlayerRequest(name="Ada", request_id=new_id())))
        ask(authenticate=play_pb2.Authenticate(player_token=player.answer.create_player.player_token))
        request = play_pb2.CreateSessionRequest(game="einstein", seats=[me(), computer()], request_id=new_id())
        created = ask(call=play_pb2.Call(create_session=request)).answer.create_session
        token = created.grants[0].seat_token
        watch = play_pb2.ConnectRequest(
            id=next(numbers), watch=play_pb2.WatchRequest(session_id=created.session.id, seat_token=token)
        )
        socket.send(watch.SerializeToString())
        dice = random.Random(3)
        while True:
            response = play_pb2.ConnectResponse.FromString(socket.recv(timeout=30, decode=False))
            assert response.WhichOneof("kind") != "refusal", response
            assert response.answer.WhichOneof("response") != "refusal", response
            if response.WhichOneof("kind") != "watch" or response.watch.WhichOneof("kind") == "heartbeat":
                continue
            update = response.watch.update if response.watch.HasField("update") else response.watch.resync.update
            if update.session.state in OVER:
                assert sum(update.session.outcome.scores) == 1
                break
            if update.actions:
                act = play_pb2.ActRequest(
                    session_id=update.session_id,
                    seat_token=token,
                    expected_version=update.version,
                    action=dice.choice(update.actions).action,
                    request_id=new_id(),
                )
                socket.send(play_pb2.ConnectRequest(id=next(numbers), call=play_pb2.Call(act=act)).SerializeToString())


def test_curl_would_play_a_game_to_the_end_by_json_and_notation(deployment):
    with httpx.Client(base_url=f"http://{deployment.web_address}/v1/", timeout=20) as http:
        player = http.post("CreatePlayer", json={"name": "Ada", "requestId": new_id()}).raise_for_status().json()
        http.headers["authorization"] = f"Bearer {player['playerToken']}"
        wanted = {"game": "einstein", "seats": [{"me": True}, {"computer": {"level": "easy"}}], "requestId": new_id()}
        created = http.post("CreateSession", json=wanted).raise_for_status().json()
        session_id, token = created["session"]["id"], created["grants"][0]["seatToken"]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            looked = http.post("GetSession", json={"sessionId": session_id, "seatToken": token}).raise_for_status().json()
            update = looked["update"]
            if update["session"]["state"] == "STATE_FINISHED":
                assert sum(update["session"]["outcome"]["scores"]) == 1
                assert sorted(update["session"]["outcome"]["places"]) == [1, 2]
                return
            if update.get("actions"):
                act = {
                    "sessionId": session_id,
                    "seatToken": token,
                    "expectedVersion": update["version"],
                    "notation": update["actions"][0]["notation"],
                    "requestId": new_id(),
                }
                http.post("Act", json=act).raise_for_status()
            time.sleep(0.05)
    pytest.fail("the game did not end")


def test_an_illegal_move_names_the_rule_by_every_endpoint(deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), nobody())
    Stranger(deployment.grpc_address, "Ben").join(session.id)
    update = ada.look(session.id, seats[0])
    view = einstein_pb2.EinsteinView.FromString(update.view.value)
    wrong = next(n for n in range(1, 7) if n != view.position.roll)
    action = einstein_pb2.EinsteinAction(move=einstein_pb2.EinsteinMove(stone=wrong, target=12))
    request = play_pb2.ActRequest(
        session_id=session.id, seat_token=seats[0], expected_version=update.version, request_id=new_id()
    )
    request.action.Pack(action)
    with pytest.raises(grpc.RpcError) as refused:
        ada.stub.Act(request, metadata=ada.metadata, timeout=20)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    body = {
        "sessionId": session.id,
        "seatToken": seats[0],
        "expectedVersion": str(update.version),
        "requestId": new_id(),
        "action": {"@type": "type.googleapis.com/brettwerk.v1.EinsteinAction", "move": {"stone": wrong, "target": 12}},
    }
    answer = httpx.post(
        f"http://{deployment.web_address}/v1/Act",
        content=json.dumps(body),
        headers={"content-type": "application/json", **dict(ada.metadata)},
        timeout=20,
    )
    assert answer.status_code == 409
    refusal = answer.json()["refusal"]
    assert refusal["reason"] == errors_pb2.Reason.Name(errors_pb2.REASON_ILLEGAL)
    assert refusal["rule"].startswith("EWN-")
    ada.close()
