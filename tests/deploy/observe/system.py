"""A deployment that a real Prometheus reads while games go on: of people, of people against computers, and among computers."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from brettwerk.v1 import play_pb2
from brettwerk_client import Client, computer
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from deploy.observe.dashboards import BOARDS
from tests.deploy.tools import ROOT, prometheus

COMPUTERS = {"einstein": 2, "emperado": 3, "plateau": 2, "wec": 2}
"""How many play each game among themselves."""
EVERY_S = 10.0


class Asked:
    """The answers of a Prometheus."""

    def __init__(self, address: str) -> None:
        self._address = f"http://{address}/api/v1/"

    def get(self, path: str, **arguments: str) -> Any:
        """Return the data of an answer. Raises AssertionError for an error."""
        answer = httpx.get(self._address + path, params=arguments, timeout=10).json()
        assert answer["status"] == "success", (arguments, answer)
        return answer["data"]

    def values(self, query: str) -> list[float]:
        """Return the values of the samples that a query of a panel has now."""
        return [float(one["value"][1]) for one in self.get("query", query=plain(query))["result"]]

    def unanswered(self) -> list[tuple[str, str, str]]:
        """Return dashboard, panel and legend of each query that promises data, and has no sample that is a number."""
        return [
            (board.title, panel.title, legend)
            for board in BOARDS
            for panel in board.panels
            for query, legend in (*panel.queries, *panel.bounds)
            if not panel.needs and not [value for value in self.values(query) if value == value]
        ]


def plain(query: str) -> str:
    """Return a query without Grafana's variables."""
    return query.replace("$__rate_interval", "1m").replace("$namespace", ".*")


@contextlib.contextmanager
def observed(folder: Path) -> Iterator[tuple[Deployment, Asked]]:
    """Yield a deployment while games go on in it, and its Prometheus."""
    prometheus("prometheus")
    with Deployment(data=folder / "data", processes=Processes(web=False, observe=True)) as deployment, _games(deployment, folder):
        yield deployment, Asked(deployment.prometheus_address)


@contextlib.contextmanager
def _games(deployment: Deployment, folder: Path) -> Iterator[None]:
    """Let people play until the end of the block, and computers of every game."""
    endpoints = ["--grpc", deployment.grpc_address, "--web", deployment.web_address]
    people = ["--people", "4", "--solos", "3", "--watchers", "4", "--think", "0.5", "--seconds", "30", "--quiet"]
    over = threading.Event()

    def begin_games() -> None:
        with Client(deployment.grpc_address, name="Ada") as client:
            while not over.wait(EVERY_S):
                for game, seats in COMPUTERS.items():
                    with contextlib.suppress(Exception):  # while processes are killed, some are not begun
                        request = play_pb2.CreateSessionRequest(game=game, seats=[computer("easy")] * seats)
                        client.call(client.service.CreateSession, request)

    def let_people_play() -> None:
        """Let other people come again and again: those who lose their server for long go home."""
        command = [sys.executable, "-m", "loadtests.crowd", *endpoints, *people]
        with (folder / "crowd.log").open("w") as log:
            while not over.is_set():
                crowd = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
                while crowd.poll() is None and not over.wait(0.5):
                    pass
                crowd.terminate()
                crowd.wait()

    threads = [threading.Thread(target=begin_games), threading.Thread(target=let_people_play)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
