"""A store behind Sentinels, or in a cluster, loses a master while people play: a replica takes over, and the games go on."""

import contextlib
import random
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from brettwerk.v1 import record_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from services.session.domain.ids import session_key
from tests.certificates import Authority
from tests.chaos.rollout import Rollout
from tests.chaos.sentinels import Secured, watched_redis
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.e2e.stranger import Stranger, computer, eventually, in_background, me
from tests.redis_cluster import running_cluster
from tests.redis_server import program_with_tls, running_redis

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1200)]

TIMEOUT_S = 180.0


def play(ada: Stranger, dice: random.Random, most: int = 1000) -> tuple[str, str, list[int], bool]:
    """Play a game, or the first actions of one; return its id, the seat's token, what was acknowledged, whether it is over."""
    session, seats = ada.create(me(), computer())
    versions: list[int] = []
    while len(versions) < most:
        version = act_whatever_happens(ada, session.id, seats[0], dice, TIMEOUT_S)
        if version is None:
            return session.id, seats[0], versions, True
        versions.append(version)
    return session.id, seats[0], versions, False


def thought_out(ada: Stranger, session: str) -> bool:
    """Return whether every move of a game's computer was made by a worker, and none by the session in its place."""
    acted = [entry.acted for entry in ada.record(session).entries if entry.WhichOneof("change") == "acted"]
    return all(one.cause == record_pb2.Acted.CAUSE_UNSPECIFIED for one in acted)


@contextlib.contextmanager
def looked_after(deployment: Deployment) -> Iterator[None]:
    """End a worker that says it is no longer live, as the chart's liveness probe does: Celery may not find the new master."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(1):
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://{deployment.metrics_address('worker')}/live", timeout=5).status_code == 503:
                    deployment.kill("worker")
                    over.wait(20)

    looking = in_background(look)
    try:
        yield
    finally:
        over.set()
        looking.join(60)


def guarded(tmp_path: Path, is_guarded: bool) -> Secured | None:
    """Return how stores are guarded: by TLS and passwords, or not at all."""
    if is_guarded and not (program := program_with_tls()):
        pytest.skip("no Redis or Valkey that speaks TLS is installed (.ci/install)")
    if not is_guarded:
        return None
    (tmp_path / "authority").mkdir()
    return Secured(program, Authority(tmp_path / "authority"))


GUARDED = pytest.mark.parametrize("is_guarded", [False, True], ids=["open", "with-tls-and-passwords"])


@GUARDED
@pytest.mark.nightly
def test_the_queue_of_the_computer_players_moves_to_a_replica_while_moves_are_wanted(tmp_path: Path, is_guarded: bool) -> None:
    with watched_redis(tmp_path / "stores", guarded(tmp_path, is_guarded)) as stores:
        settings = {"BRETTWERK_BROKER_URL": stores.url(0)}
        with (
            Deployment(data=tmp_path / "deployment", processes=Processes(web=False), environment=settings) as deployment,
            looked_after(deployment),
        ):
            ada, dice = Stranger(deployment.grpc_address, "Ada"), random.Random(1)
            session, seat, versions, is_over = play(ada, dice, most=3)
            assert not is_over
            assert thought_out(ada, session)  # workers take their tickets from there
            lost = stores.master()
            stores.kill(lost)
            while (version := act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)) is not None:
                versions.append(version)
            acknowledged_are_in_the_log(ada, session, versions)
            eventually(lambda: stores.master() not in (0, lost), within_s=TIMEOUT_S)
            # Workers have found the new master when they think again for a whole game.
            eventually(lambda: thought_out(ada, play(ada, dice)[0]), within_s=4 * TIMEOUT_S)
            ada.close()


@pytest.mark.nightly
@GUARDED
@pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device")
def test_the_running_games_move_to_a_replica_and_go_on(tmp_path: Path, is_guarded: bool) -> None:
    with watched_redis(tmp_path / "stores", guarded(tmp_path, is_guarded)) as stores:
        settings = {"BRETTWERK_REDIS_URL": stores.url(0), "BRETTWERK_BROKER_URL": stores.url(1)}
        with Rollout(tmp_path, 1, f"sqlite:///{tmp_path}/archive.sqlite3", settings) as cluster:
            ada, dice = Stranger(cluster.endpoint, "Ada"), random.Random(2)
            session, seat, versions, is_over = play(ada, dice, most=3)
            assert not is_over
            eventually(stores.knows_everybody, within_s=30)
            version = act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)
            assert version is not None
            lost = stores.master()
            stores.kill(lost)  # at once: what was acknowledged is on the replica
            versions.append(version)
            while (version := act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)) is not None:
                versions.append(version)
            assert stores.master() not in (0, lost)
            acknowledged_are_in_the_log(ada, session, versions)
            ada.close()


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device")
def test_games_in_a_cluster_go_on_while_their_slot_moves_and_when_their_master_dies(tmp_path: Path) -> None:
    with running_cluster(tmp_path / "stores") as stores, running_redis() as broker:
        settings = {"BRETTWERK_REDIS_URL": stores.url, "BRETTWERK_BROKER_URL": broker}
        with Rollout(tmp_path, 1, f"sqlite:///{tmp_path}/archive.sqlite3", settings) as cluster:
            ada, dice = Stranger(cluster.endpoint, "Ada"), random.Random(3)
            session, seat, versions, is_over = play(ada, dice, most=3)
            assert not is_over
            log = session_key(session, "log")
            home = stores.master_of(log)
            other = next(port for port in stores.masters() if port != home)
            moving = in_background(lambda: stores.move(log, other))
            version = act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)
            assert version is not None
            versions.append(version)
            moving.join(60)
            assert stores.master_of(log) == other
            stores.kill(other)
            while (version := act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)) is not None:
                versions.append(version)
            assert stores.master_of(log) not in (0, other)
            acknowledged_are_in_the_log(ada, session, versions)
            for _ in range(4):  # in other shards, too
                session, seat, versions, is_over = play(ada, dice)
                assert is_over
                acknowledged_are_in_the_log(ada, session, versions)
            ada.close()
