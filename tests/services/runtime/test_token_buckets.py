"""Nobody takes more than flows into a bucket, and a refusal says the truth about when to come again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from services.runtime import token_buckets
from services.runtime.refusal import Refused
from services.runtime.token_buckets import Buckets
from tests.gateway.limits.test_rates import Clock
from tests.gateway.refusing import refusal_of


@given(st.lists(st.tuples(st.floats(0, 3), st.integers(1, 5)), max_size=60), st.floats(0.5, 20), st.integers(1, 20))
def test_the_amount_taken_is_at_most_a_full_bucket_and_the_inflow(
    steps: list[tuple[float, int]], per_s: float, burst: int
) -> None:
    clock = Clock()
    buckets = Buckets("player", per_s, burst, clock)
    taken = 0.0
    for pause, tokens in steps:
        clock.now += pause
        if (refused := refusal_of(lambda: buckets.take("a", tokens))) is not None:  # noqa: B023 - it is called at once
            assert refused.reason == errors_pb2.REASON_TOO_MANY_REQUESTS
            assert refused.refusal.retry_after_ms > 0
            clock.now += refused.refusal.retry_after_ms / 1000 + 1e-6
            buckets.take("a", tokens)
        taken += min(tokens, burst)
        assert taken <= burst + clock.now * per_s + 1e-6


def test_buckets_are_each_ones_own() -> None:
    buckets = Buckets("player", 1, 1, Clock())
    buckets.take("a", 1)
    buckets.take("b", 1)
    with pytest.raises(Refused):
        buckets.take("a", 1)


def test_the_bucket_idle_longest_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_buckets, "BUCKETS", 3)
    buckets = Buckets("address", 1, 1, Clock())
    for key in "abcd":
        buckets.take(key, 1)
    assert len(buckets._levels) == 3
    buckets.take("a", 1)
    with pytest.raises(Refused):
        buckets.take("d", 1)


def test_the_cost_of_a_request_is_charged_afterwards_and_the_next_one_waits_as_long_as_it_is_told() -> None:
    clock = Clock()
    buckets = Buckets("player", 10, 20, clock)
    buckets.charge("a", 35)
    refused = refusal_of(lambda: buckets.take("a", 1))
    assert refused is not None
    assert refused.refusal.retry_after_ms == 1600
    clock.now += 1.6
    buckets.take("a", 1)


def test_a_debt_is_never_more_than_a_full_bucket() -> None:
    clock = Clock()
    buckets = Buckets("player", 10, 20, clock)
    buckets.charge("a", 1e9)
    clock.now += 2.1
    buckets.take("a", 1)
