"""A viewing in a whole deployment: those in it are in step, and none of its processes takes it along when it is killed."""

import contextlib
import time

import grpc
import pytest

from brettwerk.v1 import play_pb2, viewings_pb2
from brettwerk_client import Client, computer, me
from deploy.local.deployment import Deployment

pytestmark = pytest.mark.e2e


def seen(client: Client, session_id: str, viewing_id: str, version: int) -> viewings_pb2.WatchedViewing:
    """Watch until a viewing is told whose position is of this version, over as many watches as that takes."""
    request = play_pb2.WatchRequest(session_id=session_id, viewing_id=viewing_id, show_name=True)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(grpc.RpcError):
            watch = client.service.Watch(request, metadata=client.metadata(), timeout=10)
            for message in watch:
                if message.viewing.viewing.version == version:
                    watch.cancel()
                    return message.viewing
    raise AssertionError(f"version {version} was not told")


def test_a_viewing_survives_the_gateway_and_the_session_service(own_deployment: Deployment) -> None:
    with Client(own_deployment.grpc_address, name="Ada") as ada, Client(own_deployment.grpc_address, name="Ben") as ben:
        seat = ada.create_session("einstein", [me(), computer("easy")]).seat
        seat.resign()
        session_id, last = seat.session_id, ada.spectator(seat.session_id).update().version
        start = viewings_pb2.StartViewingRequest(session_id=session_id)
        viewing_id = ada.call(ada.service.StartViewing, start).viewing.id
        assert seen(ben, session_id, viewing_id, last).viewing.presenter.name == "Ada"
        mark = viewings_pb2.ViewingMark(place="A1", to_place="B2")
        for process, version in (("gateway", last - 1), ("session", last - 2)):
            for change in ({"version": version}, {"added_mark": mark}):
                request = viewings_pb2.ChangeViewingRequest(session_id=session_id, viewing_id=viewing_id, **change)
                ada.call(ada.service.ChangeViewing, request)
            own_deployment.kill(process)
            again = seen(ben, session_id, viewing_id, version)
            assert [(one.place, one.to_place, one.name) for one in again.viewing.marks] == [("A1", "B2", "Ada")]
            assert again.talk.whole
