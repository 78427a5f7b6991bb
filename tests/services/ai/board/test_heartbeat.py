"""The beat of a worker: what it tells the board, whom it kills, and how it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import pytest
import redis

from services.ai.board.heartbeat import Beat, Closing
from services.ai.board.worker_board import WorkerBoard
from services.ai.celery_worker.processes import is_dead, is_stopped
from tests.redis_server import running_redis
from tests.services.ai.deployment import wait_until


class Board:
    """Keeps what it is told; some processes are overdue."""

    def __init__(self) -> None:
        self.beats: list[tuple[int, list[int], bool]] = []
        self.overdue: tuple[int, ...] = ()
        self.is_away = False
        self.goodbyes = 0

    def beat(self, slots: int, pids: Sequence[int], *, closing: bool) -> tuple[int, ...]:
        if self.is_away:
            raise redis.ConnectionError
        self.beats.append((slots, list(pids), closing))
        return self.overdue

    def goodbye(self) -> None:
        if self.is_away:
            raise redis.ConnectionError
        self.goodbyes += 1


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        yield process
        process.kill()


def beat_of(board: Board, pids: list[int], killed: list[int], closing: Closing | None = None) -> Beat:
    return Beat(board, 2, lambda: pids, closing or Closing(), lambda pid, _: killed.append(pid))  # type: ignore[arg-type]


def test_only_its_own_processes_that_are_overdue_are_killed(board: Board):
    killed: list[int] = []
    own = os.getpid()
    board.overdue = (own, os.getppid())
    beat_of(board, [own], killed).beat()
    assert board.beats == [(2, [own], False)]
    assert killed == [own]


def test_a_process_that_has_ended_is_not_named_though_nobody_has_noticed(board: Board, process: "subprocess.Popen[bytes]"):
    killed: list[int] = []
    beat = beat_of(board, [process.pid], killed)
    beat.beat()
    process.send_signal(signal.SIGSTOP)
    wait_until(lambda: is_stopped(process.pid))
    beat.beat()
    os.kill(process.pid, signal.SIGKILL)
    wait_until(lambda: is_dead(process.pid))
    beat.beat()
    assert [pids for _, pids, _ in board.beats] == [[process.pid], [process.pid], []]
    process.wait()
    assert is_dead(process.pid)


def test_a_closing_worker_says_so_at_once_and_its_processes_know(board: Board):
    closing = Closing()
    beat = beat_of(board, [], [], closing)
    beat.start()
    child = os.fork()
    if child == 0:  # as a process of the pool is made
        until = time.monotonic() + 20
        while not closing.has_begun and time.monotonic() < until:
            pass
        os._exit(7 if closing.has_begun else 8)
    beat.close()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    wait_until(lambda: board.beats[-1][2], seconds=0.9)
    beat.goodbye()
    said = len(board.beats)
    beat.close()
    assert board.goodbyes == 1
    assert len(board.beats) <= said + 1


def test_a_board_that_cannot_be_reached_ends_nothing(board: Board):
    killed: list[int] = []
    board.is_away = True
    beat = beat_of(board, [os.getpid()], killed)
    beat.beat()
    beat.goodbye()
    assert killed == []


def test_the_real_board_takes_a_beat():
    with running_redis() as url, redis.Redis.from_url(url) as client:
        Beat(WorkerBoard(client, "worker"), 1, lambda: [os.getpid()], Closing()).beat()
        assert list(client.hkeys("bw:{wanted}:workers")) == [b"worker"]
