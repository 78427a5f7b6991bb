import math

from hypothesis import given
from hypothesis import strategies as st

from loadtests.crowd.__main__ import PROFILES, times
from loadtests.crowd.report import Second, figures, kept
from loadtests.run import conditions


def second(at: float, actions: float, p99: float = 5.0) -> Second:
    return Second(at, 3, actions, 2.0, p99, 1, 10.0, {"gateway": 0.5, "session": 1.5})


def test_figures_are_the_medians_of_the_seconds_in_which_something_happened():
    made = figures([second(1, 100), second(2, 300), second(3, 200, 9.0), second(4, 0, math.nan)], [0.1, 0.3])
    assert made["accepted actions/s, median"] == "200"
    assert made["accepted actions/s, best second"] == "300"
    assert made["p99, worst second"] == "9.0 ms"
    assert made["actions per CPU second of all processes"] == "100"
    assert made["refused"] == "4"
    assert made["until the game shows, p50"] == "200 ms"


def test_a_second_without_accepted_actions_is_reported():
    assert figures([second(1, 0)], []) == {"accepted actions": "none"}


def test_a_kept_report_has_its_figures_its_conditions_and_each_second():
    made = kept([second(1, 100), second(2, 120)], conditions({"people": 7, "endpoint": "grpc", "grpc": ""}), [])
    assert made["conditions"]["people"] == "7"
    assert "CPUs" in made["conditions"]
    assert "grpc" not in made["conditions"]
    assert made["figures"]["accepted actions/s, median"] == "110"
    assert [one["cpu"] for one in made["seconds"]] == [{"gateway": 0.5, "session": 1.5}] * 2


@given(st.sampled_from(PROFILES), st.integers(1, 500), st.floats(1, 1000))
def test_everybody_plays_for_a_while_and_somebody_from_the_beginning(profile, crowd, seconds):
    spans = [times(profile, number, crowd, seconds) for number in range(crowd)]
    assert all(0 <= begin < end <= seconds for begin, end in spans)
    assert list(spans[0]) == [0.0, seconds]
    assert max(end for _, end in spans) == seconds
