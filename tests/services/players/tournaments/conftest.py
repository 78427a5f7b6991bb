"""A place for each test, on each of the databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.services.players.tournaments.place import Place


@pytest.fixture
async def place(tmp_path: Path, players_url: str) -> AsyncIterator[Place]:
    made = Place(tmp_path, players_url)
    yield made
    made.close()
