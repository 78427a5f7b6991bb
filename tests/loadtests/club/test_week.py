"""Days of a club, simulated with real processes: what it counts, and that it finds a message which the server sends twice."""

from pathlib import Path

import pytest

from loadtests.club.__main__ import simulate
from loadtests.club.clock import compiler
from loadtests.club.year import Plan
from tests.surroundings import lacking

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.timeout(3600)]
ROOT = Path(__file__).parents[3]
TWICE = """
import sys
if "services.players" in sys.orig_argv:
    sys.path.insert(0, {root!r})
    from services.players.notifications.push_delivery import PushDelivery
    once, sent = PushDelivery.send, []
    async def send(self, row, message, topic, *more):
        sent.append(topic)
        if len(sent) % 10 == 0:
            await once(self, row, message, topic, *more)
        return await once(self, row, message, topic, *more)
    PushDelivery.send = send
"""


def say(_sentence: str) -> None:
    """Say nothing."""


@pytest.fixture(autouse=True)
def clock_that_can_be_moved() -> None:
    if not compiler():
        lacking("there is no C compiler", "apt-get install gcc", optional=True)


def test_in_a_week_of_twenty_people_nobody_is_told_twice_and_nobody_is_forgotten() -> None:
    outcome = simulate(Plan(people=20, days=7, pace_h=4, step_h=1, substitutions=3, evening_games=4, seed=1), say)
    ways = [outcome.feeds, *outcome.ways.values()]
    assert [finding for one in ways for finding in (*one.twice, *one.forgotten, *one.late, *one.at_night)] == []
    assert not outcome.games_twice
    assert len(outcome.kills) >= 4 and outcome.substitutes and outcome.leavers == 3
    assert all(one.messages > 20 for one in outcome.ways.values())
    assert outcome.news["round"] and outcome.news["game_over"] and outcome.news["tournament_over"]


def test_a_push_message_that_the_server_sends_twice_is_found(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(TWICE.format(root=str(ROOT)))
    plan = Plan(people=20, days=3, pace_h=4, step_h=1, substitutions=1, evening_games=0, seed=2)
    outcome = simulate(plan, say, of_players={"PYTHONPATH": str(tmp_path)})
    assert outcome.ways["push"].twice
    assert not outcome.ways["mail"].faults and not outcome.ways["webhook"].faults
