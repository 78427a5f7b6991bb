"""The players' tables, with nothing in them."""

from collections.abc import Iterator

import pytest

from services.archive.access import Access
from services.players.store import open_store


@pytest.fixture
def store(players_url: str) -> Iterator[Access]:
    made = open_store(players_url)
    yield made
    made.close()
