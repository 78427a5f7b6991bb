"""Fixtures of tests of turns: an alarm that is heard, a broker, a peer that plays by the rules, and a board that is a list."""

import signal
from collections.abc import Iterator

import pytest
import redis

from services.ai.session_client import SessionClient
from services.ai.thought import alarm
from services.ai.thought.thinker import Thinker
from services.ai.thought.thought_cache import Thoughts
from services.ai.thought.turn import Turns
from tests.redis_server import running_redis
from tests.services.ai.listed import Board
from tests.services.ai.session_peer import SessionPeer


@pytest.fixture
def hears() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    alarm.install()
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def broker() -> Iterator["redis.Redis"]:
    with running_redis() as url, redis.Redis.from_url(url) as client:
        yield client


@pytest.fixture
def peer() -> Iterator[SessionPeer]:
    peer = SessionPeer()
    yield peer
    peer.close()


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def turns(board: Board, peer: SessionPeer, broker: "redis.Redis") -> Turns:
    broker.flushdb()
    client = SessionClient(f"127.0.0.1:{peer.port}")
    return Turns(board, client, Thinker(Thoughts(broker)), broker)  # type: ignore[arg-type]
