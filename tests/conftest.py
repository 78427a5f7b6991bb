"""A running deployment for tests that need the whole system."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from deploy.local.deployment import Deployment
from deploy.local.folder import LONGEST_SOCKET, folder_for_sockets
from deploy.local.processes import Processes
from services.runtime import trace
from tests.groups import pytest_xdist_make_scheduler
from tests.handed_on import HandedOn
from tests.night import SHARE, examples

__all__ = ["pytest_xdist_make_scheduler"]  # a hook that pytest finds here

os.environ.setdefault("BRETTWERK_INNER_KEY", "the key of calls between services of tests")
"""Tests call services as these call one another, and so do the processes that they start."""


# How long an example takes says more of what else the machine does than of what is tested. By day the examples are the same in
# each run, so that a run fails by what was changed, and by no luck of others; those of the night are always new.
settings.register_profile("brettwerk", deadline=None, max_examples=examples(100), derandomize=SHARE < 1)
settings.load_profile("brettwerk")
gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage among what stays to the end, and never look there again.

    Thousands of tests and all that they import would be looked through hundreds of times: a tenth of what a run takes.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def no_trace() -> None:
    """Begin each test outside of a trace: what one without an event loop of its own follows would last for all after it."""
    trace.follow("")


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder as tmp_path is, whose path is short enough for Unix sockets whatever TMPDIR is."""
    with folder_for_sockets(LONGEST_SOCKET) as folder:
        yield folder


@pytest.fixture(scope="session")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment that the tests of a run share; nobody may harm it."""
    with Deployment(data=tmp_path_factory.mktemp("deployment"), processes=Processes(web=False)) as started:
        yield started


@pytest.fixture(scope="session")
def handed_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HandedOn]:
    """The deployment that is handed on by tests that harm it."""
    made = HandedOn(lambda: Deployment(data=tmp_path_factory.mktemp("own_deployment"), processes=Processes(web=False)))
    yield made
    made.close()


@pytest.fixture
def own_deployment(handed_on: HandedOn) -> Iterator[Deployment]:
    """A deployment that is the test's own, which may kill processes of it. Games of tests before it may be there."""
    with handed_on.lent() as lent:
        yield lent
