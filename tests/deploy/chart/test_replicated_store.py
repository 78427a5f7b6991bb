"""A store of several servers, as the chart starts and ends them, goes on without any of them, and after all were lost."""

import contextlib
import random
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import redis

from services.runtime.redis_url import open_blocking_redis
from tests.certificates import Authority
from tests.chaos.rollout import Rollout
from tests.chaos.test_failover import play
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.deploy.chart.replicated import Pod, ReplicatedStore
from tests.e2e.stranger import Stranger, eventually, in_background
from tests.redis_server import program_with_tls

pytestmark = [pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(400)]


class Writer:
    """Writes one thing after the other, and remembers what a replica had too when it was acknowledged."""

    def __init__(self, url: str) -> None:
        self._client = open_blocking_redis(url, socket_timeout=5)
        self._over = threading.Event()
        self.acknowledged: list[int] = []

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Go on writing until the block has ended."""
        self._over.clear()
        thread = in_background(self._write)
        try:
            yield
        finally:
            self._over.set()
            thread.join(60)

    def _write(self) -> None:
        number = max(self.acknowledged, default=0)
        while not self._over.is_set():
            number += 1
            with contextlib.suppress(redis.RedisError, OSError):
                pipeline = self._client.pipeline(transaction=False)
                pipeline.set(str(number), 1)
                pipeline.execute_command("WAIT", 1, 500)  # type: ignore[no-untyped-call]
                if pipeline.execute()[1] >= 1:
                    self.acknowledged.append(number)
                    continue
            self._over.wait(0.05)

    def goes_on(self, more: int = 50) -> None:
        """Wait until so many more have been acknowledged."""
        before = len(self.acknowledged)
        eventually(lambda: len(self.acknowledged) >= before + more, within_s=60)

    def lost(self) -> list[int]:
        """Return what was acknowledged and is not there."""
        return [number for number in self.acknowledged if not self._client.exists(str(number))]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReplicatedStore]:
    with ReplicatedStore(tmp_path / "store") as made:
        eventually(made.are_ready, within_s=90)
        yield made


def master_of(store: ReplicatedStore) -> Pod:
    found = store.master()
    assert found is not None
    return found


def replicas_of(store: ReplicatedStore) -> list[Pod]:
    return [pod for pod in store.pods if pod is not master_of(store)]


def test_the_first_is_the_master_and_nobody_else_takes_writes(store: ReplicatedStore) -> None:
    assert master_of(store) is store.pods[0]
    for pod in store.pods[1:]:
        with pod.server() as server, pytest.raises(redis.ReadOnlyError):
            server.set("a", 1)


def test_a_master_that_is_lost_is_replaced_and_comes_back_as_a_replica(store: ReplicatedStore) -> None:
    writer, first = Writer(store.url(0)), master_of(store)
    with writer.writing():
        writer.goes_on()
        store.kill(first)
        writer.goes_on()
        assert master_of(store) is not first
        store.start(first)
        eventually(store.are_ready, within_s=60)
        writer.goes_on()
    assert master_of(store) is not first
    assert writer.lost() == []


def test_a_master_that_is_back_at_once_lets_a_replica_take_over(store: ReplicatedStore) -> None:
    writer, first = Writer(store.url(0)), master_of(store)
    with writer.writing():
        writer.goes_on()
        store.kill(first)
        store.start(first)  # before the Sentinels know that it was away
        writer.goes_on()
        eventually(store.are_ready, within_s=60)
    assert master_of(store) is not first
    assert writer.lost() == []


def test_a_rollout_of_all_loses_nothing_though_each_master_ends(store: ReplicatedStore) -> None:
    writer, masters = Writer(store.url(0)), set()
    with writer.writing():
        writer.goes_on()
        for pod in reversed(store.pods):
            masters.add(master_of(store).port)
            store.end(pod)
            store.start(pod)
            eventually(store.are_ready, within_s=90)
        writer.goes_on()
    assert master_of(store) is not store.pods[0]
    assert writer.lost() == []


def test_with_tls_a_master_is_replaced_when_it_is_lost_and_when_it_ends(tmp_path: Path) -> None:
    if not program_with_tls():
        pytest.skip("no Redis here speaks TLS (apt install redis-server)")
    with ReplicatedStore(tmp_path / "store", Authority(tmp_path)) as store:
        eventually(store.are_ready, within_s=90)
        writer = Writer(store.url(0))
        with writer.writing():
            for lose in (store.kill, store.end):
                writer.goes_on()
                lost = master_of(store)
                lose(lost)
                writer.goes_on()
                assert master_of(store) is not lost
                store.start(lost)
                eventually(store.are_ready, within_s=90)
        assert writer.lost() == []


def test_when_all_were_lost_at_once_the_last_master_is_the_master_again(store: ReplicatedStore) -> None:
    writer, first = Writer(store.url(0)), master_of(store)
    with writer.writing():
        writer.goes_on()
        store.kill(first)
        writer.goes_on()
        store.start(first)
        eventually(store.are_ready, within_s=60)
        second = master_of(store)
        store.kill(*store.pods)
        store.start(*store.pods)
        eventually(store.are_ready, within_s=90)
        writer.goes_on()
    assert master_of(store) is second
    assert writer.lost() == []


def test_a_master_whose_volume_is_lost_does_not_empty_the_others(store: ReplicatedStore) -> None:
    writer, first = Writer(store.url(0)), master_of(store)
    with writer.writing():
        writer.goes_on()
    store.kill(first)
    empty(first)
    store.start(first)  # before the Sentinels know that it was away
    with writer.writing():
        writer.goes_on()
    eventually(store.are_ready, within_s=60)
    assert master_of(store) is not first
    assert writer.lost() == []


def test_a_backup_restored_on_the_first_is_used_by_all_when_the_others_have_forgotten(store: ReplicatedStore) -> None:
    first, others = store.pods[0], store.pods[1:]
    with master_of(store).server() as server:
        server.set("before", 1)
    store.end(first)
    backup = shutil.copytree(first.folder / "appendonlydir", first.folder / "copy")
    store.start(first)
    eventually(store.are_ready, within_s=60)
    with master_of(store).server() as server:  # not the first: its Sentinel knows that
        server.set("after", 1)
    store.kill(*store.pods)
    for pod in others:
        empty(pod)
    shutil.rmtree(first.folder / "appendonlydir")  # as deploy/manifests/restore.yaml does
    shutil.move(backup, first.folder / "appendonlydir")
    shutil.rmtree(first.folder / "sentinel")
    store.start(*store.pods)
    eventually(store.are_ready, within_s=90)
    assert master_of(store) is first
    for pod in store.pods:
        with pod.server() as server:
            assert server.keys() == [b"before"]


def empty(pod: Pod) -> None:
    """Lose the volume of a pod."""
    for path in pod.folder.iterdir():
        if path.suffix != ".conf":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_a_master_without_replicas_takes_no_writes_and_does_so_again_when_one_is_back(store: ReplicatedStore) -> None:
    others = replicas_of(store)
    store.kill(*others)
    with master_of_alone(store).server() as server:

        def is_refused() -> bool:
            try:
                server.set("a", 1)
            except redis.ResponseError as error:
                return "NOREPLICAS" in str(error)
            return False

        eventually(is_refused, within_s=30)
        store.start(others[0])
        eventually(lambda: not is_refused(), within_s=60)


def master_of_alone(store: ReplicatedStore) -> Pod:
    (found,) = (pod for pod in store.pods if store.is_ready(pod))
    return found


@pytest.mark.e2e
def test_games_go_on_when_their_master_is_lost_or_ends_and_after_all_were_lost(store: ReplicatedStore, tmp_path: Path) -> None:
    settings = {"BRETTWERK_REDIS_URL": store.url(0), "BRETTWERK_BROKER_URL": store.url(1)}
    with Rollout(tmp_path, 1, f"sqlite:///{tmp_path}/archive.sqlite3", settings) as cluster:
        ada, dice = Stranger(cluster.endpoint, "Ada"), random.Random(5)
        session, seat, versions, is_over = play(ada, dice, most=2)
        assert not is_over

        for lost in ("master", "master that ends", "all"):
            if lost == "master":
                store.kill(master_of(store))
            elif lost == "master that ends":
                store.end(master_of(store))
            else:
                store.kill(*store.pods)
                store.start(*store.pods)
            version = act_whatever_happens(ada, session, seat, dice, 180)
            assert version is not None
            versions.append(version)
            store.start(*(pod for pod in store.pods if pod.processes["server"].poll() is not None))
            eventually(store.are_ready, within_s=90)
        eventually(lambda: have_been_kept(ada, session, versions), within_s=180)
        ada.close()


def have_been_kept(ada: Stranger, session: str, versions: list[int]) -> bool:
    """Return whether the log has what was acknowledged, as soon as it is to be had: services may have to find the new master.

    Raises AssertionError when something is missing.
    """
    try:
        acknowledged_are_in_the_log(ada, session, versions)
    except grpc.RpcError:
        return False
    return True
