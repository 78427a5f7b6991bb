"""Brettwerk on several hosts: network namespaces with a wire between them that delays and loses (loadtests/machines)."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loadtests.machines.namespaces import missing

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(900)]

COMMAND = [sys.executable, "-m", "loadtests.machines"]
SLOW = ("--delay", "20", "--jitter", "2", "--loss", "1")


@pytest.fixture(scope="module", autouse=True)
def hosts() -> None:
    if reason := missing():
        pytest.skip(reason)


def outcome_of(*arguments: str) -> dict[str, dict[str, Any]]:
    """Return what came of the parts of a run in which no bar was missed, by their names."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=850, check=False)
    assert done.stdout, done.stderr
    outcome = json.loads(done.stdout.splitlines()[-1])
    assert outcome["missed"] == [], done.stderr
    return {trial["trial"]: trial for trial in outcome["trials"]}


def of_run(mark: str) -> Iterator[int]:
    """Go through the processes that have this in their environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                yield int(folder.name)
        except OSError:
            pass  # it has ended


@pytest.mark.nightly
def test_packets_between_hosts_take_the_set_time_and_get_lost_at_the_set_rate() -> None:
    wire = outcome_of("wire", *SLOW)["wire"]
    assert 36 <= wire["there_and_back_ms"]["least"] <= wire["there_and_back_ms"]["median"] < 60
    assert 0 < wire["lost_of_pings"] < 0.06
    assert wire["packets_a_second"] > 1000


@pytest.mark.nightly
def test_processes_of_hosts_end_when_their_program_is_killed(tmp_path: Path) -> None:
    mark = f"MACHINES_TEST={tmp_path}"
    environment = os.environ | {"MACHINES_TEST": str(tmp_path)}
    command = [*COMMAND, "play", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        before: list[str] = []
        while "gateway" not in (said := running.stderr.readline()):
            assert said, f"it has ended by itself: {before}"
            before.append(said)
        assert len(list(of_run(mark))) > 5
        running.send_signal(signal.SIGKILL)
    until = time.monotonic() + 30
    while left := list(of_run(mark)):
        assert time.monotonic() < until, left
        time.sleep(0.1)


@pytest.mark.nightly
def test_load_is_spread_evenly_a_new_pod_has_its_share_soon_and_a_drained_one_nothing() -> None:
    parts = outcome_of("share", "move")
    assert sorted(parts["share"]["session"]["shards"].values()) == [5, 5, 6]
    assert {len(parts["share"][f"{service}_and_a_new_one"]["done"]) for service in ("rules", "gateway")} == {3}
    assert {"added_session", "added_rules", "drained_session", "drained_rules", "drained_gateway"} <= set(parts["move"])


@pytest.mark.nightly
def test_a_slow_line_that_loses_changes_nothing_of_that_nor_do_replicas_that_have_to_have_every_action() -> None:
    parts = outcome_of("share", "move", "--replicas", "2", *SLOW)
    assert {len(parts["share"][f"{service}_and_a_new_one"]["done"]) for service in ("rules", "gateway")} == {3}
    assert {"added_session", "added_rules", "drained_session", "drained_rules", "drained_gateway"} <= set(parts["move"])


@pytest.mark.nightly
def test_acknowledged_actions_are_kept_over_lossy_slow_lines_and_when_hosts_are_cut_off() -> None:
    parts = outcome_of("play", "cut", "--replicas", "2", *SLOW)
    assert parts["play"]["figures"]["games"] >= 8
    assert parts["cut"]["host_2"]["shards"] >= 5
    assert parts["cut"]["host_3"]["shards"] >= 5


@pytest.mark.nightly
def test_rate_limits_hold_for_each_gateway() -> None:
    """docs/operations.md says so: two gateways together let twice as much through."""
    rates = outcome_of("rates")["rates"]
    assert 0.8 < rates["accepted_per_s"]["player_at_1"] / rates["limits"]["rate_per_s"] < 1.2
    assert 1.7 < rates["player_times"] < 2.2
