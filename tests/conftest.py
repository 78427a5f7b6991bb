"""A running house for tests that need the whole system."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from deploy.local.house import House

os.environ.setdefault("BRETTWERK_INNER_KEY", "the key of calls between services of tests")
"""Tests call services as these call one another, and so do the processes that they start."""


# How long an example takes says more of what else the machine does than of what is tested.
settings.register_profile("brettwerk", deadline=None)
settings.load_profile("brettwerk")


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that the tests of a run share; nobody may harm it."""
    with House(data=tmp_path_factory.mktemp("house"), web=False) as started:
        yield started


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A house of the test's own."""
    with House(data=tmp_path / "house", web=False) as started:
        yield started
