"""The order of the end of a Turn, E1 to E8, where it can be told apart (WEC-RUL-2)."""

from brettwerk_games.rules.wec import rules
from brettwerk_games.rules.wec.actions import EndTurn
from brettwerk_games.rules.wec.kinds import Kind
from brettwerk_games.rules.wec.options import Movement
from brettwerk_games.rules.wec.position import End
from tests.brettwerk_games.rules.wec.boards import ROCKET, SAM, Table, sq


def test_e1_before_e2_a_traveller_goes_away_from_a_projectile_or_into_it() -> None:
    away = Table("B FP[BI](3,3)", rockets=[(1, ROCKET, "(3,3)", (1, 0), 1)]).travel("FP", "(3,3)", "BI", "(3,6)").idle()
    assert away.there("(3,4)") == ["B FP"]
    into = Table("B FP[BI](3,3)", rockets=[(1, ROCKET, "(3,4)", (1, 0), 1)]).travel("FP", "(3,3)", "BI", "(3,6)").idle()
    assert into.there("(3,4)") == [] and into.lying("(3,4)") == ["BI"]
    assert not into.position.projectiles


def test_e2_before_e3_a_rocket_that_explodes_on_its_square_does_not_advance() -> None:
    table = Table("B DS(3,8)", "B DS(2,8)", rockets=[(1, ROCKET, "(3,8)", (-1, 0), 1)]).idle()
    assert table.there("(3,8)") == [] and table.there("(2,8)") == ["B DS"]


def test_e5_destroyed_pieces_are_not_converted_too() -> None:
    table = Table("W CL<(5,4)", "B TA>(4,4)", "B CL>(5,5)").fire("TA", "(4,4)", "FL", (1, 0))
    assert "CS*" not in table.fire("CL", "(5,5)", "CS", (0, -1)).idle().string()


def test_e5_a_converted_pawn_has_no_origin_mark() -> None:
    table = Table("B CL>(4,4)", "W RP(4,5)!").fire("CL", "(4,4)", "CS", (0, 1)).idle()
    assert not table.find("RP", "(4,5)").origin


def test_e7_and_e8_forget_what_is_over() -> None:
    table = Table("B STP(3,6)", "W TA<(6,6)", stun_duration=1).fire("STP", "(3,6)", "ST", (1, 0)).idle()
    assert table.find("TA", "(6,6)").stunned == 3 and not table.position.turn.hits
    assert table.until(4).find("TA", "(6,6)").stunned == 0
    assert table.until(5).find("STP", "(3,6)").ready == (0, 0)


def test_a_blocked_start_of_a_transit_is_no_change_of_place() -> None:
    table = Table("B FP[JP](3,3)!", "W JE(3,3) Air").travel("FP", "(3,3)", "JP", "(6,3)").idle()
    assert table.find("FP", "(3,3)").origin


def test_a_view_never_tells_the_origin_mark_of_an_enemy() -> None:
    table = Table("W FP(5,5)!")
    assert not any(piece.origin for piece in table.view(0).pieces)
    assert any(piece.origin for piece in table.view(1).pieces)


def test_a_marker_goes_when_its_piece_is_known_to_be_gone() -> None:
    table = Table("B SHP(4,4)", "B TA>(8,2)", "W AAA(7,7)", ply=2).move("AAA", "(7,7)", "(8,8)").end()
    assert len(table.view(0).memory.marks) == 1
    table.position = table.position._replace(
        pieces=tuple(p._replace(place=sq("(8,5)")) if p.kind == Kind.AAA else p for p in table.position.pieces)
    )
    table.move("TA", "(8,2)", "(8,6)")
    assert table.there("(8,5)") == ["B TA"]
    assert table.view(0).memory.marks == ()


def test_rul_48_waits_for_stunned_pieces_and_projectiles() -> None:
    pawns = ("B FP(10,1)", "W FP(1,1)")
    for more, end in (({}, End.STUCK), ({"rockets": [(0, ROCKET, "(5,1)", (0, 1), 1)]}, End.ON)):
        table = Table(*pawns, base=False, movement=Movement.STANDARD_CHESS, **more)
        assert table.play(EndTurn()).play(EndTurn()).position.end == end
    for until, end in ((2, End.STUCK), (3, End.ON)):
        table = Table(*pawns, base=False, movement=Movement.STANDARD_CHESS)
        stunned = tuple(p._replace(stunned=until) if p.seat == 0 else p for p in table.position.pieces)
        table.position = table.position._replace(pieces=stunned)
        assert table.play(EndTurn()).play(EndTurn()).position.end == end
    assert rules.END_RULE[End.STUCK] == "WEC-RUL-48"


def test_e3_sams_are_not_stopped_by_the_ground() -> None:
    table = Table("W DS(5,5)", rockets=[(0, SAM, "(4,5)", (1, 0), 1)]).idle()
    assert [p.square for p in table.position.projectiles] == [sq("(5,5)")]
