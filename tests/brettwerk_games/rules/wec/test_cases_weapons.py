"""The cases on weapons."""

from brettwerk_games.rules.wec.actions import EndTurn
from brettwerk_games.rules.wec.options import Government
from brettwerk_games.rules.wec.position import End
from tests.brettwerk_games.rules.wec.boards import Table, sq


def test_case_39_flame() -> None:
    for reach in (1, 2):
        table = Table("B TA>(4,4)", "W RP(5,4)", "W DS(5,4)", "W JE(5,4) Air", "B STP(6,4)", flame_range=reach)
        table.fire("TA", "(4,4)", "FL", (1, 0)).move("DO", "(1,8)", "(1,7)")
        assert table.there("(5,4)") == ["W DS", "W RP"]
        table.end()
        assert table.there("(5,4)") == []
        assert table.there("(5,4) Air") == ["W JE"]
        assert table.there("(6,4)") == (["B STP"] if reach == 1 else [])


def test_case_41_stun_hits_the_first_occupied_square_seen_or_not() -> None:
    table = Table("B STP(3,3)", "W JE(4,3) Air", "W AAA(5,3)", "W Q(7,3)")
    table.fire("STP", "(3,3)", "ST", (1, 0)).idle()
    assert table.find("AAA", "(5,3)").stunned == 7
    assert not table.find("JE", "(4,3) Air").stunned
    assert not table.find("Q", "(7,3)").stunned
    assert not table.sees(0, "AAA", "(5,3)")


def test_case_42_own_pieces_can_be_stunned() -> None:
    table = Table("B STP(3,3)", "B CL>(4,3)").fire("STP", "(3,3)", "ST", (1, 0)).idle()
    for ply in (3, 5, 7):
        assert not table.until(ply).targets("CL", "(4,3)")
        assert table.refused(table.firing("CL", "(4,3)", "CS", (1, 0))) == "WEC-FIRE-7"
    assert table.until(9).targets("CL", "(4,3)")


def test_case_43_stun_does_not_add_up() -> None:
    for again in (True, False):
        table = Table("B STP(3,3)", "W TA<(6,3)").fire("STP", "(3,3)", "ST", (1, 0)).idle()
        free = 12 if again else 8
        while table.position.ply < free:
            if table.position.ply == 5 and again:
                table.fire("STP", "(3,3)", "ST", (1, 0))
            if table.seat == 1:
                assert not table.targets("TA", "(6,3)"), table.position.ply
            table.idle()
        assert table.targets("TA", "(6,3)")


def test_case_45_conversion() -> None:
    table = Table("B CL>(4,4)", "W RP[BI](4,5)", "W DS(4,5)").fire("CL", "(4,4)", "CS", (0, 1)).idle()
    assert table.there("(4,5)") == ["B DS", "B RP"]
    assert table.carried("RP", "(4,5)") == ["BI"]
    assert table.until(3).targets("RP", "(4,5)") == {"(5,4)", "(5,6)"}


def test_case_46_converting_the_primary() -> None:
    table = Table("B CL>(9,1)").fire("CL", "(9,1)", "CS", (1, 0)).idle()
    assert table.position.end is End.CONVERTED and table.position.winner == 0
    pieces = ("B CL>(9,1)", "W DI(10,1)", "B K(1,10)", "B DO(1,8)", "W DO(10,3)")
    other = Table(*pieces, base=False, government_white=Government.DICTATORSHIP).fire("CL", "(9,1)", "CS", (1, 0)).idle()
    assert other.position.winner is None
    assert other.there("(10,1)") == ["W DI"]


def test_case_47_flight_of_a_rocket() -> None:
    for target, left in (("W TA>(5,5)", []), ("W RP(5,5)", ["W RP"])):
        table = Table("B RP(2,5)", target).fire("RP", "(2,5)", "RL", (1, 0)).idle()
        assert [p.square for p in table.position.projectiles] == [sq("(3,5)")]
        assert [p.square for p in table.idle().position.projectiles] == [sq("(4,5)")]
        table.idle()
        assert table.there("(5,5)") == left
        assert not table.position.projectiles


def test_case_49_fratricide() -> None:
    table = Table("B RP(2,5)", "B CL>(3,5)").fire("RP", "(2,5)", "RL", (1, 0)).idle()
    assert table.there("(3,5)") == []


def test_case_50_edge_of_the_board() -> None:
    table = Table("B RP(2,10)", "B RP(2,9)")
    first = table.find("RP", "(2,10)")
    assert table.refused(table.firing("RP", "(2,10)", "RL", (0, 1))) == "WEC-RUL-8"
    table.fire("RP", "(2,9)", "RL", (0, 1)).idle()
    assert table.find("RP", "(2,10)").id == first.id
    assert not table.position.projectiles
    alone = Table("B RP(2,9)").fire("RP", "(2,9)", "RL", (0, 1)).idle()
    assert [p.square for p in alone.position.projectiles] == [sq("(2,10)")]
    assert not alone.idle().position.projectiles


def test_case_51_launchers_ignore_the_firing_level() -> None:
    table = Table("B CH>(5,5) Air", "B RP(5,5) Air", "W DS(6,5)", "W JE(6,5) Air")
    table.fire("RP", "(5,5) Air", "RL", (1, 0)).idle()
    assert table.there("(6,5)") == []
    assert table.there("(6,5) Air") == ["W JE"]


def test_case_53_homing_torpedo_needs_a_seen_target() -> None:
    table = Table("B DS(3,3)", "W SU(5,5) Sub", "W SU(7,7) Sub")
    assert table.sees(0, "SU", "(5,5) Sub")
    assert not table.sees(0, "SU", "(7,7) Sub")
    assert table.firing("DS", "(3,3)", "TL", (1, 1)) in table.legal()
    assert table.refused(table.homing("DS", "(3,3)", "TL", "SU", "(7,7) Sub")) == "WEC-FIRE-HOMING-1"
    table.play(table.homing("DS", "(3,3)", "TL", "SU", "(5,5) Sub")).idle()
    assert [p.homing for p in table.position.projectiles] == [True]
    table.move("SU", "(5,5) Sub", "(5,5)").end()
    assert [p.homing for p in table.position.projectiles] == [False]
    assert table.position.projectiles[0].square == sq("(5,5)")


def test_case_54_off_level_rocket() -> None:
    table = Table("B JE(5,5) Air", "W CL>(5,5)")
    table.play(table.striking("JE", "(5,5) Air", "(5,5)")).idle()
    assert table.there("(5,5)") == []
    assert not table.position.projectiles
    empty = Table("B JE(5,5) Air")
    assert empty.refused(empty.striking("JE", "(5,5) Air", "(5,5)")) == "WEC-RUL-15"
    low = Table("B JE(5,5)")
    assert low.refused(low.striking("JE", "(5,5)", "(5,5)")) == "WEC-RUL-15"
    aside = Table("B JE(5,5) Air", "W CL>(5,6)")
    assert aside.refused(aside.striking("JE", "(5,5) Air", "(5,6)")) == "WEC-RUL-15"
    far = Table("B JE(5,5) Air", "W CL>(5,6)", off_level_rocket_range=1)
    assert far.striking("JE", "(5,5) Air", "(5,6)") in far.legal()


def test_case_55_off_level_strength_3() -> None:
    for armour, left in (("XXX,ARL", []), ("XXX,ARL,ARL", ["W RP"])):
        table = Table("B JE[XXX,RL,RL](5,5) Air", f"W RP[{armour}](5,5)")
        table.play(table.striking("JE", "(5,5) Air", "(5,5)"))
        assert table.position.turn.fires == 1
        assert [hit.times for hit in table.position.turn.hits] == [3]
        assert table.idle().there("(5,5)") == left


def test_case_57_countdown_goes_with_the_article() -> None:
    table = Table("B FP[ST](4,4)", "W TA<(4,7)").fire("FP", "(4,4)", "ST", (1, 0))
    table.play(table.dropping("FP", "(4,4)", "ST")).idle()
    table.move("TA", "(4,7)", "(4,4)").play(table.picking("TA", "(4,4)", "ST"))
    assert table.refused(table.firing("TA", "(4,4)", "ST", (1, 0))) == "WEC-FIRE-RATE-1"
    table.end().until(4)
    assert table.refused(table.firing("TA", "(4,4)", "ST", (1, 0))) == "WEC-FIRE-RATE-1"
    assert table.until(6).firing("TA", "(4,4)", "ST", (1, 0)) in table.legal()


def test_case_58_fires_per_turn() -> None:
    table = Table("B TA>[ST](4,4)", "B JE(6,6) Air", "W CL>(6,6)", "W JE(6,8) Air")
    table.fire("TA", "(4,4)", "FL", (1, 0))
    assert table.refused(table.firing("TA", "(4,4)", "FL", (-1, 0))) == "WEC-RUL-13"
    table.fire("TA", "(4,4)", "ST", (1, 0))
    assert table.refused(table.firing("JE", "(6,6) Air", "SL", (1, 0))) == "WEC-FIRE-2"
    jet = Table("B JE(6,6) Air", "W CL>(6,6)", "W JE(6,8) Air")
    jet.play(jet.homing("JE", "(6,6) Air", "SL", "JE", "(6,8) Air"))
    assert jet.refused(jet.striking("JE", "(6,6) Air", "(6,6)")) == "WEC-RUL-13"
    assert EndTurn() not in jet.legal()
