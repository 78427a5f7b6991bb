"""Verdicts on how session processes share the load."""

from dataclasses import replace

import pytest

from loadtests.owners.balance import Share, furthest

ALIKE = Share(
    shards={"session": 8, "session2": 8},
    actions={"session": 100, "session2": 110},
    cpu_s={"session": 1.0, "session2": 1.1},
    accepted=210,
    carried_out=300,
    acknowledged=300,
)


@pytest.mark.parametrize(("values", "off"), [((5,), 0.0), ((90, 110), 0.1), ((10, 10, 40), 1.0), ((0, 0), 0.0)])
def test_the_furthest_from_the_mean_counts(values: tuple[float, ...], off: float):
    assert furthest(values) == pytest.approx(off)


def test_processes_that_share_alike_miss_nothing():
    assert ALIKE.missed() == []
    one = replace(ALIKE, shards={"session": 16}, actions={"session": 210}, cpu_s={"session": 2.0})
    assert one.missed() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"actions": {"session": 100, "session2": 140}}, "actions of one is 17%"),
        ({"cpu_s": {"session": 1.0, "session2": 1.5}}, "CPU time of one is 20%"),
        ({"shards": {"session": 9, "session2": 7}}, "shards are owned by"),
        ({"shards": {"session": 8, "session2": 7}}, "shards are owned by"),
        ({"carried_out": 301}, "301 actions were carried out, and 300 acknowledged"),
    ],
)
def test_each_bar_can_be_missed(change: dict[str, object], said: str):
    (sentence,) = replace(ALIKE, **change).missed()  # type: ignore[arg-type]
    assert said in sentence
