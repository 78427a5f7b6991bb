"""The mix of tables: more demand is what less demand is, and some more, and comes to what was asked for."""

from hypothesis import given
from hypothesis import strategies as st

from loadtests.computers.mix import MIX, Company, alone, named_s, tables

COSTS = {kind.at: named_s(kind) for kind in MIX}
DEMANDS = st.floats(0.01, 400)


@given(DEMANDS, DEMANDS, st.floats(0.1, 20))
def test_the_tables_for_less_demand_are_the_beginning_of_those_for_more(one: float, other: float, pause_s: float) -> None:
    less, more = (tables(MIX, demand, COSTS, pause_s) for demand in sorted((one, other)))
    assert more[: len(less)] == less


@given(DEMANDS, st.floats(0.1, 20))
def test_tables_want_what_was_asked_for_or_up_to_one_place_more(demand: float, pause_s: float) -> None:
    wanted = sum(kind.wants(COSTS, pause_s) for kind in tables(MIX, demand, COSTS, pause_s))
    assert demand <= wanted + 1e-6
    assert wanted <= demand + 1 + 1e-6


def test_kinds_occur_by_their_weight() -> None:
    made = tables(MIX, 1000, COSTS, 2.0)
    weights = sum(kind.weight for kind in MIX)
    for kind in MIX:
        assert abs(made.count(kind) - len(made) * kind.weight / weights) <= 1


def test_capacity_is_measured_with_every_level_and_without_anybody() -> None:
    assert {kind.at for kind in alone()} == {kind.at for kind in MIX}
    assert {kind.company for kind in alone()} == {Company.NOBODY}
