"""Puzzles are made of games that people have finished: players service, queue, worker, and back."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from brettwerk.v1 import puzzles_pb2 as pb
from brettwerk_client import Client, computer, me
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from services.archive.access import Access
from services.players.puzzles.tables import PUZZLE_GAMES, PUZZLES
from services.players.store import open_store

pytestmark = pytest.mark.e2e

WITHIN_S = 300


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    eager = {"statistics": {"BRETTWERK_RUNS_NICE": "0"}}
    with Deployment(
        data=tmp_path / "deployment", processes=Processes(web=False, statistics=True, own_environment=eager)
    ) as started:
        yield started


@pytest.fixture
def store(deployment: Deployment) -> Iterator[Access]:
    opened = open_store(deployment.environment["BRETTWERK_PLAYERS_DATABASE_URL"])
    yield opened
    opened.close()


def made(store: Access) -> int:
    """Return how many puzzles were made here."""
    query = select(func.count()).where(PUZZLES.c.made_at_ms > 0)
    return int(store.run_here(lambda connection: connection.execute(query).scalar_one()))


def play(client: Client) -> str:
    table = client.create_session("einstein", [me(), computer("normal")], public=True, competitive=True)
    table.seat.play(lambda update: random.choice(update.actions))
    return table.session.id


@pytest.mark.nightly
def test_a_finished_game_gives_the_puzzle_of_the_day_which_names_it_in_the_end(deployment: Deployment, store: Access):
    with Client(deployment.grpc_address, name="Ada") as ada:
        ids = {play(ada) for _ in range(5)}
        until = time.monotonic() + WITHIN_S
        while not made(store):  # one game in half a minute, and not every game has one
            assert time.monotonic() < until, "no game gave a puzzle"
            time.sleep(0.2)
        asked = store.run_here(lambda connection: connection.execute(select(PUZZLE_GAMES)).all())
        assert {row.session_id for row in asked} <= ids
        puzzle = ada.call(ada.service.GetPuzzle, pb.GetPuzzleRequest(game="einstein")).puzzle
        days = ada.call(ada.service.ListPuzzles, pb.ListPuzzlesRequest(game="einstein", days=60)).puzzles
        sources = []
        for day in days:
            request = pb.ShowSolutionRequest(puzzle_id=day.puzzle_id)
            sources.append(ada.call(ada.service.ShowSolution, request).source.session_id)
        assert puzzle.puzzle_id == days[0].puzzle_id
        assert [each for each in sources if each], "it goes before those that come with the game"
        assert {each for each in sources if each} <= ids
