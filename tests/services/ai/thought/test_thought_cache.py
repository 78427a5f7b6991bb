"""Kept thoughts: that they are what thinking gives, that they are found by others, and that there are never too many."""

import dataclasses
import signal
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import record_pb2
from brettwerk_games.rules.einstein import GAME
from brettwerk_games.rules.interface import Kind
from services.ai.thought import alarm, thought_cache
from services.ai.thought.assignment import assign
from services.ai.thought.thinker import Mind, Thinker
from services.ai.thought.thought_cache import Thoughts, key_of
from tests.night import examples
from tests.redis_server import running_redis
from tests.services.ai.matches import play
from tests.services.ai.wanted import computer, start_position, view_of

GRANTED_S = 0.2
"""The thinking time of all levels that are asked here."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def broker(url: str) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield client


@pytest.fixture(autouse=True)
def hears() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    alarm.install()
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def kept_whatever_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thought_cache, "WORTH_S", 0.0)


def position_after(actions: int, deal: int) -> Any:
    player = assign("einstein", computer("beginner"), view_of(start_position(), 0)).player
    return play(GAME, start_position(), (player, player), deal, max_actions=actions)


def thought(answer: bytes = b"an action") -> session_pb2.SubmitActionRequest:
    made = session_pb2.SubmitActionRequest(thought=record_pb2.Thought(nodes=5))
    made.action.value = answer
    return made


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    actions=st.integers(0, 6),
    deal=st.integers(0, 3),
    level=st.sampled_from(["beginner", "easy", "normal", "strong"]),
    first=st.integers(0, 2**64 - 1),
    steps=st.integers(0, 2**32),
)
def test_a_kept_answer_is_the_one_that_thinking_gives(
    broker: "redis.Redis", kept_whatever_it_took: None, actions: int, deal: int, level: str, first: int, steps: int
):
    position = position_after(actions, deal)
    view = view_of(position, position.to_move)
    second = (first + steps * thought_cache.VARIETY) % 2**64
    kept, other = Thinker(Thoughts(broker)), Thinker(Thoughts(broker))

    def answer(thinker: Thinker, seed: int, *, anew: bool) -> Any:
        return Mind(thinker, "einstein", computer(level), view).think(20_000, seed, anew=anew)

    thinks = answer(kept, first, anew=True)
    assume(thinks.spent_s < GRANTED_S)  # it was not interrupted
    before = REGISTRY.get_sample_value("brettwerk_ai_cache_hits_total") or 0.0
    knows = answer(kept, second, anew=False)
    hears = answer(other, second, anew=False)
    again = answer(other, second, anew=True)
    assert (knows.spent_s, hears.spent_s) == (0.0, 0.0)
    assert REGISTRY.get_sample_value("brettwerk_ai_cache_hits_total") == before + 2
    assert again.spent_s > 0
    assume(again.spent_s < GRANTED_S)
    assert thinks.action == knows.action == hears.action == again.action
    assert thinks.thought == knows.thought == hears.thought


def test_a_position_that_many_sessions_reach_gets_several_answers(broker: "redis.Redis"):
    thinker = Thinker(Thoughts(broker))
    view = view_of(start_position(), 0)
    answers = {
        Mind(thinker, "einstein", computer("beginner"), view).think(200, seed, anew=False).action.value for seed in range(64)
    }
    assert 3 <= len(answers) <= thought_cache.VARIETY


@pytest.mark.usefixtures("kept_whatever_it_took")
def test_a_thought_that_had_too_little_time_or_all_of_it_is_not_kept(broker: "redis.Redis"):
    view = view_of(start_position(), 0)
    thinker = Thinker(Thoughts(broker))
    for level, think_ms in (("best", 40), ("best", 100), ("easy", 199)):
        for _ in range(2):
            assert Mind(thinker, "einstein", computer(level), view).think(think_ms, 1, anew=False).spent_s > 0
    assert list(broker.scan_iter(f"{thought_cache.PREFIX}*")) == []


@pytest.mark.usefixtures("kept_whatever_it_took")
def test_a_thought_is_full_if_its_level_had_all_of_its_time_and_one_that_was_known_is_none(broker: "redis.Redis"):
    """Of those that are full the board learns how long thoughts take."""
    thinker = Thinker(Thoughts(broker))

    def was_full(think_ms: int, *, anew: bool) -> bool:
        mind = Mind(thinker, "einstein", computer("easy"), view_of(start_position(), 0))
        return mind.think(think_ms, 1, anew=anew).was_full

    assert was_full(20_000, anew=True)
    assert not was_full(20_000, anew=False)
    assert not was_full(1, anew=True)


@pytest.mark.usefixtures("kept_whatever_it_took")
def test_a_player_that_goes_on_with_its_turn_is_not_answered_for(broker: "redis.Redis"):
    view = view_of(start_position(), 0)
    mind = Mind(Thinker(Thoughts(broker)), "einstein", computer("easy"), view)
    assert mind.think(200, 1, anew=False).spent_s > 0
    assert mind.sees("einstein", computer("easy"), view)
    assert mind.think(200, 1, anew=False).spent_s > 0


def test_all_that_a_thought_depends_on_is_in_its_key():
    view = view_of(start_position(), 0)
    one = assign("einstein", computer("easy"), view)
    other_level = assign("einstein", computer("normal"), view)

    class Newer:
        facts = dataclasses.replace(one.game.facts, rules_version="another")
        codec = one.game.codec

    keys = {
        key_of(one, 0, view.value, 1),
        key_of(one, 1, view.value, 1),
        key_of(one, 0, view.value, 2),
        key_of(one, 0, GAME.codec.encode(Kind.VIEW, GAME.view(start_position(), None)), 1),
        key_of(other_level, 0, view.value, 1),
        key_of(dataclasses.replace(one, game=Newer()), 0, view.value, 1),  # type: ignore[arg-type]
    }
    assert len(keys) == 6
    assert key_of(one, 0, view.value, 1) == key_of(one, 0, view.value, 1 + thought_cache.VARIETY)


def test_there_are_never_more_than_there_is_place_for(broker: "redis.Redis", monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thought_cache, "PLACES", 10)
    monkeypatch.setattr(thought_cache, "OWN", 20)
    kept = Thoughts(broker)
    for number in range(200):
        kept.keep(number.to_bytes(32, "big") if number % 2 else (number << 128).to_bytes(32, "big"), thought())
    kept.keep(bytes(31) + b"\xff", thought(b"x" * thought_cache.BYTES))
    keys = list(broker.scan_iter(f"{thought_cache.PREFIX}*"))
    assert 0 < len(keys) <= 10
    assert all(0 < broker.ttl(key) <= thought_cache.KEEP_S for key in keys)
    assert all(broker.strlen(key) <= thought_cache.BYTES for key in keys)
    assert len(kept._own) == 20


def test_a_thought_at_another_ones_place_is_not_taken_for_it(broker: "redis.Redis"):
    kept, other = Thoughts(broker), Thoughts(broker)
    kept.keep(bytes(32), thought())
    assert other.find(bytes(31) + b"\x01", everywhere=True) is None
    assert other.find(bytes(32), everywhere=False) is None
    assert other.find(bytes(32), everywhere=True) == thought()


@given(st.binary(max_size=200))
@settings(max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bad_bytes_in_the_cache_do_not_stop_a_search(broker: "redis.Redis", lies: bytes):
    for value in (lies, bytes(32) + lies):
        broker.set(f"{thought_cache.PREFIX}0", value)
        found = Thoughts(broker).find(bytes(32), everywhere=True)
        assert found is None or value.startswith(bytes(32))


def test_a_broker_that_is_away_is_left_alone_for_a_while():
    now = 100.0
    client = redis.Redis(port=1, socket_connect_timeout=0.1)
    asked: list[object] = []

    def get(*given: object) -> None:
        asked.append(given)
        raise redis.ConnectionError

    client.get = get  # type: ignore[assignment, method-assign]
    kept = Thoughts(client, lambda: now)
    for _ in range(3):
        assert kept.find(bytes(32), everywhere=True) is None
    assert len(asked) == 1
    kept.keep(bytes(32), thought())
    assert kept.find(bytes(32), everywhere=True) == thought()
    now += 6
    assert kept.find(bytes(31) + b"\x01", everywhere=True) is None
    assert len(asked) == 2
