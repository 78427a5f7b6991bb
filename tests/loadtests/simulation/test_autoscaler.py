"""The autoscaler decides as Kubernetes documents it."""

from loadtests.simulation.autoscaler import Autoscaler, load
from loadtests.simulation.parameters import read_parameters

PARAMETERS = read_parameters()


def scaler(least: int = 1, most: int = 1000) -> Autoscaler:
    return Autoscaler(PARAMETERS, least, most)


def test_pods_grow_with_what_is_asked() -> None:
    assert scaler().decide(0, 10, [1.5]) == 15


def test_the_figure_that_asks_for_most_counts() -> None:
    assert scaler().decide(0, 10, [0.2, 1.3, 0.9]) == 13


def test_a_difference_within_a_tenth_is_left() -> None:
    assert scaler().decide(0, 10, [1.09]) == 10
    assert scaler().decide(0, 10, [0.91]) == 10


def test_pods_at_most_double_in_fifteen_seconds() -> None:
    one = scaler()
    assert one.decide(0, 10, [7.0]) == 20
    assert one.decide(10, 20, [7.0]) == 20
    assert one.decide(15, 20, [7.0]) == 40


def test_no_pod_goes_until_there_were_too_many_for_five_minutes() -> None:
    one = scaler()
    assert [one.decide(15 * number, 20, [1.0 if number == 0 else 0.1]) for number in range(21)] == [20] * 21
    assert one.decide(301, 20, [0.1]) == 15


def test_a_quarter_of_the_pods_goes_in_a_minute() -> None:
    one = scaler()
    pods, seen = 100, [100]
    for number in range(1, 30):
        pods = one.decide(600 + 15 * number, pods, [0.01])
        seen.append(pods)
    assert all(later >= int(before * 0.75) for before, later in zip(seen, seen[4:], strict=False))
    assert seen[-1] < 30


def test_the_bounds_hold() -> None:
    assert scaler(most=12).decide(0, 10, [9.0]) == 12
    assert scaler(least=4).decide(0, 4, [0.0]) == 4


def test_the_load_is_demand_over_capacity() -> None:
    # docs/kubernetes.md: 14 s wanted in a second, nothing waits, 20 processes.
    assert load(14, 0, 20, 30) == 0.7
    assert load(14, 60, 20, 30) == 0.8
    assert load(1, 0, 0, 30) == 1
