"""One test for each rule about movement, carrying, dozing and transports that the cases leave open."""

import pytest

from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import EndTurn, Route
from brettwerk_games.rules.wec.kinds import Kind
from brettwerk_games.rules.wec.options import Movement, TransportStart
from brettwerk_games.rules.wec.position import End
from tests.brettwerk_games.rules.wec.boards import SAM, Table


def test_turn_1_the_move_is_mandatory_and_made_once() -> None:
    table = Table()
    assert table.refused(EndTurn()) == "WEC-TURN-1"
    table.move("DO", "(1,8)", "(1,7)")
    assert table.refused(table.moving("K", "(1,10)", "(1,9)")) == "WEC-TURN-1"
    assert table.legal()[-1] == EndTurn()


def test_turn_9_and_rul_48_without_a_move_the_turn_ends_and_twice_is_a_draw() -> None:
    stuck = Table("B K(1,1) Sub", "B SU(1,1) Sub", "W K(10,10)", base=False)
    stuck.position = stuck.position._replace(
        pieces=tuple(p._replace(stunned=9) if p.seat == 0 else p for p in stuck.position.pieces)
    )
    assert stuck.legal() == (EndTurn(),)
    stuck.play(EndTurn())
    assert stuck.string() == "MV:--"
    assert stuck.position.end == End.ON
    assert stuck.position.idle
    assert stuck.seat == 1


def test_rul_48_a_draw_when_nobody_can_move() -> None:
    pawns = ["B FP(10,1)", "W FP(1,1)", "B K(10,9)", "B FP(10,10)", "W K(1,9)", "W FP(1,10)"]
    table = Table(*pawns, base=False, movement=Movement.STANDARD_CHESS)
    pawns_only = [p for p in table.position.pieces if p.kind != Kind.KING]
    table.position = table.position._replace(pieces=tuple(pawns_only))
    assert table.legal()[-1] == EndTurn()
    table.play(EndTurn())
    assert table.position.end == End.ON
    table.play(EndTurn())
    assert (table.position.end, table.position.winner) == (End.STUCK, None)
    result = GAME.outcome(table.position)
    assert result is not None and result.scores == (0.5, 0.5) and result.rule == "WEC-RUL-48"


def test_move_3_a_take_takes_all_enemies_on_the_level_and_counters_do_not_help() -> None:
    table = Table("B TA>(2,4)", "W FP[AFL](4,4)", "W DS(4,4)", "W JE(4,4) Air").move("TA", "(2,4)", "(4,4)")
    assert table.there("(4,4)") == ["B TA"]
    assert table.there("(4,4) Air") == ["W JE"]
    assert table.lying("(4,4)") == ["AFL"]


@pytest.mark.parametrize("code", ["DO", "DS", "AAA", "SU"])
def test_move_4_non_combat_pieces_do_not_take(code: str) -> None:
    assert "(5,6)" not in Table(f"B {code}(5,5)", "W FP(5,6)").targets(code, "(5,5)")
    assert "(5,6)" in Table("B Q(5,5)", "W FP(5,6)").targets("Q", "(5,5)")


def test_move_5_nobody_passes_through_pieces() -> None:
    assert "(4,4)" not in Table("B TA>(2,4)", "B FP(3,4)").targets("TA", "(2,4)")
    table = Table("B TA>(2,4)", "W FP(3,4)").targets("TA", "(2,4)")
    assert "(3,4)" in table and "(4,4)" not in table


def test_rul_26_a_pawn_takes_a_hidden_piece_on_a_moving_square() -> None:
    table = Table("B FP(3,3)", "W AAA(4,4)").move("FP", "(3,3)", "(4,4)")
    assert table.there("(4,4)") == ["B FP"]


def test_rul_26_a_chopper_stops_on_the_way_and_may_end_in_air() -> None:
    table = Table("B CH>(5,5)", "W JE[SH](6,6) Air").move("CH", "(5,5)", "(7,7)")
    assert table.there("(6,6) Air") == ["B CH"]
    assert table.there("(7,7)") == []


def test_rul_27_a_jet_stops_before_a_hidden_piece() -> None:
    table = Table("B JE(5,5) Air", "W JE[SH](7,5) Air").move("JE", "(5,5) Air", "(7,5) Air")
    assert table.there("(6,5) Air") == ["B JE"]
    assert table.sees(0, "JE", "(7,5) Air")
    assert "BP*JE^(7,5)1SH0W" in table.end().string()


def test_move_king_1_and_rul_63_a_king_may_go_into_danger() -> None:
    table = Table("W TA>(5,9)")
    assert table.targets("K", "(1,10)") == {"(1,9)", "(2,9)", "(2,10)"}


def test_move_sub_1_a_sub_dives_and_goes_one_square() -> None:
    table = Table("B SU(5,5)")
    assert len(table.targets("SU", "(5,5)")) == 9
    assert "v(5,5)" in table.targets("SU", "(5,5)")
    deep = Table("B SU(5,5) Sub").targets("SU", "(5,5) Sub")
    assert "(5,5)" in deep and "v(6,6)" in deep and len(deep) == 9


def test_rul_23_passengers_of_the_wrong_kind_cannot_move() -> None:
    table = Table("B SU(5,5) Sub", "B JE(5,5) Sub")
    assert table.targets("JE", "(5,5) Sub") == set()
    assert table.targets("SU", "(5,5) Sub") == set()
    assert table.targets("SU", "(5,5) Sub", carry=True)


def test_move_chopper_4_it_takes_while_carrying() -> None:
    table = Table("B CH>(5,5)", "B JE(5,5)", "W FP(7,7)").move("CH", "(5,5)", "(7,7)", carry=True)
    assert table.there("(7,7)") == ["B CH", "B JE"]


def test_rul_28_the_origin_mark_is_lost_by_any_change_of_place() -> None:
    table = Table("B CH>(5,5)", "B FP(5,5)!").move("CH", "(5,5)", "(7,7)", carry=True)
    assert not table.find("FP", "(7,7)").origin
    assert Table("B FP(2,3)!", "B RP(3,4)").targets("FP", "(2,3)") == {"(3,2)", "(4,1)"}


def test_rul_29_no_friend_may_be_where_carrier_and_passenger_go() -> None:
    table = Table("B SU(5,5)", "B FP(5,5)", "B DO(5,6)")
    assert "(5,6)" in table.targets("SU", "(5,5)")
    assert "(5,6)" not in table.targets("SU", "(5,5)", carry=True)
    assert "v(5,5)" in table.targets("SU", "(5,5)", carry=True)


def test_rul_29_being_carried_ends_a_transit() -> None:
    table = Table("B CH>(5,5)", "B FP[BI](5,5)").travel("FP", "(5,5)", "BI", "(9,5)")
    table.move("CH", "(5,5)", "(7,7)", carry=True)
    assert table.find("FP", "(7,7)").transit is None
    assert table.end().there("(7,7)") == ["B CH", "B FP"]
    assert table.carried("FP", "(7,7)") == ["BI"]


def test_doze_2_at_most_four_pieces_besides_dozer_and_companion() -> None:
    five = ["B FP(6,4)", "B RP(6,5)", "B STP(6,6)", "B CP(5,4)", "B SHP(5,6)"]
    table = Table("B DO(5,5)", "B XP(5,5)", *five)
    squares = ("(6,4)", "(6,5)", "(6,6)", "(5,4)", "(5,6)")
    assert table.refused(table.dozing("(5,5)", (1, 0), *squares)) == "WEC-DOZE-2"
    table.play(table.dozing("(5,5)", (1, 0), *squares[:4])).end()
    assert table.there("(7,4)") == ["B FP"]
    assert table.there("(6,5)") == ["B DO", "B XP"]
    assert table.there("(5,6)") == ["B SHP"]


def test_doze_5_a_blocked_direction_is_not_offered() -> None:
    table = Table("B DO(5,5)", "B FP(5,5)", "B RP(6,5)", "W CL>(4,5)")
    assert table.refused(table.dozing("(5,5)", (1, 0))) == "WEC-DOZE-5"
    assert table.refused(table.dozing("(5,5)", (-1, 0))) == "WEC-DOZE-5"
    assert table.dozing("(5,5)", (1, 0), "(6,5)") in table.legal()
    assert table.dozing("(5,5)", (-1, 0), "(4,5)") in table.legal()


def test_rul_31_dozing_ends_transits() -> None:
    table = Table("B DO(5,5)", "B FP[BI](5,5)").travel("FP", "(5,5)", "BI", "(9,5)")
    table.play(table.dozing("(5,5)", (0, 1)))
    assert table.find("FP", "(5,6)").transit is None


def test_rul_34_a_blocked_bike_stays_and_a_blocked_start_does_no_harm() -> None:
    table = Table("B FP[BI](3,3)", "W CL>(4,3)").travel("FP", "(3,3)", "BI", "(6,3)").idle()
    assert table.find("FP", "(3,3)").transit is None
    assert table.carried("FP", "(3,3)") == ["BI"]
    start = Table("B FP[JP](3,3)", "W JE(3,3) Air").travel("FP", "(3,3)", "JP", "(6,3)").idle()
    assert start.find("FP", "(3,3)").transit is None


def test_tran_3_friends_that_share_do_not_block() -> None:
    table = Table("B FP[BI](3,3)", "B DO(4,3)").travel("FP", "(3,3)", "BI", "(6,3)").idle()
    assert table.there("(4,3)") == ["B DO", "B FP"]


def test_rul_35_a_converted_traveller_goes_on_in_its_new_owners_turns() -> None:
    table = Table("B CL>(3,4)", "W RP[BI](3,3)", ply=2).travel("RP", "(3,3)", "BI", "(9,3)").idle()
    table.fire("CL", "(3,4)", "CS", (1, -1)).idle()
    assert table.there("(4,3)") == ["B RP"]
    assert table.idle().there("(4,3)") == ["B RP"]
    assert table.idle().there("(5,3)") == ["B RP"]


def test_rul_30_a_piece_without_support_falls() -> None:
    sam = (1, SAM, "(6,5)", (-1, 0), 1)
    table = Table("B CH>(5,5) Air", "B FP[ASL](5,5) Air", "B DO(5,5)", rockets=[sam]).idle()
    assert table.there("(5,5)") == ["B DO", "B FP"]
    crowded = Table("B CH>(5,5) Air", "B FP[ASL](5,5) Air", "B RP(5,5)", rockets=[sam]).idle()
    assert crowded.there("(5,5)") == ["B RP"]


def test_tran_8_scuba_from_a_carried_place() -> None:
    table = Table("B SU(5,5) Sub", "B CL>[SC](5,5) Sub", transport_start=TransportStart.ALSO_FROM_CARRIER)
    table.travel("CL", "(5,5) Sub", "SC", "(5,7)").idle()
    assert table.there("(5,6) Sub") == ["B CL"]
    assert table.until(4).there("(5,7) Sub") == ["B CL"]
    assert table.until(6).there("(5,7)") == ["B CL"]


def test_rul_14_a_transport_may_be_fired_again_when_its_transit_is_over() -> None:
    table = Table("B FP[BI](3,3)").travel("FP", "(3,3)", "BI", "(4,3)").idle().idle()
    assert table.travelling("FP", "(4,3)", "BI", "(5,3)") in table.legal()


def test_move_1_the_kind_of_movement_changes_some_pieces_only() -> None:
    same, other = [], []
    for movement in Movement:
        table = Table("B AAA(5,5)", "B SU(5,7)", "B TA>(3,3)", "B CL>(3,7)", "B CH>(7,3)", "B Q(7,7)", movement=movement)
        same.append([table.targets(code, where) for code, where in (("AAA", "(5,5)"), ("SU", "(5,7)"), ("K", "(1,10)"))])
        other.append([table.targets("TA", "(3,3)"), table.targets("CL", "(3,7)"), table.targets("CH", "(7,3)")])
    assert same[0] == same[1] == same[2]
    assert all(len({frozenset(kind[n]) for kind in other}) >= 2 for n in range(3))


def test_move_panzer_3_and_cleric_3_hands_do_not_matter_in_standard_chess() -> None:
    for code in ("TA", "CL"):
        left = Table(f"B {code}<(1,1)", movement=Movement.STANDARD_CHESS).targets(code, "(1,1)")
        right = Table(f"B {code}>(1,1)", movement=Movement.STANDARD_CHESS).targets(code, "(1,1)")
        assert left == right
    assert {"(8,1)", "(1,7)"} <= Table("B TA>(1,1)", movement=Movement.STANDARD_CHESS).targets("TA", "(1,1)")


def test_move_panzer_3_move_cleric_4_and_move_chopper_5_in_the_other_kinds() -> None:
    panzer = Table("B TA>(1,1)", movement=Movement.STANDARD_CHESS).targets("TA", "(1,1)")
    assert panzer == {f"({row},1)" for row in range(2, 9)} | {f"(1,{column})" for column in range(2, 9)}
    spiral = Table("B CL>(5,5)", movement=Movement.MASS_DESTRUCTION).targets("CL", "(5,5)")
    assert {"(6,6)", "(7,5)", "(8,4)", "(8,3)", "(8,2)", "(7,1)"} <= spiral
    knight = Table("B CH>(5,5)", "B FP(5,5)", movement=Movement.STANDARD_CHESS).targets("CH", "(5,5)", carry=True)
    assert knight == {
        level + f"({5 + rows},{5 + columns})"
        for rows, columns in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
        for level in ("", "^")
    }


def test_move_cleric_3_a_cleric_is_bound_to_no_colour() -> None:
    table = Table("B CL>[BI](3,3)").travel("CL", "(3,3)", "BI", "(4,3)", Route.BEELINE).idle()
    assert table.there("(4,3)") == ["B CL"]


def test_move_pawn_4_the_double_move_is_gone_after_the_first() -> None:
    table = Table("B FP(2,3)!").move("FP", "(2,3)", "(3,4)").end().idle()
    assert table.targets("FP", "(3,4)") == {"(4,3)", "(4,5)"}


def test_move_sub_2_a_sub_takes_nothing() -> None:
    table = Table("B SU(5,5)", "W FP(6,5)", "W SU(5,5) Sub")
    assert "(6,5)" not in table.targets("SU", "(5,5)")
    assert "v(5,5)" not in table.targets("SU", "(5,5)")
