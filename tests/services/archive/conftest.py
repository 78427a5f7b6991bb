import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.archive.archive import Archive
from tests.services.archive.cluster import Cluster, binaries, running

_numbers = itertools.count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with running(binaries()) as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/made/for/it/archive.sqlite3"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.create(f"archive{next(_numbers)}")


@pytest.fixture
def archive(database_url: str) -> Iterator[Archive]:
    archive = Archive.open(database_url)
    yield archive
    archive.close()
