"""Moves of computers are wanted while there is no worker at all: whoever waits is told so, and plays on when one comes."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from tests.chaos.rollout import Rollout
from tests.chaos.test_failover import thought_out
from tests.e2e.stranger import Stranger, computer, me

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.nightly,
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device"),
]
SILENCE_S = "600"
"""So that the session does not move in the computer's place meanwhile."""


def saw_that_there_is_no_computer(watch: Iterator[play_pb2.WatchResponse]) -> None:
    """Return once a watch says so. Raises AssertionError when the computer moves."""
    for message in watch:
        assert message.WhichOneof("kind") == "heartbeat", "nobody can have moved"
        if any(wait.no_computer for wait in message.heartbeat.computer_waits):
            return


def turn(watch: Iterator[play_pb2.WatchResponse], seat: int) -> sessions_pb2.Update:
    """Return the update from which on it is a seat's turn."""
    for message in watch:
        kind = message.WhichOneof("kind")
        if kind != "heartbeat":
            update = message.update if kind == "update" else message.resync.update
            if list(update.to_act) == [seat]:
                return update
    raise AssertionError("the watch has ended")


def test_computers_move_when_the_first_worker_comes_and_when_one_comes_after_all_have_gone(tmp_path: Path) -> None:
    settings = {"BRETTWERK_AI_SILENCE_S": SILENCE_S}
    database = f"sqlite:///{tmp_path}/archive.sqlite3"
    with Rollout(tmp_path, 1, database, settings, without=("worker-think",)) as cluster:
        ada = Stranger(cluster.endpoint, "Ada")
        for goes in (cluster.remove, cluster.kill, cluster.remove):  # scaled down; lost with its node
            session, seats = ada.create(me(), computer())
            watch = ada.watch(session.id, seats[0], timeout=500)
            ada.act(turn(watch, 0), seats[0])
            turn(watch, 1)
            saw_that_there_is_no_computer(watch)
            worker = cluster.add("worker-think")
            ada.act(turn(watch, 0), seats[0])
            turn(watch, 1)
            turn(watch, 0)  # while there is one, it goes on as ever
            assert thought_out(ada, session.id), "the worker has moved, and not the session in its place"
            watch.cancel()
            goes(worker)
        ada.close()
