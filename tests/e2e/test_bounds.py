"""Refusals to strangers when there is no room: through the real endpoints, with a real Redis that has no memory left."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import redis
from google.rpc import error_details_pb2, status_pb2

from brettwerk.v1 import errors_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.e2e.stranger import Stranger, me

pytestmark = pytest.mark.e2e


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    with Deployment(
        data=tmp_path / "deployment", processes=Processes(web=False), environment={"BRETTWERK_SESSIONS_PER_ADDRESS": "2"}
    ) as started:
        yield started


def refused(stranger: Stranger) -> tuple[grpc.StatusCode, errors_pb2.Refusal, error_details_pb2.RetryInfo]:
    """Return the refusal to a stranger who founds one more session."""
    with pytest.raises(grpc.RpcError) as caught:
        stranger.create(me(), me())
    trailers: dict[str, bytes] = dict(caught.value.trailing_metadata())  # type: ignore[arg-type] # pairs in all but name
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    refusal, retry = errors_pb2.Refusal(), error_details_pb2.RetryInfo()
    assert any(detail.Unpack(refusal) for detail in status.details)
    assert any(detail.Unpack(retry) for detail in status.details)
    return caught.value.code(), refusal, retry


@pytest.mark.nightly
def test_a_client_without_room_is_told_which_bound_and_when_to_come_again(deployment: Deployment) -> None:
    guests = [Stranger(deployment.grpc_address, f"Guest {number}") for number in range(3)]
    session, seats = guests[0].create(me(), me())
    guests[1].create(me(), me())
    code, refusal, retry = refused(guests[2])
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refusal.reason == errors_pb2.REASON_FULL
    assert refusal.details["bound"] == "address"
    assert retry.retry_delay.ToMilliseconds() == refusal.retry_after_ms > 0
    with redis.Redis.from_url(deployment.environment["BRETTWERK_REDIS_URL"]) as store:
        store.config_set("maxmemory", 1_000_000)
        assert refused(guests[2])[1].details["bound"] == "memory"
        for _ in range(4):
            update = guests[0].look(session.id)
            seat = update.to_act[0]
            guests[0].act(guests[0].look(session.id, seats[seat]), seats[seat])
        store.config_set("maxmemory", 0)
    assert guests[0].look(session.id).version == update.version + 1
    for guest in guests:
        guest.close()
