"""Somebody on the machine, without the key of the installation, who wants the seats of others."""

import os

import grpc
import psutil
import pytest

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import play_pb2, record_pb2
from deploy.local.deployment import Deployment
from deploy.local.process_specs import specs
from deploy.local.processes import Processes
from services.runtime.inner_calls import HEADER, InnerKeys
from tests.e2e.stranger import Stranger, me, new_id

pytestmark = pytest.mark.e2e

SESSION = "brettwerk.internal.v1.SessionService"


def take_over(
    deployment: Deployment, session_id: str, player_id: str, metadata: tuple[tuple[str, str], ...] = ()
) -> play_pb2.Answer:
    """Say to the session service to be somebody, and sit down at the seat that is kept for them."""
    join = play_pb2.JoinSessionRequest(session_id=session_id, seat=0, request_id=new_id())
    call = play_pb2.Call(join_session=join).SerializeToString()
    request = session_pb2.CarryOutRequest(caller=session_pb2.Caller(player_id=player_id, name="Mallory"), call=call)
    with grpc.insecure_channel(deployment.environment["BRETTWERK_SESSION_ADDRESS"]) as channel:
        response = session_pb2_grpc.SessionServiceStub(channel).CarryOut(request, timeout=20, metadata=metadata)
    return play_pb2.Answer.FromString(response.answer)


def left_to_a_computer(deployment: Deployment) -> tuple[Stranger, str]:
    """Return Ada, and a game in which a computer plays for her: her seat is kept for her."""
    ada, ben = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Ben")
    session, seats = ada.create(me(), play_pb2.SeatWish(open=True))
    ben.join(session.id)
    wish = play_pb2.SeatWish(computer=record_pb2.Computer(level="easy"))
    request = play_pb2.SetSeatRequest(session_id=session.id, seat=0, seat_token=seats[0], wish=wish, request_id=new_id())
    ada.stub.SetSeat(request, metadata=ada.metadata, timeout=20)
    ben.close()
    return ada, session.id


def test_a_seat_that_is_kept_for_somebody_cannot_be_taken_with_their_player_id(deployment: Deployment) -> None:
    ada, session_id = left_to_a_computer(deployment)
    stolen = "x" * 40
    for metadata in (
        (),
        ((HEADER, InnerKeys([stolen]).token("gateway", SESSION)),),
        (("authorization", f"Bearer {ada.token}"),),  # not even who it is: the gateway says that
    ):
        with pytest.raises(grpc.RpcError) as caught:
            take_over(deployment, session_id, ada.player_id, metadata)
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert ada.look(session_id).session.seats[0].HasField("occupant")
    grant = ada.join(session_id, 0)
    assert ada.look(session_id, grant.seat_token).HasField("session")
    ada.close()


@pytest.mark.nightly
def test_with_the_key_it_would_be_possible(deployment: Deployment) -> None:
    """So the test above fails for the reason that it names."""
    ada, session_id = left_to_a_computer(deployment)
    token = InnerKeys([deployment.environment["BRETTWERK_INNER_KEY"]]).token("gateway", SESSION)
    assert take_over(deployment, session_id, ada.player_id, ((HEADER, token),)).join_session.grant.seat_token
    ada.close()


def test_only_those_who_sign_tokens_of_players_have_the_key_for_it(deployment: Deployment) -> None:
    given = {spec.name: spec.environment for spec in specs(deployment.plan)}
    seen = {name for pid in deployment.pids().values() for name in psutil.Process(pid).environ() if name.endswith("_SECRET_KEY")}
    assert not seen, "what they are forked from has none"
    inner = {process for process, environment in given.items() if environment.get("BRETTWERK_INNER_KEY")}
    assert inner >= {"rules", "session", "ai", "players", "worker", "gateway"}
    assert {process for process, environment in given.items() if "BRETTWERK_SECRET_KEY" in environment} == {"session", "gateway"}


def test_a_deployment_of_its_own_has_a_key_of_its_own(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("BRETTWERK_INNER_KEY")
    monkeypatch.delenv("BRETTWERK_SECRET_KEY", raising=False)
    deployments = [Deployment(data=tmp_path / name, processes=Processes(web=False)) for name in ("one", "other")]
    for deployment in deployments:
        os.makedirs(deployment.data)
    keys = {deployment.environment["BRETTWERK_INNER_KEY"] for deployment in deployments}
    secrets = {deployment.environment["BRETTWERK_SECRET_KEY"] for deployment in deployments}
    assert len(keys | secrets) == 4
