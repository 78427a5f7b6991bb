"""Workers are scaled from zero by what a service says that is always there: it knows of wants without a worker."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from deploy.local import observe
from tests.chaos.rollout import Rollout
from tests.chaos.test_failover import thought_out
from tests.chaos.test_no_worker import turn
from tests.deploy.observe.keda import wanted
from tests.deploy.observe.test_scaling import scaled_object
from tests.deploy.served import served
from tests.deploy.tools import prometheus
from tests.e2e.stranger import Stranger, computer, eventually, me
from tests.ports import free_port

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.nightly,
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device"),
]


@contextmanager
def reading(folder: Path, targets: dict[str, str]) -> Iterator[Callable[[str], list[float]]]:
    """Run a Prometheus that reads what is at some addresses; yield what a query answers."""
    listen = f"127.0.0.1:{free_port()}"
    command = observe.command(prometheus("prometheus"), observe.write_configuration(folder, targets), listen)

    def ask(query: str) -> list[float]:
        answer = httpx.get(f"http://{listen}/api/v1/query", params={"query": query}, timeout=10).json()
        return [float(one["value"][1]) for one in answer["data"]["result"]]

    with served(command, f"http://{listen}/-/ready"):
        eventually(lambda: bool(ask("brettwerk_ai_slots")), within_s=60)
        yield ask


def test_the_first_worker_is_wanted_when_a_computer_is_to_move_and_the_last_goes_when_none_is(tmp_path: Path) -> None:
    scaled = scaled_object(replicas=0, max=20)
    settings = {"BRETTWERK_AI_SILENCE_S": "600"}
    database = f"sqlite:///{tmp_path}/archive.sqlite3"
    with Rollout(tmp_path, 1, database, settings, without=("worker-think",)) as cluster:
        (service,) = cluster.pods["ai"]
        with reading(tmp_path / "prometheus", {"ai": f"{service.address}:9000"}) as ask:
            assert wanted(scaled, ask, replicas=0) == 0, "nobody plays"
            ada = Stranger(cluster.endpoint, "Ada")
            session, seats = ada.create(me(), computer())
            watch = ada.watch(session.id, seats[0], timeout=500)
            ada.act(turn(watch, 0), seats[0])
            turn(watch, 1)
            began = time.monotonic()
            eventually(lambda: wanted(scaled, ask, replicas=0) == 1, within_s=60)
            assert time.monotonic() - began < 30, "Prometheus asks every five seconds, and so does KEDA"
            cluster.add("worker-think")
            turn(watch, 0)
            assert thought_out(ada, session.id), "the worker has moved, and not the session in its place"
            watch.cancel()
            eventually(lambda: wanted(scaled, ask, replicas=1) == 0, within_s=200)
            ada.close()
