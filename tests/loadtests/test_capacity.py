"""The plan has enough of everything, more of something never carries less, and its numbers are those that are set."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from loadtests.capacity import (
    FILE,
    Cost,
    actions_per_game,
    carries,
    connected_after_s,
    costs,
    deployments_for,
    games_of_deployment,
    goes_on_after_s,
    plan_for,
    read_parameters,
    tables,
    thinking,
)

ROOT = Path(__file__).parents[2]
PARAMETERS = read_parameters()
VALUES: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "chart" / "values.yaml").read_text(encoding="utf-8"))
SESSION = Cost(saturated=377e-6, lone=706e-6)


def test_every_number_has_a_source() -> None:
    """A run that somebody made, a value of the code or of the plan, or a guess."""
    origins = ("measured", "setting", "assumed")
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    assert [name for name, entry in entries.items() if not entry["source"].startswith(origins)] == []
    assert {tuple(sorted(entry)) for entry in entries.values()} == {("source", "value")}


def test_a_name_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="owner_busi"):
        PARAMETERS.replaced(owner_busi=0.5)


def test_workers_are_those_of_the_chart() -> None:
    think = VALUES["workers"]["think"]
    assert (PARAMETERS["processes"], PARAMETERS["busy_share"]) == (think["processes"], think["busyShare"])


def test_computers_think_as_long_as_their_games_say() -> None:
    for game, seconds in PARAMETERS.table("think_s").items():
        levels = json.loads((ROOT / "brettwerk_games" / "rules" / game / "facts.json").read_text(encoding="utf-8"))["levels"]
        (level,) = [level for level in levels if level["id"] == "normal"]
        assert level["think_ms"] / 1000 == seconds


def test_shares_are_of_one_whole() -> None:
    assert sum(PARAMETERS.table("mix").values()) == pytest.approx(1)


def test_a_core_is_full_at_the_rate_that_was_measured_at_saturation() -> None:
    assert SESSION.busy(1 / 377e-6) == pytest.approx(1)
    assert SESSION.rate(1.0) == pytest.approx(1 / 377e-6)
    assert SESSION.busy(2 / 377e-6) == pytest.approx(2)


def test_an_action_alone_takes_what_was_measured_alone() -> None:
    assert SESSION.busy(1.0) == pytest.approx(706e-6, rel=0.001)


@pytest.mark.parametrize("busy", [0.05, 0.35, 0.7, 0.95])
def test_rate_and_busy_undo_each_other(busy: float) -> None:
    assert SESSION.busy(SESSION.rate(busy)) == pytest.approx(busy)


def test_the_mix_lies_between_its_games() -> None:
    assert 377e-6 < costs(PARAMETERS)["session"].saturated < 667e-6
    assert thinking(PARAMETERS) == pytest.approx(0.5)


@pytest.mark.parametrize("masters", [1, 3, 16])
def test_more_owners_never_carry_less(masters: int) -> None:
    carried = [carries(PARAMETERS, masters, owners, 0.7) for owners in range(1, 17)]
    assert carried == sorted(carried)


@pytest.mark.parametrize("owners", [1, 4, 16])
def test_more_masters_never_carry_less(owners: int) -> None:
    carried = [carries(PARAMETERS, masters, owners, 0.7) for masters in range(1, 17)]
    assert carried == sorted(carried)


def test_sixteen_owners_with_enough_masters_carry_what_sixteen_cores_do() -> None:
    assert carries(PARAMETERS, 16, 16, 0.7) == pytest.approx(16 * costs(PARAMETERS)["session"].rate(0.7))


@pytest.mark.parametrize("games", [1_000, 10_000, 30_000])
def test_no_owner_of_the_plan_is_busier_than_it_says(games: float) -> None:
    plan = plan_for(PARAMETERS, games)
    busiest = -(-16 // plan.owners) / 16 * games * actions_per_game(PARAMETERS)
    assert costs(PARAMETERS)["session"].busy(busiest) <= PARAMETERS["owner_busy"] + 1e-6


@pytest.mark.parametrize("games", [1_000, 100_000, 10_000_000])
def test_deployments_have_room_for_all_games(games: float) -> None:
    count, plan = deployments_for(PARAMETERS, games)
    assert count * plan.games == pytest.approx(games, rel=0.001)
    assert plan.games <= games_of_deployment(PARAMETERS) + 1


def test_games_of_a_lost_zone_go_on_within_ten_seconds_unless_owners_are_busier_than_planned() -> None:
    assert goes_on_after_s(PARAMETERS) < 10
    assert goes_on_after_s(PARAMETERS.replaced(owner_busy=0.5)) > 15
    assert goes_on_after_s(PARAMETERS.replaced(owner_busy=0.7)) == float("inf")


def test_games_wait_for_leases_alone_where_sessions_cost_nothing_to_read() -> None:
    assert goes_on_after_s(PARAMETERS.replaced(read_ms=0, watch_ms=0)) == pytest.approx(4)


def test_connections_are_back_later_where_fewer_gateways_are_left() -> None:
    spread = connected_after_s(PARAMETERS.replaced(connect_ms=0))
    assert spread == pytest.approx(15 + 0.4 + 5)
    assert spread < connected_after_s(PARAMETERS) < connected_after_s(PARAMETERS.replaced(gateway_busy=0.7, gateway_least=3))


def test_the_page_says_what_the_command_prints() -> None:
    page = (ROOT / "docs" / "capacity.md").read_text(encoding="utf-8")
    rows = [line for line in tables(PARAMETERS).splitlines() if line and line[2].isdigit()]
    assert len(rows) > 10
    assert [row for row in rows if row not in page] == []
