"""Several session processes come and go, die and hang while people play: nothing is lost or seen twice.

All of this is tried at night, and that one is cut off, and that watchers who begin anew all the time see the same bytes.
For every change tests/services/session/app/test_owners.py moves and takes over shards, and test_kill.py kills a session process.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

from loadtests.chaos.figures import MUST_BE_ZERO

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.nightly,
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="the faults are those of Linux"),
]

SECONDS = 12
TABLES = 8


def outcome_of(kind: str, *more: str) -> dict[str, Any]:
    """Return what came of a short run, in which nothing was wrong that must never be, however slow the machine is."""
    command = [sys.executable, "-m", "loadtests.owners", kind, "--seconds", str(SECONDS), "--tables", str(TABLES), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=550, check=False)
    assert done.stdout, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    wrong = {name: outcome["figures"][name] for name in MUST_BE_ZERO if name != "stuck_10s_after" and outcome["figures"][name]}
    assert wrong == {}, done.stderr
    assert outcome["figures"]["games"] >= TABLES, done.stderr
    assert outcome["figures"]["faults"] >= 1, done.stderr
    assert outcome["figures"]["aheads_without_loss"] == 0, done.stderr
    return outcome | {"said": done.stderr}


def test_players_do_not_notice_that_session_processes_come_and_go() -> None:
    outcome = outcome_of("move")
    figures = outcome["figures"]
    assert outcome["moved"] >= 1, outcome["said"]
    assert (figures["failed"], figures["breaks"], figures["gaps"]) == (0, 0, 0), outcome["said"]


LONG = ("--lasts", "20", "20")
"""Long enough for a busy machine, on which others have to take over what one had who hangs."""


@pytest.mark.parametrize(("kind", "more"), [("kill", ()), ("stop", LONG)])
def test_acknowledged_actions_are_kept_when_an_owner_fails_and_others_take_over(kind: str, more: tuple[str, ...]) -> None:
    outcome = outcome_of(kind, *more)
    assert outcome["shards_hurt"], outcome["said"]
    assert all(seconds is not None for seconds in outcome["replaced_s"]), outcome["said"]


def test_shards_are_shared_alike_and_every_process_carries_out_actions() -> None:
    """How evenly load is shared says little of few tables."""
    command = [sys.executable, "-m", "loadtests.owners", "share", "--sessions", "1,3", "--tables", "40", "--think", "0.5"]
    done = subprocess.run([*command, "--seconds", "3"], capture_output=True, text=True, timeout=550, check=False)
    assert done.returncode == 0, done.stderr
    shares = json.loads(done.stdout.splitlines()[-1])["shares"]
    assert [sorted(share["shards"].values()) for share in shares] == [[16], [5, 5, 6]]
    assert all(min(share["actions"].values()) > 0 for share in shares), done.stderr
