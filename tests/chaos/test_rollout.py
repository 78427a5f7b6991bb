"""A rolling update, as `helm upgrade` does it, while people play: nothing acknowledged is lost, watches go on, workers drain."""

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import grpc
import pytest

from brettwerk.v1 import play_pb2, record_pb2
from tests.chaos.rollout import MODULES, Rollout
from tests.chaos.test_kill import PASSING, acknowledged_are_in_the_log, act_whatever_happens
from tests.e2e.stranger import OVER, Stranger, computer, in_background, me, new_id

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device"),
]

TIMEOUT_S = 90.0
TABLES = 3
T = TypeVar("T")


def again_and_again(ask: Callable[[], T]) -> T:
    """Return the answer to what may be asked again, as clients ask while an endpoint is being changed."""
    until = time.monotonic() + TIMEOUT_S
    while True:
        try:
            return ask()
        except grpc.RpcError as error:
            if error.code() not in PASSING or time.monotonic() > until:
                raise
            time.sleep(0.2)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Rollout]:
    # Timeouts for a busy machine: a computer's request that is lost three times shows as a move of the session's own.
    settings = {"BRETTWERK_AI_GRACE_S": "15", "BRETTWERK_WORKER_CONCURRENCY": "1"}
    # Players who look whether it is their turn ask often here.
    settings |= {"BRETTWERK_RATE_PER_S": "1000", "BRETTWERK_RATE_BURST": "5000"}
    settings |= {"BRETTWERK_ADDRESS_RATE_PER_S": "1000", "BRETTWERK_ADDRESS_RATE_BURST": "5000"}
    with Rollout(tmp_path, 2, f"sqlite:///{tmp_path}/archive.sqlite3", settings) as started:
        yield started


class Standstill:
    """A table at which nobody moves, and a watch of it: replacing all gateways breaks it off, which a short game can escape."""

    def __init__(self, cluster: Rollout) -> None:
        self._player = Stranger(cluster.endpoint, "Player who waits")
        session, self._tokens = self._player.create(me(), me())
        self._id = session.id
        self.broken_off = 0
        self._watching = in_background(self._watch)

    def _watch(self) -> None:
        while True:
            watch = self._player.watch(self._id, timeout=TIMEOUT_S)
            try:
                for message in watch:
                    if message.WhichOneof("kind") == "update" and message.update.session.state in OVER:
                        return
            except grpc.RpcError as error:
                if error.code() not in PASSING:
                    raise
                self.broken_off += error.code() == grpc.StatusCode.UNAVAILABLE

    def resign(self) -> None:
        """End the game, of which the watch tells."""
        request = play_pb2.ResignRequest(session_id=self._id, seat_token=self._tokens[0], request_id=new_id())
        again_and_again(lambda: self._player.stub.Resign(request, metadata=self._player.metadata, timeout=20))
        self._watching.join(TIMEOUT_S)
        self._player.close()


class Table:
    """Somebody who plays the computer again and again, and somebody who watches; both come back when it closes."""

    def __init__(self, number: int, cluster: Rollout, over: threading.Event) -> None:
        self._dice = random.Random(number)
        self._over = over
        self.player = Stranger(cluster.endpoint, f"Player {number}")
        self.watcher = Stranger(cluster.endpoint, f"Watcher {number}")
        self.games = self.actions = 0

    def play(self) -> None:
        """Play games until it is over, and look after each that all of it is kept and was seen."""
        while not self._over.is_set():
            wanted = play_pb2.CreateSessionRequest(game="einstein", seats=[me(), computer()], request_id=new_id())
            made = again_and_again(
                lambda wanted=wanted: self.player.stub.CreateSession(wanted, metadata=self.player.metadata, timeout=20)  # type: ignore[misc]
            )
            session, token = made.session.id, made.grants[0].seat_token
            seen: list[int] = []
            watching = in_background(lambda session=session, seen=seen: self.watch(session, seen))  # type: ignore[misc]
            versions = []
            while (version := act_whatever_happens(self.player, session, token, self._dice, 2 * TIMEOUT_S)) is not None:
                versions.append(version)
            watching.join(TIMEOUT_S)
            assert seen == list(range(seen[0], seen[-1] + 1)), "the watcher missed something"
            again_and_again(lambda session=session, versions=versions: acknowledged_are_in_the_log(self.player, session, versions))  # type: ignore[misc] # fmt: skip # noqa: E501
            record = again_and_again(lambda session=session: self.player.record(session))  # type: ignore[misc]
            causes = {entry.acted.cause for entry in record.entries if entry.WhichOneof("change") == "acted"}
            assert causes == {record_pb2.Acted.CAUSE_UNSPECIFIED}, "a computer's move was lost"
            assert seen[-1] == record.entries[-1].version
            self.games += 1
            self.actions += len(versions)

    def watch(self, session: str, seen: list[int]) -> None:
        """Watch a session to its end, taking up the watch where it broke off."""
        until = time.monotonic() + 2 * TIMEOUT_S
        while time.monotonic() < until:
            try:
                for update in self.watcher.updates(session, after_version=seen[-1] if seen else 0):
                    seen.append(update.version)
                    if update.session.state in OVER:
                        return
            except grpc.RpcError as error:
                if error.code() not in PASSING:
                    raise
                time.sleep(0.1)
        raise AssertionError("the session did not end")

    def close(self) -> None:
        self.player.close()
        self.watcher.close()


def while_people_play(cluster: Rollout, update: Callable[[], None], count: int = TABLES) -> list[Table]:
    """Carry out an update while games go on at so many tables; return them. Each has finished a game or more."""
    over = threading.Event()
    tables = [Table(number, cluster, over) for number in range(count)]
    playing = [in_background(table.play) for table in tables]
    try:
        update()
    finally:
        over.set()
    for one in playing:
        one.join(4 * TIMEOUT_S)
    for table in tables:
        table.close()
    assert all(table.games for table in tables)
    return tables


@pytest.mark.nightly
def test_all_services_are_replaced_at_once_while_people_play(cluster: Rollout) -> None:
    """This is what an upgrade to another release does."""
    before = {service: [pod.address for pod in pods] for service, pods in cluster.pods.items()}

    def update() -> None:
        with ThreadPoolExecutor(len(MODULES)) as at_once:
            list(at_once.map(cluster.roll, MODULES))

    standstill = Standstill(cluster)
    while_people_play(cluster, update)
    for service, pods in cluster.pods.items():
        assert len(pods) == 2
        assert not {pod.address for pod in pods} & set(before[service])
    standstill.resign()
    assert standstill.broken_off, "nobody lost their endpoint: the gateways cannot have been replaced"


@pytest.mark.nightly
def test_one_service_after_the_other_is_replaced_while_people_play(cluster: Rollout) -> None:
    def update() -> None:
        for service in MODULES:
            cluster.roll(service)

    while_people_play(cluster, update)
