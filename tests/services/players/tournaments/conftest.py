"""A place for each test, on each of the databases."""

import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.services.archive.cluster import Cluster
from tests.services.archive.conftest import cluster
from tests.services.players.tournaments.place import Place

__all__ = ["cluster"]
_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def players_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/players.sqlite3"
    made: Cluster = request.getfixturevalue("cluster")
    return made.create(f"tournaments{next(_numbers)}")


@pytest.fixture
async def place(tmp_path: Path, players_url: str) -> AsyncIterator[Place]:
    made = Place(tmp_path, players_url)
    yield made
    made.close()
