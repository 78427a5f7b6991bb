"""A session process's knowledge about workers that come and go."""

from brettwerk.internal.v1 import ai_pb2
from services.session.computers.ai_client import STALE_MS, Workforce

NONE, SOME = ai_pb2.Demand(workers=0), ai_pb2.Demand(workers=1)


def test_workers_that_were_missed_before_a_rest_have_not_been_away_since_then() -> None:
    now = [1_000]
    workforce = Workforce(lambda: now[0], silence_ms=0)
    workforce.hear(NONE)
    now[0] += 500
    assert workforce.away_ms == 500
    now[0] += STALE_MS + 1
    assert workforce.away_ms == 0
    workforce.hear(NONE)
    now[0] += 300
    assert workforce.away_ms == 300


def test_workers_that_stay_away_are_away_for_longer_and_longer_until_they_are_back() -> None:
    now = [1_000]
    workforce = Workforce(lambda: now[0], silence_ms=0)
    for _ in range(11):
        workforce.hear(NONE)
        now[0] += 60_000
    workforce.unreachable()
    assert workforce.away_ms == 11 * 60_000
    workforce.hear(SOME)
    assert workforce.away_ms == 0
