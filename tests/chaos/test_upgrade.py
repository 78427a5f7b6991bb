"""Releases change on one store: this one and the last one take turns, and this one stands beside one that is still to come."""

import random
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import httpx
import pytest
from sqlalchemy import create_engine, func, select

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, sessions_pb2
from services.archive.tables import SESSIONS
from services.runtime.refusal import of_rpc_error
from tests.chaos.releases import THIS, Release, last_release
from tests.chaos.rollout import MODULES, PORTS, Pod, Rollout
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.chaos.test_rollout import TIMEOUT_S, again_and_again, while_people_play
from tests.chaos.tomorrow import tomorrow
from tests.e2e.stranger import Stranger, computer, me, new_id
from tests.services.ai.deployment import wait_until
from tests.services.archive.cluster import binaries, running

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device"),
]

GAMES = ("einstein", "emperado", "plateau", "wec")
TABLES = 2
SETTINGS = {
    # Timeouts for a busy machine: a computer's request that is lost three times shows as a move of the session's own.
    "BRETTWERK_AI_GRACE_S": "15",
    "BRETTWERK_WORKER_CONCURRENCY": "1",
    # Players who look whether it is their turn ask often here.
    "BRETTWERK_RATE_PER_S": "1000",
    "BRETTWERK_RATE_BURST": "5000",
    "BRETTWERK_ADDRESS_RATE_PER_S": "1000",
    "BRETTWERK_ADDRESS_RATE_BURST": "5000",
    # A test asks a session process without a key.
    "BRETTWERK_INNER_AUTH": "offered",
}


class LongGame:
    """A game against computers that goes on from release to release, until its person resigns."""

    def __init__(self, cluster: Rollout, game: str) -> None:
        self.player = Stranger(cluster.endpoint, f"Player of {game}")
        request = play_pb2.CreateSessionRequest(game=game, seats=[me(), computer()], request_id=new_id())
        stub, metadata = self.player.stub, self.player.metadata
        made = again_and_again(lambda: stub.CreateSession(request, metadata=metadata, timeout=20))
        self.session, self._token = made.session.id, made.grants[0].seat_token
        self._dice = random.Random(game)
        self._versions: list[int] = []
        self._is_over = False
        self.causes: set[record_pb2.Acted.Cause.ValueType] = set()
        """The causes of its actions, once it is over."""

    def play(self, actions: int) -> None:
        """Play so many actions, if the game lasts."""
        for _ in range(actions):
            if self._is_over:
                return
            version = act_whatever_happens(self.player, self.session, self._token, self._dice, 2 * TIMEOUT_S)
            self._is_over = version is None
            if version is not None:
                self._versions.append(version)

    def wait(self) -> None:
        """Return when its person is to act."""
        while not self.look().actions:
            time.sleep(0.05)

    def look(self) -> sessions_pb2.Update:
        """Return what its person sees."""
        return self.player.look(self.session, self._token)

    def resign(self) -> None:
        """Give the game up, if it is not over."""
        if not self._is_over:
            request = play_pb2.ResignRequest(session_id=self.session, seat_token=self._token, request_id=new_id())
            stub, metadata = self.player.stub, self.player.metadata
            try:
                again_and_again(lambda: stub.Resign(request, metadata=metadata, timeout=20))
            except grpc.RpcError as error:  # the computer may have won in between
                if of_rpc_error(error, "gateway").reason != errors_pb2.REASON_GAME_OVER:
                    raise
            self._is_over = True

    def end(self) -> None:
        """Resign, and look whether all that was acknowledged is in a log that proves good."""
        self.resign()
        assert len(self._versions) > 3
        again_and_again(lambda: acknowledged_are_in_the_log(self.player, self.session, self._versions))
        record = again_and_again(lambda: self.player.record(self.session))
        self.causes = {entry.acted.cause for entry in record.entries if entry.WhichOneof("change") == "acted"}
        self.player.close()


@pytest.fixture(scope="module")
def last() -> Release:
    return last_release()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield where what is kept for good is to lie: finished games and players."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/archive.sqlite3"
        return
    with running(binaries()) as server:
        yield server.create("kept")


@pytest.fixture
def cluster(tmp_path: Path, last: Release, database_url: str) -> Iterator[Rollout]:
    with Rollout(tmp_path, 2, database_url, SETTINGS, last) as started:
        yield started


def in_database(url: str) -> int:
    """Return how many finished games a database has."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(SESSIONS)) or 0
    finally:
        engine.dispose()


@pytest.mark.nightly
def test_games_go_on_while_this_release_replaces_the_last_one_and_is_replaced_again(
    cluster: Rollout, last: Release, database_url: str
) -> None:
    """One service after the other, so that every pair of them stands side by side in both releases for a while."""
    games = [LongGame(cluster, game) for game in GAMES]

    def play_a_little() -> None:
        with ThreadPoolExecutor(len(games)) as at_once:
            list(at_once.map(lambda game: game.play(2), games))

    def replace(release: Release) -> None:
        for service in MODULES:
            cluster.roll(service, release)
            play_a_little()
        assert {pod.release.name for pods in cluster.pods.values() for pod in pods} == {release.name}

    play_a_little()
    over = LongGame(cluster, "einstein")  # from the archive, or on its way there
    over.play(4)
    over.resign()
    while_people_play(cluster, lambda: replace(THIS), TABLES)
    while_people_play(cluster, lambda: replace(last), TABLES)
    over.end()
    for game in games:
        game.end()
    wait_until(lambda: in_database(database_url) > len(games))
    for pods in cluster.pods.values():
        for pod in pods:
            assert "Traceback" not in pod.log(), pod.last_words()


def passed_on(pod: Pod) -> int:
    """Return how often a session process has passed a session on to a newer release."""
    for line in httpx.get(f"http://{pod.address}:9000/metrics", timeout=20).text.splitlines():
        if line.startswith("brettwerk_sessions_passed_on_total "):
            return int(float(line.split()[1]))
    raise AssertionError("no such metric")


def is_answered(pod: Pod, session: str) -> bool:
    """Return whether a session process that is asked about a session lets its owner answer, whomever gateway and workers ask."""
    asked = play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session))
    request = session_pb2.CarryOutRequest(call=asked.SerializeToString())
    with grpc.insecure_channel(f"{pod.address}:{PORTS['session']}") as channel:  # without a token: it is offered, not required
        call = session_pb2_grpc.SessionServiceStub(channel).CarryOut.future(request, timeout=20)
        return call.code() is grpc.StatusCode.OK


@pytest.mark.nightly
def test_entries_of_a_newer_release_are_played_by_its_processes_and_wait_for_them(tmp_path: Path) -> None:
    """Beside a process of this release stands one of a release that makes entries of a kind that is not known here."""
    newer = tomorrow(tmp_path / "tomorrow")
    with Rollout(tmp_path, 1, f"sqlite:///{tmp_path}/archive.sqlite3", SETTINGS) as cluster:
        (older,) = cluster.pods["session"]
        begun = LongGame(cluster, "einstein")  # the newer release can go on with what this one began
        cluster.roll("rules", newer)
        latest = cluster.add("session", newer)
        while_people_play(cluster, lambda: begun.play(2), TABLES)
        cluster.remove(older)  # so that the newer release writes, whomever gateway and workers had asked before
        begun.play(1)
        begun.wait()
        older = cluster.add("session")
        assert is_answered(older, begun.session)
        assert passed_on(older) == 0, "an older process has owned what a newer one had written"
        cluster.remove(latest)  # nobody else is left who could own it
        with pytest.raises(grpc.RpcError) as caught:
            begun.look()
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "a newer release has written this" in str(caught.value.details())
        assert passed_on(older) > 0
        said = [line for line in older.log().splitlines() if "passed on to a newer release" in line]
        assert len(said) == len(set(re.findall(r'"session": ?"(\w+)"', "".join(said))))  # once for a session
        other = LongGame(cluster, "emperado")  # what uses nothing new can be played
        other.play(4)
        other.end()
        cluster.add("session", newer)
        begun.play(2)
        begun.end()
        assert begun.causes == {record_pb2.Acted.CAUSE_UNSPECIFIED}, "a computer's move was lost"
        assert "Traceback" not in older.log(), older.last_words()
