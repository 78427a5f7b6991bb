from collections.abc import Iterator

import pytest

from tests.redis_server import running_redis
from tests.services.ai.board.desk import Desk


@pytest.fixture(scope="package")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def desk(url: str) -> Iterator[Desk]:
    desk = Desk(url)
    yield desk
    desk.close()
