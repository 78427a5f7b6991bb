"""The cases on transports."""

import pytest

from brettwerk_games.rules.wec.actions import Route
from brettwerk_games.rules.wec.options import TransportStart
from brettwerk_games.rules.wec.transits import route
from tests.brettwerk_games.rules.wec.boards import Table, sq


def test_case_31_bike() -> None:
    table = Table("B FP[BI](3,3)").travel("FP", "(3,3)", "BI", "(6,3)").idle()
    for ply, square in ((2, "(4,3)"), (3, "(4,3)"), (4, "(5,3)"), (5, "(5,3)"), (6, "(6,3)")):
        assert table.until(ply).there(square) == ["B FP"]
    assert table.find("FP", "(6,3)").transit is None
    assert table.carried("FP", "(6,3)") == ["BI"]
    table.until(7)
    assert table.travelling("FP", "(6,3)", "BI", "(7,3)") in table.legal()


@pytest.mark.parametrize(("transport", "level"), [("JP", "Air"), ("SC", "Sub")])
def test_case_32_jump_pack_and_scuba(transport: str, level: str) -> None:
    table = Table(f"B CL>[{transport}](3,3)").travel("CL", "(3,3)", transport, "(4,4)")
    assert table.until(2).there(f"(3,3) {level}") == ["B CL"]
    assert table.until(4).there(f"(4,4) {level}") == ["B CL"]
    assert table.until(6).there("(4,4)") == ["B CL"]
    assert table.find("CL", "(4,4)").transit is None


@pytest.mark.parametrize(
    ("source", "target", "way", "expected"),
    [
        ("(3,3)", "(5,8)", Route.BEELINE, "(3,4) (4,5) (4,6) (5,7) (5,8)"),
        ("(3,3)", "(5,8)", Route.PORT, "(4,4) (5,5) (5,6) (5,7) (5,8)"),
        ("(3,3)", "(5,8)", Route.STARBOARD, "(3,4) (3,5) (3,6) (4,7) (5,8)"),
        ("(3,3)", "(6,3)", Route.BEELINE, "(4,3) (5,3) (6,3)"),
        ("(3,3)", "(6,3)", Route.PORT, "(4,3) (5,3) (6,3)"),
        ("(3,3)", "(6,3)", Route.STARBOARD, "(4,3) (5,3) (6,3)"),
        ("(5,8)", "(3,3)", Route.PORT, "(4,7) (3,6) (3,5) (3,4) (3,3)"),
    ],
)
def test_case_33_routes(source: str, target: str, way: Route, expected: str) -> None:
    assert route(sq(source), sq(target), way) == tuple(map(sq, expected.split()))


@pytest.mark.parametrize("guard", [False, True])
def test_case_34_crash_on_the_way(guard: bool) -> None:
    table = Table("B CL>[JP](3,3)", "W JE(5,4) Air", *(["W RP(4,3)"] if guard else []))
    table.travel("CL", "(3,3)", "JP", "(6,3)").idle()
    table.idle().idle()
    assert table.there("(4,3) Air") == ["B CL"]
    table.move("JE", "(5,4) Air", "(5,3) Air").end()
    table.idle()
    assert table.there("(5,3) Air") == ["W JE"]
    if guard:
        assert table.there("(4,3)") == ["W RP"]
        assert table.lying("(4,3)") == ["JP"]
    else:
        assert table.there("(4,3)") == ["B CL"]
        assert table.find("CL", "(4,3)").transit is None


def test_case_35_landing_on_an_enemy() -> None:
    table = Table("B CL>[JP](3,3)", "W DS(5,5)").travel("CL", "(3,3)", "JP", "(4,4)").idle()
    table.idle().idle()
    table.move("DS", "(5,5)", "(4,4)").end()
    table.idle()
    assert table.there("(4,4)") == ["W DS"]
    assert table.there("(4,4) Air") == []
    assert table.lying("(4,4)") == ["JP"]


def test_case_37_leaving_a_carrier_in_flight() -> None:
    table = Table("B CH>(5,5) Air", "B CL>[JP](5,5) Air")
    assert table.refused(table.travelling("CL", "(5,5) Air", "JP", "(5,8)")) == "WEC-TRAN-8"
    free = Table("B CH>(5,5) Air", "B CL>[JP](5,5) Air", transport_start=TransportStart.ALSO_FROM_CARRIER)
    free.travel("CL", "(5,5) Air", "JP", "(5,8)").idle()
    assert free.there("(5,6) Air") == ["B CL"]


def test_case_38_transit_and_move_exclude_each_other() -> None:
    moved = Table("B TA>[BI](3,3)").move("TA", "(3,3)", "(4,3)")
    assert moved.refused(moved.travelling("TA", "(4,3)", "BI", "(8,3)")) == "WEC-TRAN-2"
    table = Table("B TA>[BI](3,3)", "B FP(3,4)").travel("TA", "(3,3)", "BI", "(8,3)")
    for _ in range(2):
        where = "(3,3)" if table.position.ply == 1 else "(4,3)"
        assert table.refused(table.moving("TA", where, "(9,3)")) == "WEC-RUL-35"
        assert table.firing("TA", where, "FL", (1, 0)) in table.legal()
        assert table.refused(table.dropping("TA", where, "BI")) == "WEC-RUL-17"
        assert table.refused(table.giving("TA", where, "BI", "FP", "(3,4)")) == "WEC-ITEM-3"
        table.until(table.position.ply + 2)
