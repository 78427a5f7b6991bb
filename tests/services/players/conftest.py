"""The databases that the players' tables are tested on."""

import itertools
from pathlib import Path

import pytest

from tests.night import at_night
from tests.services.archive.cluster import Cluster
from tests.services.archive.conftest import cluster

__all__ = ["cluster"]
_numbers = itertools.count()


@pytest.fixture(params=[at_night("sqlite"), "postgresql"])
def players_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Tests of the whole run on SQLite by day."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/players.sqlite3"
    made: Cluster = request.getfixturevalue("cluster")
    return made.create(f"players{next(_numbers)}")
