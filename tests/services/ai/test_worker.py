"""Workers as processes, at a real board: moves arrive, whatever is killed or stopped, and each once."""

import signal
import time
from collections.abc import Iterator

import pytest

from brettwerk_games.rules.einstein import GAME as EINSTEIN
from brettwerk_games.rules.emperado import GAME as EMPERADO
from tests.redis_server import running_redis
from tests.services.ai.board_service import UNPLAYABLE, BoardService
from tests.services.ai.deployment import Deployment, Process, wait_until, wait_until_it_thinks
from tests.services.ai.session_peer import SessionPeer, Table


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    peer = SessionPeer()
    with running_redis() as url:
        deployment = Deployment(url, tmp_path_factory.mktemp("deployment"), peer)
        try:
            yield deployment
        finally:
            deployment.close()
            peer.close()


@pytest.fixture(scope="module")
def board_service(deployment: Deployment) -> Iterator[BoardService]:
    board_service = BoardService(deployment.redis_url)
    yield board_service
    board_service.close()


@pytest.fixture(scope="module")
def worker(deployment: Deployment) -> Process:
    return deployment.start_odd_worker(metrics_listen=f"127.0.0.1:{deployment.worker_metrics}")


def wait_until_moved(table: Table, worker: Process) -> None:
    wait_until(lambda: table.version == 2, worker)


def test_a_move_arrives_at_the_session(deployment: Deployment, board_service: BoardService, worker: Process):
    table = deployment.peer.table(EINSTEIN, "easy")
    board_service.want(table)
    wait_until_moved(table, worker)
    wait_until(board_service.is_empty)
    assert table.ticket(0)[:10].decode() not in worker.log.read_text()


def test_all_games_are_played_to_their_end_by_computers_with_few_tickets(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    tables = [deployment.peer.table(EINSTEIN, "beginner") for _ in range(10)]

    def all_are_over() -> bool:
        board_service.want(*(table for table in tables if table.seat is not None))
        return all(table.seat is None for table in tables)

    wait_until(all_are_over, worker)


def test_a_whole_turn_of_many_actions_is_played_at_once(deployment: Deployment, board_service: BoardService, worker: Process):
    table = deployment.peer.table(EMPERADO, "easy")
    finds = len(deployment.peer.finds)
    for _ in range(4):
        mover, before = table.seat, table.version
        board_service.want(table)
        wait_until(lambda: table.version > before and board_service.is_empty(), worker)  # noqa: B023
        assert table.seat != mover
    assert len(deployment.peer.finds) == finds + 4


def test_the_thought_of_a_killed_process_begins_again_at_once(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    table = deployment.slow_table()
    board_service.want(table)
    process = wait_until_it_thinks(deployment, worker, table)
    process.kill()
    killed = time.monotonic()
    wait_until(lambda: deployment.thinking() and deployment.thinking() != [process.pid], worker)
    assert time.monotonic() - killed < 4
    deployment.go()
    wait_until_moved(table, worker)
    wait_until(board_service.is_empty)
    assert table.version == 2


@pytest.mark.nightly
def test_a_process_that_is_stopped_while_it_thinks_is_replaced(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    table = deployment.slow_table()
    board_service.want(table)
    process = wait_until_it_thinks(deployment, worker, table)
    process.suspend()
    deployment.go()
    wait_until_moved(table, worker)
    assert process.pid in [line["pid"] for line in worker.lines("process hangs and is killed")]


def test_a_hint_is_given_while_all_slots_have_long_thoughts(deployment: Deployment, board_service: BoardService, worker: Process):
    slow, quick = deployment.slow_table(), deployment.peer.table(EINSTEIN, "easy")
    board_service.want(slow)
    wait_until_it_thinks(deployment, worker, slow)
    board_service.want(quick)
    wait_until_moved(quick, worker)
    assert slow.version == 1
    deployment.go()
    wait_until_moved(slow, worker)


def test_tickets_that_cannot_be_read_or_lead_to_nothing_stop_nobody(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    for _ in range(5):
        board_service.leave_ticket()
        board_service.leave_ticket(nonsense=1)
    table = deployment.peer.table(EINSTEIN, "easy")
    board_service.want(table)
    wait_until_moved(table, worker)


def test_a_broker_that_takes_no_writes_for_a_while_ends_no_worker(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    with deployment.broker() as broker:

        def refused() -> int:
            return int(broker.info("errorstats").get("errorstat_NOREPLICAS", {}).get("count", 0))

        before = refused()
        broker.config_set("min-replicas-to-write", 1)
        wait_until(lambda: refused() > before + 1, worker)
        broker.config_set("min-replicas-to-write", 0)
    table = deployment.peer.table(EINSTEIN, "easy")

    def moved() -> bool:
        board_service.want(table)
        return table.version > 1

    wait_until(moved, worker)
    assert worker.popen.poll() is None


def test_the_worker_shows_the_series_of_all_its_processes_at_one_place(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    table = deployment.peer.table(EINSTEIN, "easy")
    board_service.want(table)
    wait_until_moved(table, worker)
    shown = [
        'brettwerk_build_info{service="worker"',
        'brettwerk_ai_think_seconds_count{game="einstein",level="easy"}',
        'brettwerk_ai_wait_seconds_count{class="person"}',
        'brettwerk_ai_level_wait_seconds_count{game="einstein",level="easy"}',
        'brettwerk_ai_level_attempts_total{game="einstein",level="easy",outcome="played"}',
        'brettwerk_ai_think_share_count{class="person"}',
        'brettwerk_ai_thought_seconds_total{outcome="played"}',
    ]
    wait_until(lambda: all(one in deployment.metrics(deployment.worker_metrics) for one in shown), worker)
    assert "pid=" not in deployment.metrics(deployment.worker_metrics)


@pytest.mark.nightly
def test_a_view_that_cannot_be_read_goes_to_other_workers_and_then_to_nobody(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    others = [deployment.start_odd_worker() for _ in range(2)]
    table = deployment.peer.table(EINSTEIN, "easy")
    assert table.seat is not None
    table.view = table.wanted().view
    table.view.value = b"\xff\xff"
    board_service.want(table)
    wait_until(lambda: board_service.status(table) == UNPLAYABLE, worker)
    logs = [process.lines("order cannot be carried out") for process in (worker, *others)]
    assert [len(lines) for lines in logs] == [1, 1, 1]
    board_service.want(playable := deployment.peer.table(EINSTEIN, "easy"))
    wait_until_moved(playable, worker)
    for other in others:
        other.popen.send_signal(signal.SIGTERM)
    assert [other.popen.wait(30) for other in others] == [0, 0]


def test_a_process_whose_player_hangs_and_hears_no_alarm_is_killed_and_another_thinks(
    deployment: Deployment, board_service: BoardService, worker: Process
):
    table = deployment.peer.table(EINSTEIN, "best")
    board_service.want(table)
    wait_until_moved(table, worker)
    killed = [line["pid"] for line in worker.lines("process thinks for too long and is killed")]
    assert killed == [int((deployment.folder / "hung").read_text())]


@pytest.mark.nightly
def test_the_thought_of_a_killed_worker_goes_to_another(deployment: Deployment, board_service: BoardService, worker: Process):
    killed = deployment.start_odd_worker()
    table = deployment.slow_table()
    wait_until(lambda: not deployment.thinking(), worker)  # a process in the middle of its turn would take it
    worker.popen.send_signal(signal.SIGSTOP)  # the other one shall take it
    board_service.want(table)
    wait_until(lambda: {child.pid for child in killed.children()}.intersection(deployment.thinking()), killed)
    worker.popen.send_signal(signal.SIGCONT)
    killed.popen.kill()
    wait_until(lambda: {child.pid for child in worker.children()}.intersection(deployment.thinking()), worker)
    deployment.go()
    wait_until_moved(table, worker)
