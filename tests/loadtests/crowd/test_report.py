import math
import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from loadtests.crowd.__main__ import PROFILES, times
from loadtests.crowd.report import Second, conditions, figures, page, plot


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


def test_nothing_accepted_is_said():
    assert figures([second(1, 0)], []) == {"accepted actions": "none"}


numbers = st.floats(0, 1e6) | st.just(math.nan)


@given(st.dictionaries(st.text(max_size=8), st.lists(st.tuples(st.floats(0, 1000), numbers), max_size=20), max_size=4))
def test_a_plot_is_a_picture_whatever_the_values(lines):
    text = plot("some <title>", "a & b", lines)
    printable = "".join(one for one in text if one.isprintable())
    drawn = ElementTree.fromstring(printable)
    for line in drawn.iter("polyline"):
        assert all(math.isfinite(float(number)) for point in line.get("points", "").split() for number in point.split(","))


def test_a_page_has_its_figures_its_conditions_and_a_plot_of_each_part():
    text = page("A crowd", conditions({"people": 7, "endpoint": "grpc", "grpc": ""}), [second(1, 100), second(2, 120)], [])
    for word in ("people", "<td>7", "CPUs", "gateway", "session", "110"):
        assert word in text
    assert "<th>grpc<" not in text


@given(st.sampled_from(PROFILES), st.integers(1, 500), st.floats(1, 1000))
def test_everybody_plays_for_a_while_and_somebody_from_the_beginning(profile, crowd, seconds):
    spans = [times(profile, number, crowd, seconds) for number in range(crowd)]
    assert all(0 <= begin < end <= seconds for begin, end in spans)
    assert list(spans[0]) == [0.0, seconds]
    assert max(end for _, end in spans) == seconds
