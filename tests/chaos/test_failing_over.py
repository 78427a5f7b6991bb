"""Masters die again and again while people play: with WAIT nothing is lost that was acknowledged, and everybody plays on."""

import sys
from pathlib import Path

import pytest

from tests.chaos.failing_over import Plan, outcome_of

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.nightly,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(sys.platform != "linux", reason="pods have addresses of their own on the loopback device"),
]


@pytest.mark.parametrize(
    "plan",
    [
        Plan("sentinels", kills=3, tables=8),
        Plan("cluster", kills=3, tables=8),
        Plan("sentinels", kills=2, tables=8, is_replica_away=True),
        Plan("broker", kills=2, tables=4),
    ],
    ids=["sentinels", "cluster", "replica-away", "broker"],
)
def test_acknowledged_actions_are_kept_however_often_a_master_dies(plan: Plan, tmp_path: Path) -> None:
    outcome = outcome_of(plan, tmp_path)
    assert outcome["lost"] == 0
    assert outcome["acknowledged"] > 10 * plan.tables
