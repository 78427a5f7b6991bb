"""A place for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.players.accounts.conftest import quick_hashes
from tests.services.players.moderation.place import Place

__all__ = ["quick_hashes"]


@pytest.fixture
def place(players_url: str, tmp_path: Path) -> Iterator[Place]:
    made = Place(players_url, f"sqlite:///{tmp_path}/archive.sqlite3")
    yield made
    made.close()
