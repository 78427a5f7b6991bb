"""Everybody at a table is told who is connected, through whichever endpoint they look, and however somebody leaves."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import grpc
import pytest
from websockets.asyncio.client import connect

from brettwerk.v1 import play_pb2
from tests.e2e.stranger import Stranger, in_background, me, nobody

pytestmark = pytest.mark.e2e


def present(messages: Iterator[play_pb2.WatchResponse], seats: list[int]) -> None:
    """Return when a watch has told that these seats are connected and no others."""
    for message in messages:
        if message.HasField("heartbeat") and list(message.heartbeat.present_seats) == seats:
            return
    raise AssertionError("the watch ended before that was told")


def two(deployment) -> tuple[Stranger, Stranger, str, str, str]:
    ada, ben = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Ben")
    session, seats = ada.create(me(), nobody())
    return ada, ben, session.id, seats[0], ben.join(session.id).seat_token


def asked(session: str, token: str) -> play_pb2.ConnectRequest:
    return play_pb2.ConnectRequest(id=1, watch=play_pb2.WatchRequest(session_id=session, seat_token=token))


def test_a_player_at_any_endpoint_is_present_until_they_leave(deployment):
    ada, ben, session, first, second = two(deployment)
    looking = ada.watch(session, first)
    present(looking, [0])
    watch = ben.watch(session, second)
    present(looking, [0, 1])
    watch.cancel()
    present(looking, [0])

    talk = ben.stub.Connect(iter([asked(session, second)]), timeout=60)
    present(looking, [0, 1])
    talk.cancel()
    present(looking, [0])

    async def by_websocket(seen: Callable[[], Awaitable[None]]) -> None:
        async with connect(f"ws://{deployment.web_address}/v1/connect") as socket:
            await socket.send(asked(session, second).SerializeToString())
            await seen()

    asyncio.run(by_websocket(lambda: asyncio.to_thread(present, looking, [0, 1])))
    present(looking, [0])
    looking.cancel()
    ada.close()
    ben.close()


def test_a_spectator_sees_who_is_there_and_is_not_listed(deployment):
    ada, ben, session, first, second = two(deployment)
    cleo = Stranger(deployment.grpc_address, "Cleo")
    looking = cleo.watch(session)
    present(looking, [])
    watches = [ada.watch(session, first), ben.watch(session, second)]
    present(looking, [0, 1])
    for watch in watches:
        watch.cancel()
    present(looking, [])
    for who in (ada, ben, cleo):
        who.close()


@pytest.mark.nightly
def test_a_player_whose_gateway_was_killed_is_gone_unless_they_return(own_deployment):
    ada, ben, session, first, second = two(own_deployment)
    gone = ben.watch(session, second)
    present(gone, [1])
    own_deployment.kill("gateway")
    with pytest.raises(grpc.RpcError):
        present(gone, [7])
    own_deployment.wait("gateway")
    present(ada.watch(session, first), [0])
    ada.close()
    ben.close()


@pytest.mark.nightly
def test_a_player_who_left_while_the_session_service_was_dead_is_gone_after_a_few_heartbeats(own_deployment):
    ada, ben, session, first, second = two(own_deployment)
    looking = ada.watch(session, first)
    staying = in_background(lambda: present(ben.watch(session, second), [0, 1]))
    present(looking, [0, 1])
    staying.join(60)
    own_deployment.kill("session")
    own_deployment.wait("session")
    # Ben has left meanwhile; what the dead process had said of them holds for a few heartbeats, not for ever.
    ben.close()
    present(looking, [0])
    ada.close()
