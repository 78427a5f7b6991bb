"""Waits of computers: a worker that never comes for its orders, others who want moves too, and at last one that thinks."""

import contextlib
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator

import grpc
import redis

from brettwerk.v1 import play_pb2, play_pb2_grpc, record_pb2
from deploy.local.deployment import Deployment
from deploy.local.options import ROOT
from services.ai.board.lua import ROOT_KEY
from services.ai.board.worker_board import WorkerBoard

_BEAT_S = 0.5
_TIMEOUT_S = 30


@contextlib.contextmanager
def idle_worker(deployment: Deployment) -> Iterator[None]:
    """Let there be a worker that lives and never takes an order."""
    ended = threading.Event()
    with redis.Redis.from_url(deployment.environment["BRETTWERK_BROKER_URL"]) as client:
        board = WorkerBoard(client, f"idle-{uuid.uuid4().hex}")

        def beat() -> None:
            while not ended.is_set():
                board.beat(1, [1], closing=False)
                ended.wait(_BEAT_S)

        thread = threading.Thread(target=beat)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            board.goodbye()


def until_hints_are_wanted(deployment: Deployment, count: int) -> None:
    """Return when so many hints stand on the board."""
    end = time.monotonic() + _TIMEOUT_S
    with redis.Redis.from_url(deployment.environment["BRETTWERK_BROKER_URL"]) as client:
        while (found := sum(key.startswith(b"review:") for key in client.hkeys(f"{ROOT_KEY}:wants"))) != count:
            assert time.monotonic() < end, f"{found} hints are wanted, not {count}"
            time.sleep(0.02)


@contextlib.contextmanager
def thinking_worker(deployment: Deployment) -> Iterator[None]:
    """Let there be a worker that thinks."""
    environment = {**os.environ, **deployment.environment, "BRETTWERK_METRICS_LISTEN": "", "BRETTWERK_WORKER_CONCURRENCY": "1"}
    log = deployment.data / "thinking_worker.log"
    with log.open("ab") as out:
        worker = subprocess.Popen([sys.executable, "-m", "services.ai.worker"], cwd=ROOT, env=environment, stdout=out, stderr=out)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(_TIMEOUT_S)


@contextlib.contextmanager
def other_people(deployment: Deployment, count: int, level: str) -> Iterator[None]:
    """Let so many people wait for computers of a level, each at a table of their own; or as many as there is room for."""
    with grpc.insecure_channel(deployment.grpc_address) as channel, contextlib.ExitStack() as undo:
        server = play_pb2_grpc.PlayServiceStub(channel)
        for number in range(count):
            wanted = play_pb2.CreatePlayerRequest(name=f"Guest {number}", request_id=uuid.uuid4().hex)
            player = server.CreatePlayer(wanted, timeout=_TIMEOUT_S, wait_for_ready=True)
            token = (("authorization", f"Bearer {player.player_token}"),)
            seats = [play_pb2.SeatWish(computer=record_pb2.Computer(level=level)), play_pb2.SeatWish(me=True)]
            table = play_pb2.CreateSessionRequest(game="einstein", seats=seats, request_id=uuid.uuid4().hex)
            try:
                created = server.CreateSession(table, metadata=token, timeout=_TIMEOUT_S)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                break
            grant = created.grants[0]
            watch = server.Watch(
                play_pb2.WatchRequest(session_id=created.session.id, seat_token=grant.seat_token), metadata=token
            )
            undo.callback(watch.cancel)
            next(watch)
        yield
