"""The cases on movement, carrying and dozing, numbered as in the specification's test positions."""

import pytest

from brettwerk_games.rules.wec.actions import Move
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.movement import ways
from brettwerk_games.rules.wec.options import Movement, PawnVariant
from tests.brettwerk_games.rules.wec.boards import Table, at


def squares(text: str) -> set[str]:
    return set(text.split())


def test_case_1_right_handed_panzer() -> None:
    seven = squares("(3,4) (4,4) (5,4) (6,4) (7,5) (8,6) (9,7) (2,5) (2,6) (2,7) (2,8) (1,9) (1,4) (2,3) (2,2) (2,1)")
    assert Table("B TA>(2,4)").targets("TA", "(2,4)") == seven
    assert len(seven) == 16
    assert Table("B TA>(2,4)", panzer_range=6).targets("TA", "(2,4)") == seven - {"(9,7)"}
    assert Table("B TA>(2,4)", panzer_range=8).targets("TA", "(2,4)") == seven | {"(10,8)"}


def test_case_2_left_handed_panzer() -> None:
    expected = squares("(3,4) (4,4) (5,4) (6,4) (7,3) (8,2) (9,1) (2,5) (2,6) (2,7) (2,8) (3,9) (4,10) (1,4) (2,3) (2,2) (2,1)")
    assert Table("B TA<(2,4)").targets("TA", "(2,4)") == expected
    assert len(expected) == 17


def test_case_3_whites_frame_is_turned() -> None:
    expected = squares("(8,7) (7,7) (6,7) (5,7) (4,6) (3,5) (2,4) (9,6) (9,5) (9,4) (9,3) (10,2) (10,7) (9,8) (9,9) (9,10)")
    assert Table("W TA>(9,7)", ply=2).targets("TA", "(9,7)") == expected


def test_case_5_left_handed_cleric() -> None:
    expected = squares("(2,4) (3,5) (4,6) (5,7) (6,8) (7,7) (8,6) (2,2) (3,1)")
    assert Table("B CL<(1,3)").targets("CL", "(1,3)") == expected
    assert Table("B CL<(1,3)", cleric_range=8).targets("CL", "(1,3)") == expected | {"(9,7)"}


def test_case_6_queen_with_two_ranges() -> None:
    seven = Table("B Q(2,5)", "W FP(3,6)", queen_cleric_range=8).targets("Q", "(2,5)")
    six = Table("B Q(2,5)", "W FP(3,6)", queen_cleric_range=8, queen_panzer_range=6).targets("Q", "(2,5)")
    assert "(9,8)" in seven
    assert "(9,8)" not in six
    assert "(3,6)" in six


def test_case_7_pawn_on_its_origin_square() -> None:
    assert Table("B FP(2,3)!", "W RP(3,3)", "W RP(2,4)").targets("FP", "(2,3)") == squares("(3,2) (3,4) (4,1) (4,5) (3,3) (2,4)")
    with_cleric = Table("B FP(2,3)!", "W RP(3,3)", "W RP(2,4)", "W CL>(3,4)")
    assert with_cleric.targets("FP", "(2,3)") == squares("(3,2) (4,1) (3,3) (2,4)")


def test_case_9_pawn_in_standard_chess() -> None:
    chess = {"movement": Movement.STANDARD_CHESS}
    assert Table("B FP(2,3)!", **chess).targets("FP", "(2,3)") == squares("(3,3) (4,3)")
    assert not Table("B FP(2,3)!", "W RP(3,3)", **chess).targets("FP", "(2,3)")
    assert Table("B FP(2,3)!", "W RP(3,4)", **chess).targets("FP", "(2,3)") == squares("(3,3) (4,3) (3,4)")
    assert not Table("B FP(10,5)", **chess).targets("FP", "(10,5)")


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (PawnVariant.ALL_SIDES_AND_FORWARD, "(5,4) (5,6) (6,4) (6,5) (6,6)"),
        (PawnVariant.ALL_FORWARD, "(6,4) (6,5) (6,6)"),
        (PawnVariant.ALL_BUT_FRONT, "(5,4) (5,6) (6,4) (6,6)"),
    ],
)
def test_case_10_pawn_variants_of_mass_destruction(variant: PawnVariant, expected: str) -> None:
    more = {"movement": Movement.MASS_DESTRUCTION, "pawn_variant": variant}
    assert Table("B FP(5,5)!", **more).targets("FP", "(5,5)") == squares(expected)
    for square in squares(expected):
        assert Table("B FP(5,5)!", f"W RP{square}", **more).targets("FP", "(5,5)") == squares(expected)


def test_case_11_a_path_ends_at_the_edge() -> None:
    assert Table("B TA>(1,1)", movement=Movement.MASS_DESTRUCTION).targets("TA", "(1,1)") == squares("(2,2) (3,1)")


def test_case_13_chopper_targets_and_levels() -> None:
    ground = squares("(3,3) (3,4) (3,7) (4,7) (6,3) (7,3) (7,6) (7,7)")
    assert Table("B CH>(5,5)").targets("CH", "(5,5)") == ground | {f"^{square}" for square in ground}
    assert Table("B CH>(5,5) Air").targets("CH", "(5,5) Air") == ground


def test_case_14_choppers_way_through_space() -> None:
    air = Table("B CH>(5,5)", "W DS(6,6)")
    assert "(7,7)" in air.targets("CH", "(5,5)")
    assert "(7,7)" in Table("B CH>(5,5)", "W JE(6,6) Air").targets("CH", "(5,5)")
    both = Table("B CH>(5,5)", "W DS(6,6)", "W JE(6,6) Air").targets("CH", "(5,5)")
    assert "(7,7)" not in both
    assert "(7,6)" in both
    assert "(7,7)" not in Table("B CH>(5,5)", "W DS(6,6)", "W JE(5,5) Air").targets("CH", "(5,5)")
    way = ways(Field(both_board := air.position.pieces), air.position.options, air.find("CH", "(5,5)"))[at("(7,7)")]
    assert both_board
    assert way == (at("(5,5) Air"), at("(6,6) Air"), at("(7,7) Air"), at("(7,7)"))


def test_case_15_jet() -> None:
    assert Table("B JE(5,5)").targets("JE", "(5,5)") == {"^(5,5)"}
    free = Table("B JE(5,5) Air").targets("JE", "(5,5) Air")
    assert len(free) == 17
    assert "(5,5)" in free
    blocked = Table("B JE(5,5) Air", "W JE(6,5) Air").targets("JE", "(5,5) Air")
    assert free - blocked == {"^(6,5)", "^(7,5)"}
    assert "(5,5)" not in Table("B JE(5,5) Air", "B FP(5,5)").targets("JE", "(5,5) Air")
    assert "(5,5)" not in Table("B JE(5,5) Air", "W FP(5,5)").targets("JE", "(5,5) Air")
    assert "(5,5)" in Table("B JE(5,5) Air", "B DO(5,5)").targets("JE", "(5,5) Air")


def test_case_17_only_a_piece_with_own_power_moves_off_the_ground() -> None:
    table = Table("B CH>(5,5) Air", "B FP(5,5) Air")
    assert not table.targets("FP", "(5,5) Air")
    assert not table.targets("CH", "(5,5) Air")
    assert table.targets("CH", "(5,5) Air", carry=True)
    assert table.refused(table.moving("FP", "(5,5) Air", "(6,4) Air")) == "WEC-MOVE-7"
    assert table.refused(table.moving("CH", "(5,5) Air", "(7,7)")) == "WEC-CARRY-3"


def test_case_18_running_into_a_hidden_piece() -> None:
    table = Table("B TA>(2,4)", "W AAA(4,4)")
    assert not table.sees(0, "AAA", "(4,4)")
    table.move("TA", "(2,4)", "(6,4)")
    assert table.there("(4,4)") == ["B TA"]
    table.end()
    assert table.string().startswith("MV:TA(2,4)>->(6,4)")
    assert "TA*AAA(4,4)0W" in table.string()


def test_case_19_bump() -> None:
    table = Table("W AAA(2,8)")
    table.move("DO", "(1,8)", "(2,8)")
    assert table.there("(1,8)") == ["B DO"]
    assert table.refused(table.moving("DO", "(1,8)", "(1,7)")) == "WEC-TURN-1"
    assert table.sees(0, "AAA", "(2,8)")
    table.end()
    assert not table.sees(0, "AAA", "(2,8)")
    table.idle()
    assert not table.sees(0, "AAA", "(2,8)")


def test_case_21_sharing_a_level() -> None:
    table = Table("B CL>(5,5)", "B TA>(5,3)", "B DO(6,6)", "B AAA(5,6)")
    assert "(5,5)" not in table.targets("TA", "(5,3)")
    assert "(5,5)" in table.targets("DO", "(6,6)")
    table.move("DO", "(6,6)", "(5,5)").end().idle()
    assert "(5,5)" not in table.targets("AAA", "(5,6)")


def test_case_22_chopper_and_jet() -> None:
    together = Table("B CH<(1,4)", "B JE(1,4)").move("CH", "(1,4)", "(3,3) Air", carry=True)
    assert together.there("(3,3) Air") == ["B CH", "B JE"]
    alone = Table("B CH<(1,4)", "B JE(1,4)").move("CH", "(1,4)", "(3,3) Air")
    assert alone.there("(3,3) Air") == ["B CH"]
    assert alone.there("(1,4)") == ["B JE"]


def test_case_23_a_passenger_in_air_must_come_along() -> None:
    table = Table("B CH<(3,3) Air", "B FP(3,3) Air", "B DS(5,2)")
    assert not table.targets("CH", "(3,3) Air")
    found = table.targets("CH", "(3,3) Air", carry=True)
    assert "(5,1)" in found
    assert "(5,2)" not in found
    assert not any(target.startswith("^") for target in found)


def test_case_25_losing_the_carrier() -> None:
    sam = (1, 5, "(6,5)", (-1, 0), 1)
    table = Table("B CH>(5,5) Air", "B FP[ASL](5,5) Air", rockets=[sam]).idle()
    assert table.there("(5,5)") == ["B FP"]
    assert table.there("(5,5) Air") == []
    assert not table.position.projectiles
    blocked = Table("B CH>(5,5) Air", "B FP[ASL](5,5) Air", "W RP(5,5)", rockets=[sam]).idle()
    assert blocked.there("(5,5)") == ["W RP"]
    assert blocked.lying("(5,5)") == ["ASL"]


def test_case_26_dozing() -> None:
    table = Table("B DO(4,4)", "B FP(4,4)!", "B RP(5,4)", "B STP(4,5)")
    table.play(table.dozing("(4,4)", (1, 0), "(5,4)", "(4,5)"))
    assert table.there("(5,4)") == ["B DO", "B FP"]
    assert table.there("(6,4)") == ["B RP"]
    assert table.there("(5,5)") == ["B STP"]
    assert table.refused(Move(table.find("RP", "(6,4)").id, at("(7,5)"))) == "WEC-TURN-1"
    table.end().idle()
    assert table.targets("FP", "(5,4)") == {"(6,3)", "(6,5)"}


def test_case_27_a_doze_needs_a_companion() -> None:
    table = Table("B DO(4,4)", "B RP(5,4)")
    assert table.refused(table.dozing("(4,4)", (1, 0), "(5,4)")) == "WEC-DOZE-1"
    assert len(table.targets("DO", "(4,4)")) == 8


def test_case_29_dozing_enemies_and_the_edge() -> None:
    table = Table("B DO(5,5)", "B FP(5,5)", "W CL>(5,6)")
    table.play(table.dozing("(5,5)", (0, 1), "(5,6)"))
    assert table.there("(5,7)") == ["W CL"]
    assert table.there("(5,6)") == ["B DO", "B FP"]
    gentle = Table("B DO(5,5)", "B FP(5,5)", "W CL>(5,6)", doze_enemies=False)
    assert gentle.refused(gentle.dozing("(5,5)", (0, 1), "(5,6)")) == "WEC-OPT-22"
    assert gentle.refused(gentle.dozing("(5,5)", (0, 1))) == "WEC-DOZE-5"
    edge = Table("B DO(5,9)", "B FP(5,9)", "B RP(6,10)")
    assert edge.refused(edge.dozing("(5,9)", (0, 1), "(6,10)")) == "WEC-DOZE-5"
    edge.play(edge.dozing("(5,9)", (0, 1)))


def test_case_30_dozing_into_a_hidden_piece() -> None:
    table = Table("B DO(5,5)", "B FP(5,5)", "W AAA(6,5)")
    table.play(table.dozing("(5,5)", (1, 0)))
    assert table.there("(5,5)") == ["B DO", "B FP"]
    assert table.sees(0, "AAA", "(6,5)")
    assert table.refused(table.moving("DO", "(1,8)", "(1,7)")) == "WEC-TURN-1"
    table.end()
    assert not table.sees(0, "AAA", "(6,5)")
