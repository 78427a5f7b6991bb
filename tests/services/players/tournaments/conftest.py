"""A place for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.services.players.tournaments.place import Place


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()
