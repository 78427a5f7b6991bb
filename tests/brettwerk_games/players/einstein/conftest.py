"""Tables of four stones, built once for the tests."""

import pytest

from brettwerk_games.players.einstein import engine
from brettwerk_games.players.einstein.engine import Opened
from brettwerk_games.players.einstein.tables.build import build

needs_compiler = pytest.mark.skipif(
    not engine.COMPILED, reason="the kernels are not compiled (apt install gcc libc6-dev python3-dev)"
)


@pytest.fixture(scope="session")
def tables_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    if engine.COMPILED:
        build(folder, 4, lambda stones, done, total: None)
    return folder


@pytest.fixture(scope="session")
def opened(tables_folder):
    """An engine with the tables of up to four stones (without any where nothing is compiled)."""
    return Opened(tables_folder)


@pytest.fixture(scope="session")
def bare(tmp_path_factory):
    """An engine without tables."""
    return Opened(tmp_path_factory.mktemp("nothing"))
