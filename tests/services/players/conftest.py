"""The databases that the players' tables are tested on."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.archive.database import open_engine
from services.archive.schema import bring_up_to_date
from services.players.store import MIGRATIONS
from tests.night import at_night
from tests.services.archive.cluster import Cluster
from tests.services.archive.conftest import cluster
from tests.services.archive.quick_tables import quick_tables

__all__ = ["cluster"]
_numbers = itertools.count()


@pytest.fixture(scope="session", autouse=True)
def quickly() -> Iterator[None]:
    """Fill new databases from what the migrations made once: they take as long as most tests."""
    with quick_tables():
        yield


@pytest.fixture(scope="session")
def filled(cluster: Cluster) -> str:
    """The name of a database with all tables, which nobody is connected to."""
    engine = open_engine(cluster.create("filled"))
    bring_up_to_date(engine, MIGRATIONS)
    engine.dispose()
    return "filled"


@pytest.fixture(params=["sqlite", at_night("postgresql")])
def players_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database takes PostgreSQL three times as long as a file; what differs between them is tried by day with archives."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/players.sqlite3"
    made: Cluster = request.getfixturevalue("cluster")
    return made.create(f"players{next(_numbers)}", like=request.getfixturevalue("filled"))
