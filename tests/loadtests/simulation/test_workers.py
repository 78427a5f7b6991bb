"""A day of workers: against the formula for a queue with several servers, and with pods that come and go."""

import pytest

from loadtests.simulation.parameters import read_parameters
from loadtests.simulation.results import day_bars, day_figures
from loadtests.simulation.workers import WorkersDay

PARAMETERS = read_parameters()
HOUR = 3600.0
MEAN_S = 0.5


def erlang_c(servers: int, load: float) -> float:
    """Return the chance that who comes has to wait, in an M/M/c queue."""
    term, total = 1.0, 1.0
    for number in range(1, servers):
        term *= load / number
        total += term
    last = term * load / servers * servers / (servers - load)
    return last / (total + last)


@pytest.mark.nightly
@pytest.mark.parametrize(("pods", "load", "hours"), [(1, 1.4, 12), (2, 3.2, 6), (5, 9.0, 3)])
def test_waits_are_those_of_a_queue_with_so_many_servers(pods: int, load: float, hours: int) -> None:
    slots = 2 * pods
    rate = load / MEAN_S
    day = WorkersDay(
        PARAMETERS.replaced(pod_fails_per_day=0, person_share=1),
        rate / 0.03,
        seed=2,
        least=pods,
        most=pods,
        curve=[1.0] * 24,
        thinks=lambda chance: chance.expovariate(1 / MEAN_S),
        shortens=False,
    )
    day.run(hours * HOUR)
    expected = erlang_c(slots, load) / (slots / MEAN_S - rate)
    assert day.waits.seconds / day.waits.count == pytest.approx(expected, rel=0.12)
    assert day.busy_s / (hours * HOUR) == pytest.approx(load, rel=0.02)


@pytest.mark.nightly
def test_no_move_is_lost_when_pods_crash_and_are_removed() -> None:
    day = WorkersDay(PARAMETERS.replaced(pod_fails_per_day=200), 1000, seed=2, least=2, most=40)
    day.run(3 * HOUR)
    assert day.crashes > 50
    begun = day.waits.count + day.other_waits.count
    again = begun - day.moves
    # Everything begins once, and again only if its pod crashed; a few are still waiting.
    assert -50 < again <= 2 * day.crashes


def test_a_seed_decides_everything() -> None:
    def figures(seed: int) -> str:
        day = WorkersDay(PARAMETERS, 300, seed, least=2, most=20)
        day.run(HOUR)
        return str(day_figures(day))

    assert figures(3) == figures(3)
    assert figures(3) != figures(4)


@pytest.mark.nightly
def test_pods_follow_the_day() -> None:
    day = WorkersDay(PARAMETERS, 400, seed=1, least=1, most=40)
    day.run(24 * HOUR)
    by_hour = [max(one.pods for one in day.minutes[60 * hour : 60 * hour + 60]) for hour in range(24)]
    assert by_hour[20] >= 3 * by_hour[4]
    assert all(bar.is_met for bar in day_bars(day)[:-1])


def test_too_few_pods_shorten_thinking_and_no_person_waits_for_long() -> None:
    day = WorkersDay(PARAMETERS.replaced(person_share=1), 1000, seed=1, least=4, most=4, curve=[1.0] * 24)
    day.run(HOUR / 4)
    # 15 moves at once are wanted, and there are 8 slots.
    assert day.least_granted < 0.6
    assert day.shortened > 0.8 * day.moves
    assert day.waits.within(0.99) < 2


@pytest.mark.nightly
def test_more_pods_never_make_anybody_wait_longer() -> None:
    found = []
    for pods in (8, 9, 12, 20):
        day = WorkersDay(PARAMETERS, 1000, seed=1, least=pods, most=pods, curve=[1.0] * 24)
        day.run(HOUR / 4)
        found.append(day.waits.within(0.99))
    assert found == sorted(found, reverse=True)


def test_pods_go_to_zero_only_where_they_may_and_come_back_when_something_is_wanted() -> None:
    def run(least: int) -> WorkersDay:
        day = WorkersDay(PARAMETERS, 3, seed=1, least=least, most=5)
        day.run(8 * HOUR)
        return day

    assert min(one.pods for one in run(1).minutes) == 1
    day = run(0)
    assert {one.pods for one in day.minutes} >= {0, 1}
    # From zero: until Prometheus has asked, KEDA has looked, and a pod has started; or the session moves by itself.
    assert 5 < day.waits.longest <= PARAMETERS["silence_s"]
    assert day.waits.within(0.5) == 0


def test_levels_are_drawn_by_the_mix() -> None:
    day = WorkersDay(PARAMETERS, 1000, seed=1, least=20, most=20, curve=[1.0] * 24)
    day.run(HOUR / 2)
    assert day.busy_s / day.moves == pytest.approx(0.5, rel=0.02)
