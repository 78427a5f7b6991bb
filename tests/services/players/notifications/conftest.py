"""Fixtures of the tests of notifications: the players' tables on both databases, a push service, and a mail server."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.mail_server import MailServer
from tests.push_endpoint import PushEndpoint
from tests.services.players.notifications.place import Place


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[PushEndpoint]:
    with PushEndpoint(tmp_path) as running:
        yield running


@pytest.fixture
def mail_server(tmp_path: Path) -> Iterator[MailServer]:
    with MailServer(tmp_path) as running:
        yield running


@pytest.fixture
async def place(tmp_path: Path, endpoint: PushEndpoint, mail_server: MailServer) -> AsyncIterator[Place]:
    made = Place(f"sqlite:///{tmp_path}/players.sqlite3", endpoint, mail_server)
    yield made
    await made.close()


@pytest.fixture
async def any_place(players_url: str, endpoint: PushEndpoint, mail_server: MailServer) -> AsyncIterator[Place]:
    """A place on each of the databases."""
    made = Place(players_url, endpoint, mail_server)
    yield made
    await made.close()
