"""Any service may be killed in the middle of a game: nothing acknowledged is lost and the game goes on."""

import random
import time

import grpc
import pytest

from brettwerk.v1 import play_pb2
from deploy.local.deployment import Deployment
from tests.e2e.stranger import OVER, Stranger, computer, eventually, me, new_id

pytestmark = pytest.mark.e2e

PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
"""A call that got no answer. CANCELLED is what gRPC says of one that came in while its server was closing."""


def act_whatever_happens(
    ada: Stranger, session_id: str, seat_token: str, dice: random.Random, within_s: float = 30
) -> int | None:
    """Play one action, repeating the same request until it is answered; returns its version, None when the game is over."""
    end = time.monotonic() + within_s
    request_id, chosen = new_id(), None
    while time.monotonic() < end:
        try:
            if chosen is None:
                update = ada.look(session_id, seat_token)
                if update.session.state in OVER:
                    return None
                if not update.actions:
                    time.sleep(0.05)
                    continue
                chosen = (update, dice.randrange(len(update.actions)))
            return ada.act(chosen[0], seat_token, chosen[1], request_id).version
        except grpc.RpcError as error:
            if error.code() not in PASSING:
                raise
            time.sleep(0.1)
    raise AssertionError(f"no answer within {within_s} s")


def acknowledged_are_in_the_log(ada: Stranger, session_id: str, versions: list[int]) -> None:
    record = ada.record(session_id)
    assert [entry.version for entry in record.entries] == list(range(1, len(record.entries) + 1))
    acted = {entry.version for entry in record.entries if entry.WhichOneof("change") == "acted" and entry.acted.ply.actor == 1}
    assert acted == set(versions)
    found = ada.stub.CheckRecord(play_pb2.CheckRecordRequest(record=record), metadata=ada.metadata, timeout=60).verification
    assert found.good, found


@pytest.mark.nightly
def test_a_game_survives_the_killing_of_any_service(own_deployment: Deployment) -> None:
    for service in ("worker", "session", "rules", "ai", "players", "gateway"):
        print("killed:", service)
        survive(own_deployment, service)


def survive(own_deployment: Deployment, service: str) -> None:
    ada = Stranger(own_deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    dice = random.Random(service)
    versions = []
    for _ in range(2):
        version = act_whatever_happens(ada, session.id, seats[0], dice)
        assert version is not None
        versions.append(version)
    own_deployment.kill(service)
    killed_at = time.monotonic()
    version = act_whatever_happens(ada, session.id, seats[0], dice)
    if version is not None:
        versions.append(version)

    def computer_has_answered() -> bool:
        try:
            update = ada.look(session.id, seats[0])
        except grpc.RpcError:
            return False
        return update.session.state in OVER or bool(update.actions)

    eventually(computer_has_answered, within_s=max(0.1, 10 - (time.monotonic() - killed_at)))
    while (version := act_whatever_happens(ada, session.id, seats[0], dice)) is not None:
        versions.append(version)
    acknowledged_are_in_the_log(ada, session.id, versions)
    ada.close()


def test_a_watcher_sees_every_version_though_the_session_service_is_killed(own_deployment):
    ada = Stranger(own_deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    seen: list[int] = []
    dice, killed = random.Random(5), False
    for update in ada.updates(session.id, seats[0]):
        seen.append(update.version)
        if update.session.state in OVER:
            break
        if update.actions:
            if len(seen) > 6 and not killed:
                own_deployment.kill("session")
                killed = True
            act_whatever_happens(ada, session.id, seats[0], dice)
    assert killed
    assert seen == list(range(seen[0], seen[-1] + 1))
    ada.close()
