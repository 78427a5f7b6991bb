"""A place for each test, on each of the databases."""

from collections.abc import Iterator

import pytest

from tests.services.players.clubs.place import Place


@pytest.fixture
def place(players_url: str) -> Iterator[Place]:
    made = Place(players_url)
    yield made
    made.close()
