"""A session service in process: a real Redis, the real rules service over gRPC, a clock that the test sets."""

from collections.abc import AsyncIterator, Iterator, Mapping

import pytest

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2
from services.session.domain import perception, updates
from services.session.domain.state import State
from tests.redis_server import running_redis
from tests.services.session.plain_updates import plain
from tests.services.session.player import Player
from tests.services.session.running import lasting_rules
from tests.services.session.setting_back import KeptGame, Setback
from tests.services.session.settling import settling
from tests.services.session.table import Table
from tests.services.session.two_players import two


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture(autouse=True)
def every_update_is_plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Updates told in a test are, byte for byte, what messages made field by field would be."""
    wrong: list[object] = []
    joined = updates.messages

    def compared(
        state: State, entry: record_pb2.Entry, perspectives: rules_pb2.Step | None, audiences: int = perception.EVERYBODY
    ) -> Mapping[bytes, int]:
        found = joined(state, entry, perspectives, audiences)
        for number, response in plain(state, entry, perspectives, audiences).items():
            sent = [message for message, received in found.items() if received >> number & 1]
            if sent != [response.SerializeToString(deterministic=True)]:
                wrong.append((number, entry, sent, response))
        return found

    monkeypatch.setattr(updates, "messages", compared)
    yield
    assert not wrong


@pytest.fixture(scope="session")
def rules_address() -> Iterator[str]:
    """The rules service of all tables."""
    with lasting_rules() as address:
        yield address


@pytest.fixture
async def table(redis_url: str, rules_address: str, tmp_path, request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    made = Table(redis_url, rules_address, f"sqlite:///{tmp_path}/archive.sqlite3", request.node.name)
    await made.open()
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def wec(table: Table) -> tuple[Player, Player, str]:
    return await settling(table, game="wec")


@pytest.fixture
async def kept_game(table: Table) -> KeptGame:
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    return KeptGame(anna, ben, game, setback)
