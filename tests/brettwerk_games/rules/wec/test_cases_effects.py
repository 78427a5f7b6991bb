"""The cases on stacking and effects, articles and reinforcements."""

import pytest

from tests.brettwerk_games.rules.wec.boards import ROCKET, Table


def test_case_59_one_counter_against_one_and_two_hits() -> None:
    one = Table("B FP(4,4)", "B TA>(6,4)", "W FP(5,4)").fire("FP", "(4,4)", "FL", (1, 0)).idle()
    assert one.there("(5,4)") == ["W FP"]
    two = Table("B FP(4,4)", "B TA>(6,4)", "W FP(5,4)").fire("FP", "(4,4)", "FL", (1, 0))
    assert two.fire("TA", "(6,4)", "FL", (-1, 0)).idle().there("(5,4)") == []


def test_case_61_hits_of_one_turn_only() -> None:
    near = [(0, ROCKET, "(4,5)", (1, 0), 1), (0, ROCKET, "(5,4)", (0, 1), 1)]
    assert Table("W RP(5,5)", rockets=near).idle().there("(5,5)") == []
    far = [near[0], (0, ROCKET, "(5,3)", (0, 1), 1)]
    table = Table("W RP(5,5)", rockets=far).idle().idle()
    assert table.there("(5,5)") == ["W RP"]
    assert not table.position.projectiles


def test_case_62_counters_lost_in_the_same_turn_still_count() -> None:
    table = Table("W TA<[AFL](5,4)", "B TA>(4,4)", "B STP(5,1)").fire("TA", "(4,4)", "FL", (1, 0))
    table.fire("STP", "(5,1)", "ST", (0, 1)).idle()
    assert table.there("(5,4)") == ["W TA"]
    assert table.find("TA", "(5,4)").stunned == 7
    assert table.lying("(5,4)") == ["AFL"]


def test_case_63_destruction_comes_first() -> None:
    table = Table("W CL<(5,4)", "B TA>(4,4)", "B CL>(5,5)").fire("TA", "(4,4)", "FL", (1, 0))
    assert table.fire("CL", "(5,5)", "CS", (0, -1)).idle().there("(5,4)") == []


CONVERTERS = ("B CH>(5,5) Air", "B CL>(5,5) Air")


def test_case_64_conversion_kill_passenger_resists() -> None:
    table = Table("W CH<(5,6) Air", "W CP(5,6) Air", *CONVERTERS).fire("CL", "(5,5) Air", "CS", (0, 1))
    table.move("DO", "(1,8)", "(1,7)").end()
    assert table.there("(5,6) Air") == ["B CH"]
    assert "CK*CP" in table.string()


def test_case_65_conversion_kill_carrier_resists_both_converted() -> None:
    kept = Table("W CH<[ACS](5,6) Air", "W FP(5,6) Air", *CONVERTERS).fire("CL", "(5,5) Air", "CS", (0, 1)).idle()
    assert kept.there("(5,6) Air") == ["W CH"]
    both = Table("W CH<(5,6) Air", "W FP(5,6) Air", *CONVERTERS).fire("CL", "(5,5) Air", "CS", (0, 1)).idle()
    assert both.there("(5,6) Air") == ["B CH", "B FP"]


def test_case_66_mixed_pair() -> None:
    pieces = ("W CH<(5,6) Air", "W JE[ACS](5,6) Air", *CONVERTERS, "B JE(5,8) Air", "B DS(5,7)")
    table = Table(*pieces).fire("CL", "(5,5) Air", "CS", (0, 1)).idle()
    assert table.there("(5,6) Air") == ["B CH", "W JE"]
    stay = Table(*pieces).fire("CL", "(5,5) Air", "CS", (0, 1)).idle().idle()
    assert "^(5,6)" not in stay.targets("JE", "(5,8) Air")
    assert "^(5,7)" in stay.targets("JE", "(5,8) Air")
    assert "(5,6)" in stay.targets("DS", "(5,7)")
    table.move("JE", "(5,6) Air", "(4,6) Air").end()
    assert table.there("(5,6) Air") == ["B CH"]


def test_case_67_articles_knocked_off() -> None:
    lying = ["FL(4,4)", "ST(5,3)", "CS(5,3)", "SH(5,4)"]
    table = Table("B CL>[XXX,FL,BI](4,4)", "W STP(4,8)", ply=2, articles=lying)
    table.fire("STP", "(4,8)", "ST", (0, -1)).idle()
    assert table.lying("(4,4)") == ["FL", "XXX"]
    assert table.lying("(5,4)") == ["SH", "FL"]
    assert table.lying("(5,5)") == ["BI"]
    assert table.carried("CL", "(4,4)") == []


@pytest.mark.parametrize("guard", [False, True])
def test_case_69_stunned_in_flight(guard: bool) -> None:
    table = Table("B CL>[JP](5,5)", "W CH<(5,8) Air", "W DS(6,6)").travel("CL", "(5,5)", "JP", "(5,2)").idle()
    assert table.there("(5,5) Air") == ["B CL"]
    table.fire("CH", "(5,8) Air", "ST", (0, -1))
    if guard:
        table.move("DS", "(6,6)", "(5,5)").end()
        assert table.there("(5,5)") == ["W DS"]
        assert "STK*CL" in table.string()
    else:
        table.idle()
        found = table.find("CL", "(5,5)")
        assert found.stunned == 8
        assert found.transit is None
    assert table.lying("(5,5)") == ["JP"]


def test_case_70_capacity_and_xxx() -> None:
    table = Table("B FP[FL](3,3)", articles=["XXX(3,3)", "ST(3,3)"])
    assert table.refused(table.picking("FP", "(3,3)", "ST")) == "WEC-CAP-5"
    table.play(table.picking("FP", "(3,3)", "XXX")).idle().idle()
    table.play(table.picking("FP", "(3,3)", "ST"))
    assert table.carried("FP", "(3,3)") == ["FL", "XXX", "ST"]
    assert table.refused(table.dropping("FP", "(3,3)", "XXX")) == "WEC-CAP-5"
    table.play(table.dropping("FP", "(3,3)", "FL")).idle().idle()
    assert table.dropping("FP", "(3,3)", "XXX") in table.legal()
    box = Table("B XP[ST](3,3)", articles=["XXX(3,3)", "FL(3,3)"])
    box.play(box.picking("XP", "(3,3)", "XXX")).idle().idle()
    assert box.refused(box.picking("XP", "(3,3)", "FL")) == "WEC-CAP-5"


def test_case_71_pick_up_and_drop_at_ground_only() -> None:
    air = Table("B JE[SL](5,5) Air", articles=["FL(5,5)"])
    assert air.refused(air.picking("JE", "(5,5) Air", "FL")) == "WEC-ITEM-1"
    assert air.refused(air.dropping("JE", "(5,5) Air", "SL")) == "WEC-RUL-17"
    low = Table("B JE[SL](5,5)", articles=["FL(5,5)"])
    assert low.play(low.dropping("JE", "(5,5)", "SL")).lying("(5,5)") == ["FL", "SL"]
    full = Table("B JE[SL](5,5)", articles=["FL(5,5)", "ST(5,5)"])
    assert full.refused(full.dropping("JE", "(5,5)", "SL")) == "WEC-RUL-17"


def test_case_73_articles_of_the_dead() -> None:
    table = Table("W DS[XXX,FL,ST](5,4)", "B TA>(4,4)").fire("TA", "(4,4)", "FL", (1, 0)).idle()
    assert table.lying("(5,4)") == ["XXX", "FL"]
    assert table.lying("(4,5)") == ["ST"]


def test_case_74_calling_a_reinforcement() -> None:
    table = Table("B DS(9,4)", reserves=True)
    call = table.calling("(9,4)")
    assert table.refused(call) == "WEC-RUL-19"
    table.move("DS", "(9,4)", "(8,4)").play(call)
    assert table.there("(9,4)") == ["B JE"]
    assert table.find("JE", "(9,4)").articles == ()
    assert table.refused(table.firing("JE", "(9,4)", "SL", (-1, 0))) == "WEC-RUL-19"
    assert table.refused(table.calling("(9,5)")) == "WEC-REINF-4"
    two = Table("B DS(9,4)", "B AAA(9,4)", reserves=True).move("DS", "(9,4)", "(8,4)")
    assert two.refused(two.calling("(9,4)")) == "WEC-RUL-19"
    bike = Table("B DS[BI](9,4)", reserves=True).travel("DS", "(9,4)", "BI", "(5,4)")
    assert bike.refused(bike.calling("(9,4)")) == "WEC-RUL-19"
    bike.idle().idle()
    assert bike.there("(8,4)") == ["B DS"]
    assert bike.refused(bike.calling("(9,4)")) == "WEC-RUL-19"


def test_case_75_only_in_the_turn_of_leaving() -> None:
    table = Table("B TA>(5,4)", reserves=True).move("TA", "(5,4)", "(9,4)")
    assert table.refused(table.calling("(9,4)")) == "WEC-RUL-19"
    table.end().idle().move("TA", "(9,4)", "(8,4)")
    assert table.calling("(9,4)") in table.legal()
    table.end().idle()
    assert table.refused(table.calling("(9,4)")) == "WEC-RUL-19"
