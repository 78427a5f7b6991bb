"""Session processes as a worker sees them: one that hangs takes one attempt, and no more."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import grpc
import pytest

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2
from services.ai import session_client
from services.ai.celery_worker.processes import is_stopped
from services.ai.session_client import SessionClient
from services.runtime.channel import open_blocking_channel
from tests.services.ai.deployment import wait_until
from tests.services.ai.session_peer import SessionPeer

ATTEMPT_S = 6.0
"""How long an attempt lasts here: on a busy machine one that lives may take more than a second, which is no sign of hanging."""
SEAT = session_pb2.SeatToMove(session_id=f"07{0:022d}", seat=0, version=1, ticket=b"ticket")


@contextlib.contextmanager
def process() -> "Iterator[tuple[subprocess.Popen[bytes], int]]":
    """Run a peer in a process of its own, and yield it with its port."""
    with subprocess.Popen([sys.executable, "-m", "tests.services.ai.test_session_client"], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        try:
            yield running, int(running.stdout.readline())
        finally:
            running.kill()


@pytest.fixture
def here() -> Iterator[SessionPeer]:
    peer = SessionPeer()
    yield peer
    peer.close()


@pytest.mark.nightly
def test_a_session_process_that_hangs_takes_one_attempt_and_is_asked_again_when_it_lives(
    here: SessionPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[grpc.Channel] = []

    def noted(address: str, caller: str) -> grpc.Channel:
        opened.append(open_blocking_channel(address, caller))
        return opened[-1]

    monkeypatch.setattr(session_client, "open_blocking_channel", noted)
    monkeypatch.setattr(session_client, "FIND_S", 60.0)
    monkeypatch.setattr(session_client, "ATTEMPT_S", ATTEMPT_S)
    with process() as (there, port):
        client = SessionClient(f"ipv4:127.0.0.1:{here.port},127.0.0.1:{port}")

        def asks_both() -> bool:
            """Return whether of two questions in a row each peer is asked one."""
            before = len(here.finds)
            reasons = [client.find([SEAT])[0].refusal.reason for _ in range(2)]
            assert reasons == [errors_pb2.REASON_UNKNOWN] * 2, "each is answered"
            return len(here.finds) == before + 1

        while not asks_both():
            pass
        os.kill(there.pid, signal.SIGSTOP)
        wait_until(lambda: is_stopped(there.pid))  # until then it may answer
        opened.clear()
        assert not any(asks_both() for _ in range(10))
        assert len(opened) == 1, "one attempt was lost, and no more"
        os.kill(there.pid, signal.SIGCONT)
        while not asks_both():
            pass
        assert len(opened) == 1


if __name__ == "__main__":
    print(SessionPeer().port, flush=True)
    threading.Event().wait()
