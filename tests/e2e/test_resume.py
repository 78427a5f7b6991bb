"""A watcher who comes and goes has seen the same as one who stayed."""

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from tests.e2e.stranger import FEWEST_MOVES, OVER, Stranger, computer, eventually, in_background, me

pytestmark = pytest.mark.e2e


def test_a_watcher_who_reconnects_at_every_event_ends_with_the_same_bytes_as_one_who_never_dropped(deployment):
    ada, steady, fickle = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Steady", "Fickle"))
    session, seats = ada.create(me(), computer())
    stayed: list[bytes] = []
    came_and_went: list[bytes] = []

    def stay() -> None:
        stayed.extend(update.SerializeToString(deterministic=True) for update in steady.updates(session.id, seats[0]))

    def come_and_go() -> None:
        version = 0
        while True:
            watch = fickle.watch(session.id, seats[0], version)
            for message in watch:
                if message.WhichOneof("kind") == "heartbeat":
                    continue
                assert version == 0 or message.HasField("update"), "every version is there, so nothing begins anew"
                update = message.update if message.HasField("update") else message.resync.update
                came_and_went.append(update.SerializeToString(deterministic=True))
                version = update.version
                break
            watch.cancel()
            if update.session.state in OVER:
                return

    watching = [in_background(stay), in_background(come_and_go)]
    eventually(lambda: bool(stayed and came_and_went), 60)
    ada.play(session.id, seats[0])
    for thread in watching:
        thread.join(60)
    first = {sessions_pb2.Update.FromString(data).version for data in (stayed[0], came_and_went[0])}
    begin = max(first)

    def since(updates: list[bytes]) -> list[bytes]:
        return [data for data in updates if sessions_pb2.Update.FromString(data).version >= begin]

    assert since(stayed) == since(came_and_went)
    assert len(since(stayed)) > 2 * FEWEST_MOVES
    request = play_pb2.ListUpdatesRequest(session_id=session.id, seat_token=seats[0], from_version=begin, page_size=1000)
    listed = ada.stub.ListUpdates(request, metadata=ada.metadata, timeout=20).updates
    assert [update.SerializeToString(deterministic=True) for update in listed] == since(stayed)
    for who in (ada, steady, fickle):
        who.close()
