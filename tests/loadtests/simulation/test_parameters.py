"""Every number says where it comes from, and those that are settings are what is set."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from loadtests.simulation.parameters import FILE, ORIGINS, read_parameters

ROOT = Path(__file__).parents[3]
PARAMETERS = read_parameters()
VALUES: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "chart" / "values.yaml").read_text(encoding="utf-8"))


def test_every_number_has_a_source() -> None:
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    assert [name for name, entry in entries.items() if not entry["source"].startswith(ORIGINS)] == []
    assert {tuple(sorted(entry)) for entry in entries.values()} == {("source", "value")}


def test_a_name_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="owner_busi"):
        PARAMETERS.replaced(owner_busi=0.5)


def test_workers_are_scaled_as_the_chart_says() -> None:
    think, keda = VALUES["workers"]["think"], VALUES["keda"]
    named = {"processes": "processes", "busy_share": "busyShare", "oldest_wait_s": "oldestWait", "clear_within_s": "clearWithin"}
    assert {name: PARAMETERS[name] for name in named} == {name: think[value] for name, value in named.items()}
    assert (PARAMETERS["polling_s"], PARAMETERS["cooldown_s"]) == (keda["pollingInterval"], keda["cooldownPeriod"])
    template = (ROOT / "deploy" / "chart" / "templates" / "workers.yaml").read_text(encoding="utf-8")
    policies = '"type" "Percent" "value" {} "periodSeconds" {}'
    assert policies.format(int(100 * PARAMETERS["up_share"]), int(PARAMETERS["up_s"])) in template
    assert policies.format(int(100 * PARAMETERS["down_share"]), int(PARAMETERS["down_s"])) in template
    assert f'"stabilizationWindowSeconds" {int(PARAMETERS["stabilisation_s"])}' in template
    assert "[1m]))" in template
    assert PARAMETERS["rate_s"] == 60


@pytest.mark.parametrize(("name", "fact"), [("think_s", "think_ms"), ("least_think_s", "least_ms")])
def test_computers_think_as_long_as_their_games_say(name: str, fact: str) -> None:
    for game, seconds in PARAMETERS.table(name).items():
        levels = json.loads((ROOT / "services" / "games" / game / "facts.json").read_text(encoding="utf-8"))["levels"]
        (level,) = [level for level in levels if level["id"] == "normal"]
        assert level[fact] / 1000 == seconds


@pytest.mark.parametrize("name", ["mix", "regions"])
def test_shares_are_of_one_whole(name: str) -> None:
    assert sum(PARAMETERS.table(name).values()) == pytest.approx(1)
