"""Fixtures for modules whose tests leave service and gateway as they were: `peer, running = shared_peer, shared_running`."""

import pytest

from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway


@pytest.fixture
def shared_peer(shared: tuple[Peer, RunningGateway]) -> Peer:
    """The session service that all share, with nothing in it of the tests before."""
    shared[0].forget()
    return shared[0]


@pytest.fixture
def shared_running(shared: tuple[Peer, RunningGateway]) -> RunningGateway:
    """The gateway that all share."""
    return shared[1]
