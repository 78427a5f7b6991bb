"""A simulated day: what cannot fail does not, a seed decides everything, and a plan with too little is found out."""

import pytest

from loadtests.simulation.bars import bars
from loadtests.simulation.crowd import Crowd
from loadtests.simulation.day import WorldDay
from loadtests.simulation.parameters import read_parameters
from loadtests.simulation.results import crowd_figures, crowd_tables

PARAMETERS = read_parameters()
GAMES = 100_000.0
HOUR = 3600.0


def missed(crowd: Crowd) -> set[str]:
    return {bar.name for bar in bars(crowd.tally) if not bar.is_met}


def test_where_nothing_fails_no_game_stands_still() -> None:
    crowd = Crowd(PARAMETERS, GAMES, 1, causes=())
    tally = crowd.run()
    assert (tally.stalls.count, tally.stalled_s, tally.lost, tally.refused, tally.reconnects.count) == (0, 0, 0, 0, 0)
    assert not tally.slow_s
    assert missed(crowd) == set()


def test_games_are_those_of_the_day() -> None:
    crowd = Crowd(PARAMETERS, GAMES, 1, lose_zones=True)
    tally = crowd.run()
    day = WorldDay(PARAMETERS, GAMES)
    for sample in tally.samples:
        assert sample.games == pytest.approx(sum(day.games(region, sample.at_s) for region in day.peaks))
    assert max(sample.games for sample in tally.samples) == pytest.approx(GAMES, rel=0.001)
    # Nothing is counted twice: what was played at every minute is all that there was.
    assert tally.game_s == pytest.approx(sum(sample.games * 300 for sample in tally.samples), rel=0.01)
    assert tally.begun == pytest.approx(tally.game_s / 600)


def test_a_seed_decides_everything() -> None:
    def figures(seed: int) -> str:
        crowd = Crowd(PARAMETERS, GAMES, seed, lose_zones=True)
        crowd.run(8 * HOUR)
        return f"{crowd_figures(crowd)} {crowd_tables(crowd)}"

    assert figures(3) == figures(3)
    assert figures(3) != figures(4)


def test_the_plan_keeps_its_bars_on_a_day_on_which_every_region_loses_a_zone() -> None:
    crowd = Crowd(PARAMETERS, GAMES, 1, lose_zones=True)
    crowd.run()
    assert crowd.tally.faults["zones"] >= 3
    assert missed(crowd) == set()


def test_too_few_owners_are_found_out() -> None:
    crowd = Crowd(PARAMETERS, GAMES, 1, causes=(), owners=2)
    crowd.run()
    assert missed(crowd) == {"time in which actions wait more than 1 s for a full component"}
    assert set(crowd.tally.slow_s) == {"session"}


def test_owners_that_are_too_busy_are_found_out_when_zones_are_lost() -> None:
    crowd = Crowd(PARAMETERS.replaced(owner_busy=0.7), GAMES, 1, lose_zones=True)
    crowd.run()
    assert "games that stop go on, 99 in 100 within" in missed(crowd)


@pytest.mark.nightly
def test_one_replica_is_found_out_to_be_too_few() -> None:
    # One that is away when its master is lost leaves nobody to take over.
    crowd = Crowd(PARAMETERS.replaced(replicas=1, pod_fails_per_day=20, replica_sync_s=600), GAMES, 1, lose_zones=True)
    crowd.run()
    assert {"acknowledged actions lost", "games that stop go on, all within"} <= missed(crowd)


@pytest.mark.nightly
def test_more_gateways_bring_watchers_back_sooner() -> None:
    found = []
    for busy in (0.7, 0.4, 0.2):
        crowd = Crowd(PARAMETERS.replaced(gateway_busy=busy, gateway_least=3), GAMES, 1, causes=(), lose_zones=True)
        crowd.run()
        found.append(crowd.tally.reconnects.within(0.99))
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


def test_faults_come_as_often_as_their_rates_say() -> None:
    crowd = Crowd(PARAMETERS.replaced(releases_per_day=0), GAMES, 7)
    crowd.run()
    plans = [deployment.plan for deployment in crowd.deployments]
    pods = sum(one.owners + 3 * one.masters + one.gateways + one.rules + one.workers for one in plans)
    expected = pods * PARAMETERS["pod_fails_per_day"]
    assert crowd.tally.faults["pods"] == pytest.approx(expected, abs=4 * expected**0.5)
