"""Stores and broker behind Sentinels that speak TLS and have a password of their own: the master dies, and games go on."""

import random
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from tests.certificates import Authority
from tests.chaos.sentinels import Secured, watched_redis
from tests.chaos.test_failover import TIMEOUT_S, looked_after, play, thought_out
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.e2e.stranger import Stranger, eventually
from tests.redis_server import program_with_tls

PROGRAM = program_with_tls()
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.nightly,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not PROGRAM, reason="no Redis or Valkey that speaks TLS is installed (.ci/install)"),
]


def test_games_and_the_queue_move_to_a_replica_by_tls_and_the_sentinels_own_password(tmp_path: Path) -> None:
    folder = tmp_path / "stores"
    folder.mkdir()
    with watched_redis(folder, Secured(PROGRAM, Authority(folder))) as stores:
        settings = {"BRETTWERK_REDIS_URL": stores.url(0), "BRETTWERK_BROKER_URL": stores.url(1)}
        with Deployment(data=tmp_path / "deployment", web=False, environment=settings) as deployment, looked_after(deployment):
            ada, dice = Stranger(deployment.grpc_address, "Ada"), random.Random(4)
            assert thought_out(ada, play(ada, dice)[0])  # workers take their tickets from there
            session, seat, versions, is_over = play(ada, dice, most=3)
            assert not is_over
            eventually(stores.knows_everybody, within_s=30)
            version = act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)
            assert version is not None
            lost = stores.master()
            stores.kill(lost)  # at once: what was acknowledged is on the replica
            stores.kill_first_sentinel()  # it stood beside the master: the others are asked then
            versions.append(version)
            while (version := act_whatever_happens(ada, session, seat, dice, TIMEOUT_S)) is not None:
                versions.append(version)
            assert stores.master() not in (0, lost)
            acknowledged_are_in_the_log(ada, session, versions)
            # Workers have found the new master when they think again for a whole game.
            eventually(lambda: thought_out(ada, play(ada, dice)[0]), within_s=4 * TIMEOUT_S)
            ada.close()
