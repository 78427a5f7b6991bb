"""One test for each rule about weapons, projectiles, effects and articles that the cases leave open."""

import pytest

from brettwerk_games.rules.wec.actions import Exchange
from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.options import ExchangeLevels, Options
from brettwerk_games.rules.wec.position import End
from tests.brettwerk_games.rules.wec.boards import ROCKET, SAM, TORPEDO, Table, sq


def test_fire_2_two_fires_in_a_turn() -> None:
    table = Table("B FP(3,3)", "B RP(5,5)", "B STP(7,7)").fire("FP", "(3,3)", "FL", (1, 0)).fire("RP", "(5,5)", "RL", (1, 0))
    assert table.refused(table.firing("STP", "(7,7)", "ST", (1, 0))) == "WEC-FIRE-2"


def test_fire_6_all_ready_weapons_of_a_type_fire_together() -> None:
    table = Table("B FP[XXX,FL,FL](4,4)", "W FP[XXX,AFL,AFL](5,4)", "W FP[AFL](5,5)")
    table.fire("FP", "(4,4)", "FL", (1, 0))
    assert [hit.times for hit in table.position.turn.hits] == [3]
    assert table.idle().there("(5,4)") == ["W FP"]
    assert Table("B FP[XXX,FL,FL](4,4)", "W FP[AFL](5,4)").fire("FP", "(4,4)", "FL", (1, 0)).idle().there("(5,4)") == []


def test_rul_7_launchers_fired_together_make_one_stronger_projectile() -> None:
    table = Table("B RP[RL](4,4)", "W RP(5,4)").fire("RP", "(4,4)", "RL", (1, 0))
    assert [p.strength for p in table.position.projectiles] == [2]
    assert table.idle().there("(5,4)") == []


@pytest.mark.parametrize(("code", "weapon", "rate"), [("STP", "ST", 2), ("FP", "FL", 4), ("RP", "RL", 4), ("CP", "CS", 4)])
def test_fire_rate_2_and_rul_1_rates_count_own_turns(code: str, weapon: str, rate: int) -> None:
    table = Table(f"B {code}(3,6)").fire(code, "(3,6)", weapon, (1, 0)).idle()
    own_turns = range(3, 1 + 2 * rate + 2, 2)
    ready = [ply for ply in own_turns if table.until(ply).firing(code, "(3,6)", weapon, (-1, 0)) in table.legal()]
    assert ready == [1 + 2 * rate]


def test_opt_28_the_rate_can_be_set() -> None:
    table = Table("B FP(3,3)", fire_rate_flame=1).fire("FP", "(3,3)", "FL", (1, 0)).idle().idle()
    assert table.firing("FP", "(3,3)", "FL", (1, 0)) in table.legal()


def test_fire_5_and_sam_and_torpedo_levels() -> None:
    table = Table("B SOP(3,3)").fire("SOP", "(3,3)", "SL", (1, 0)).idle()
    assert [p.weapon for p in table.position.projectiles] == [SAM]
    jet = Table("B AAA(3,3)", "W JE(4,3) Air", "W FP(4,3)").fire("AAA", "(3,3)", "SL", (1, 0)).idle()
    assert jet.there("(4,3) Air") == [] and jet.there("(4,3)") == ["W FP"]
    sub = Table("B DS(3,3)", "W SU(4,3) Sub").fire("DS", "(3,3)", "TL", (1, 0)).idle()
    assert sub.there("(4,3) Sub") == []


def test_rul_13_inherent_weapons_are_one_unit() -> None:
    table = Table("B SOP(3,3)").fire("SOP", "(3,3)", "SL", (1, 0))
    assert table.refused(table.firing("SOP", "(3,3)", "TL", (1, 0))) == "WEC-RUL-13"


def test_fire_stun_2_range() -> None:
    far = Table("B STP(5,1)", "W TA>(5,7)", stun_range=5).fire("STP", "(5,1)", "ST", (0, 1)).idle()
    assert not far.find("TA", "(5,7)").stunned
    near = Table("B STP(5,1)", "W TA>(5,7)", stun_range=6).fire("STP", "(5,1)", "ST", (0, 1)).idle()
    assert near.find("TA", "(5,7)").stunned == 7


def test_rul_11_stunned_pieces_do_nothing_but_can_be_carried() -> None:
    table = Table("B STP(5,2)", "B FP[FL](5,5)", "B CH>(5,5)", articles=["ST(5,6)"])
    table.position = table.position._replace(
        pieces=tuple(p._replace(stunned=5) if p.square == sq("(5,5)") and p.articles else p for p in table.position.pieces)
    )
    for action in (table.firing("FP", "(5,5)", "FL", (1, 0)), table.dropping("FP", "(5,5)", "FL")):
        assert table.refused(action) in ("WEC-FIRE-7", "WEC-RUL-11")
    assert table.refused(table.moving("FP", "(5,5)", "(6,6)")) == "WEC-MOVE-9"
    assert table.refused(table.giving("FP", "(5,5)", "FL", "CH", "(5,5)")) == "WEC-RUL-11"
    assert table.move("CH", "(5,5)", "(7,7)", carry=True).there("(7,7)") == ["B CH", "B FP"]


def test_rul_9_homing_follows_and_hits_what_comes_first() -> None:
    table = (
        Table("B JE(3,3) Air", "W JE(6,3) Air")
        .play(Table("B JE(3,3) Air", "W JE(6,3) Air").homing("JE", "(3,3) Air", "SL", "JE", "(6,3) Air"))
        .idle()
    )
    table.move("JE", "(6,3) Air", "(6,5) Air").end()
    assert [p.square for p in table.position.projectiles] == [sq("(5,4)")]
    assert table.idle().there("(6,5) Air") == []
    screen = Table("B JE(3,3) Air", "W JE(6,3) Air", "W CH>(4,3) Air")
    screen.play(screen.homing("JE", "(3,3) Air", "SL", "JE", "(6,3) Air")).idle()
    assert screen.there("(4,3) Air") == [] and screen.there("(6,3) Air") == ["W JE"]


def test_rul_9_a_homing_projectile_explodes_on_its_launch_square() -> None:
    table = Table("B CH>(5,5) Air", "B SOP(5,5) Air")
    twin = Table("B AAA(5,5)", "W JE(5,5) Air")
    twin.play(twin.homing("AAA", "(5,5)", "SL", "JE", "(5,5) Air")).idle()
    assert twin.there("(5,5) Air") == [] and not twin.position.projectiles
    assert table.firing("SOP", "(5,5) Air", "SL", (1, 0)) in table.legal()


def test_opt_14_homing_range() -> None:
    far = Table("B AAA(5,5)", "W JE(9,5) Air")
    assert far.refused(far.homing("AAA", "(5,5)", "SL", "JE", "(9,5) Air")) == "WEC-FIRE-HOMING-1"
    near = Table("B AAA(5,5)", "W JE(9,5) Air", homing_range=4)
    assert near.homing("AAA", "(5,5)", "SL", "JE", "(9,5) Air") in near.legal()


def test_rul_6_stepping_onto_a_projectile() -> None:
    rocket = (1, ROCKET, "(3,8)", (0, 1), 1)
    table = Table("B DS(2,8)", rockets=[rocket]).move("DS", "(2,8)", "(3,8)").end()
    assert table.there("(3,8)") == []
    assert not table.position.projectiles
    through = Table("B TA>(2,8)", rockets=[rocket]).move("TA", "(2,8)", "(5,8)").end()
    assert through.there("(5,8)") == ["B TA"]


def test_rul_8_projectiles_pass_each_other() -> None:
    rockets = [(0, ROCKET, "(4,5)", (1, 0), 1), (1, ROCKET, "(5,5)", (-1, 0), 1)]
    table = Table(rockets=rockets).idle()
    assert [p.square for p in table.position.projectiles] == [sq("(5,5)"), sq("(4,5)")]


def test_proj_3_everyone_on_the_place_is_hit() -> None:
    rocket = (0, ROCKET, "(4,5)", (1, 0), 1)
    table = Table("W RP(5,5)", "W DS(5,5)", "W JE(5,5) Air", rockets=[rocket]).idle()
    assert table.there("(5,5)") == ["W RP"] and table.there("(5,5) Air") == ["W JE"]
    assert "R*RP(5,5)0W" in table.string() and "RK*DS(5,5)0W" in table.string()


def test_proj_4_torpedoes_fly_at_sub() -> None:
    table = Table("W SU(5,5) Sub", rockets=[(0, TORPEDO, "(3,5)", (1, 0), 1)]).idle()
    assert table.there("(5,5) Sub") == ["W SU"]
    assert table.idle().there("(5,5) Sub") == []


def test_rul_15_hidden_pieces_are_no_target_but_are_hit() -> None:
    table = Table("B JE(5,5) Air", "W AAA(5,5)")
    assert table.refused(table.striking("JE", "(5,5) Air", "(5,5)")) == "WEC-RUL-15"
    both = Table("B JE(5,5) Air", "W AAA(5,5)", "W FP(5,5)")
    both.play(both.striking("JE", "(5,5) Air", "(5,5)")).idle()
    assert both.there("(5,5)") == []


def test_rul_3_hits_stay_with_a_piece_that_is_shifted() -> None:
    table = Table("B TA>(4,4)", "W CL>(5,4)", "B DO(5,5)", "B FP(5,5)").fire("TA", "(4,4)", "FL", (1, 0))
    table.play(table.dozing("(5,5)", (1, 0), "(5,4)")).end()
    assert table.there("(6,4)") == []


def test_rul_40_converted_and_stunned() -> None:
    table = Table("B CL>(5,4)", "B STP(3,5)", "W TA<(5,5)").fire("CL", "(5,4)", "CS", (0, 1))
    table.fire("STP", "(3,5)", "ST", (1, 0)).idle()
    assert table.there("(5,5)") == ["B TA"]
    assert table.find("TA", "(5,5)").stunned == 7


def test_rul_12_a_shorter_stun_does_not_shorten() -> None:
    table = Table("B STP(3,3)", "W TA<(6,3)", stun_duration=1).fire("STP", "(3,3)", "ST", (1, 0))
    table.position = table.position._replace(
        pieces=tuple(p._replace(stunned=8) if p.square == sq("(6,3)") else p for p in table.position.pieces)
    )
    assert table.idle().find("TA", "(6,3)").stunned == 8


def test_rul_39_a_mixed_pair_is_hit_together_and_bars_its_level() -> None:
    table = Table("B CL>(5,4)", "W FP(5,5)", "W DS[ACS](5,5)", "B Q(5,8)", "B TA>(7,5)")
    table.fire("CL", "(5,4)", "CS", (0, 1)).idle()
    assert table.there("(5,5)") == ["B FP", "W DS"]
    table.idle()
    assert "(5,5)" not in table.targets("Q", "(5,8)")
    table.until(3)
    hit = Table("B FP(4,5)", "W TA>(5,5)")
    assert hit.fire("FP", "(4,5)", "FL", (1, 0)).idle().there("(5,5)") == []


def test_item_3_a_swap_and_a_gift() -> None:
    table = Table("B FP[FL](3,3)", "B RP[ST](3,4)", "B TA>(8,8)", "B Q(9,9)", "B XP[BI](1,1)")
    one, two = table.find("FP", "(3,3)").id, table.find("RP", "(3,4)").id
    assert table.refused(table.giving("FP", "(3,3)", "FL", "RP", "(3,4)")) == "WEC-CAP-5"
    assert table.refused(table.giving("FP", "(3,3)", "FL", "TA", "(8,8)")) == "WEC-ITEM-4"
    assert table.giving("XP", "(1,1)", "BI", "Q", "(9,9)") in table.legal()
    assert table.refused(Exchange(one, Article.FLAME, one, Article.FLAME)) == "WEC-ITEM-3"
    table.play(Exchange(one, Article.FLAME, two, Article.STUN))
    assert (table.carried("FP", "(3,3)"), table.carried("RP", "(3,4)")) == (["ST"], ["FL"])
    assert table.refused(table.giving("XP", "(1,1)", "BI", "Q", "(9,9)")) == "WEC-TURN-2"


def test_rul_36_neighbours_exchange_on_whichever_levels() -> None:
    table = Table("B JE[FL](5,5) Air", "B DS(5,5)", "B RP(6,6)", "B SU(4,5) Sub", "B FP(7,7)")
    for code, place in (("DS", "(5,5)"), ("RP", "(6,6)"), ("SU", "(4,5) Sub")):
        assert table.giving("JE", "(5,5) Air", "FL", code, place) in table.legal()
    assert table.refused(table.giving("JE", "(5,5) Air", "FL", "FP", "(7,7)")) == "WEC-ITEM-4"


def test_opt_35_levels_matter_where_the_options_say_so_but_for_the_secondary() -> None:
    table = Table("B JE[FL](5,5) Air", "B DS(5,5)", "B Q(1,1)", exchange_levels=ExchangeLevels.SAME)
    assert table.refused(table.giving("JE", "(5,5) Air", "FL", "DS", "(5,5)")) == "WEC-ITEM-4"
    assert table.giving("JE", "(5,5) Air", "FL", "Q", "(1,1)") in table.legal()


def test_rul_42_no_stealth_for_a_primary_by_exchange() -> None:
    table = Table("B FP[SH](1,9)")
    assert table.refused(table.giving("FP", "(1,9)", "SH", "K", "(1,10)")) == "WEC-RUL-42"


def test_rul_16_articles_of_the_dead_fall_to_the_ground_from_any_level() -> None:
    table = Table("W JE[FL](5,5) Air", rockets=[(0, SAM, "(4,5)", (1, 0), 1)]).idle()
    assert table.lying("(5,5)") == ["FL"]


def test_win_1_a_destroyed_king_loses() -> None:
    table = Table("B TA>(9,1)", "B FP(9,2)").fire("TA", "(9,1)", "FL", (1, 0)).fire("FP", "(9,2)", "FL", (1, -1)).idle()
    assert (table.position.end, table.position.winner) == (End.DESTROYED, 0)


def test_rul_47_after_the_take_of_a_king_the_turn_goes_on() -> None:
    table = Table("B TA>(9,1)", "B FP(5,5)").move("TA", "(9,1)", "(10,1)")
    assert table.position.end == End.ON
    assert table.firing("FP", "(5,5)", "FL", (1, 0)) in table.legal()
    assert table.end().position.winner == 0


def test_rul_19_two_reinforcements_on_a_square() -> None:
    from brettwerk_games.rules.wec.kinds import Kind
    from brettwerk_games.rules.wec.position import Reserve

    table = Table("B DS(9,4)")
    waiting = (Reserve(50, 0, sq("(9,4)"), Kind.DOZER), Reserve(51, 0, sq("(9,4)"), Kind.JET))
    table.position = table.position._replace(reserves=waiting)
    table.move("DS", "(9,4)", "(8,4)")
    assert len([action for action in table.legal() if type(action).__name__ == "Reinforce"]) == 2
    table.play(table.calling("(9,4)"))
    assert table.there("(9,4)") == ["B DO"]
    assert len(table.position.reserves) == 1


def test_rul_50_moves_only_lists_moves_only() -> None:
    from brettwerk_games.rules.wec.options import Actions

    table = Table("B CH>(5,5)", "B JE(5,5)", "B DO(7,7)", "B FP(7,7)", actions=Actions.MOVES_ONLY, articles=["FL(7,7)"])
    assert {type(action).__name__ for action in table.legal()} == {"Move", "Doze"}
    assert Options().actions == Actions.ALL
