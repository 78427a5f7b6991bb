from collections.abc import Iterator

import pytest

from tests.redis_server import running_redis
from tests.services.ai.board.board_service import BoardService


@pytest.fixture(scope="package")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def board_service(url: str) -> Iterator[BoardService]:
    board_service = BoardService(url)
    yield board_service
    board_service.close()
