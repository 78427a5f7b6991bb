"""One test for each rule about what pieces and articles can do that the cases leave open."""

import pytest

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.actions import Exchange, Strike, Travel
from brettwerk_games.rules.wec.board import LEVELS, SQUARES
from brettwerk_games.rules.wec.kinds import (
    ARTICLE_CODES,
    FLIGHT_LEVEL,
    NATURES,
    TRANSPORTS,
    TRAVEL_LEVEL,
    Article,
    Hand,
    Kind,
)
from brettwerk_games.rules.wec.options import Options, TransportStart
from brettwerk_games.rules.wec.pieces import Carried, detects_submerged
from brettwerk_games.rules.wec.start import new
from tests.brettwerk_games.rules.wec.boards import SEED, Table, board

START = new(Options(), 2, None, SEED).position


def test_art_1_and_game_5_and_game_7_articles_start_unowned_and_stay() -> None:
    assert not any(piece.articles for piece in START.pieces)
    assert sum(map(len, START.ground)) == 68
    table = Table("B FP[FL](4,4)").fire("FP", "(4,4)", "FL", (1, 0)).idle()
    assert table.carried("FP", "(4,4)") == ["FL"], "fired, not used up"


def test_art_4_an_ability_goes_with_its_article() -> None:
    table = Table("B DO(4,4)", "B RP[CS](4,5)")
    assert table.firing("RP", "(4,5)", "CS", (1, 0)) in table.legal()
    table.play(table.giving("RP", "(4,5)", "CS", "DO", "(4,4)"))
    assert table.firing("DO", "(4,4)", "CS", (1, 0)) in table.legal()
    assert table.firing("RP", "(4,5)", "CS", (1, 0)) not in table.legal()


@pytest.mark.parametrize(
    ("weapon", "counter", "shooter", "place"),
    [
        ("FL", "AFL", "B TA>(4,4)", "(5,4)"),
        ("ST", "AST", "B STP(4,4)", "(5,4)"),
        ("CS", "ACS", "B CL>(4,4)", "(5,4)"),
        ("RL", "ARL", "B RP(4,4)", "(5,4)"),
        ("SL", "ASL", "B AAA(4,4)", "(5,4) Air"),
        ("TL", "ATL", "B DS(4,4)", "(5,4) Sub"),
    ],
)
def test_art_5_and_art_10_a_counter_stops_one_hit_of_its_weapon(weapon: str, counter: str, shooter: str, place: str) -> None:
    target = {"(5,4) Air": "JE", "(5,4) Sub": "SU"}.get(place, "DS")
    code = shooter.split()[1].split("(")[0].rstrip("<>")
    for articles, safe in (("", False), (f"[{counter}]", True)):
        table = Table(shooter, f"W {target}{articles}{place}")
        table.fire(code, "(4,4)", weapon, (1, 0)).idle()
        there = [p for p in table.position.pieces if p.seat == 1 and NATURES[p.kind].code == target and not p.stunned]
        assert bool(there) == safe


def test_art_6_and_stealth_1_a_counter_stealth_shows_what_hides() -> None:
    hidden = Table("B DS(5,5)", "W FP[SH](7,7)")
    assert not hidden.sees(0, "FP", "(7,7)")
    assert Table("B DS[ASH](5,5)", "W FP[SH](7,7)").sees(0, "FP", "(7,7)")


def test_art_7_and_subm_1_a_torpedo_launcher_detects_and_its_counter_does_not_help() -> None:
    assert not Table("B RP(5,5)", "W SU[ATL](5,7) Sub").sees(0, "SU", "(5,7) Sub")
    table = Table("B RP[TL](5,5)", "W SU[ATL](5,7) Sub")
    assert detects_submerged(table.find("RP", "(5,5)"))
    assert table.sees(0, "SU", "(5,7) Sub")


def test_art_8_and_tran_1_transports_and_their_levels() -> None:
    assert {ARTICLE_CODES[t]: TRAVEL_LEVEL[t] for t in TRANSPORTS} == {"BI": 0, "JP": 1, "SC": 2}
    table = Table("B FP[JP](3,3)", "B CP[SC](3,5)").travel("FP", "(3,3)", "JP", "(6,3)").travel("CP", "(3,5)", "SC", "(6,5)")
    assert table.position.turn.fires == 2
    table.idle()
    assert table.there("(3,3) Air") == ["B FP"]
    assert table.there("(3,5) Sub") == ["B CP"]


def test_art_9_and_place_4_there_is_room_for_200_articles() -> None:
    bike = Carried(Article.BIKE)
    full = board("B FP(3,3)")._replace(ground=((bike, bike),) * SQUARES)
    new(Options(), 2, full, SEED)
    one = full._replace(pieces=tuple(p._replace(articles=(bike,)) if p.id == 3 else p for p in full.pieces))
    with pytest.raises(Illegal) as refusal:
        new(Options(), 2, one, SEED)
    assert refusal.value.rule == "WEC-RUL-65"


def test_board_5_and_board_6_three_levels_hold_two_each_and_two_articles() -> None:
    assert len(LEVELS) == 3
    table = Table("B CH>(5,5)", "B FP(5,5)", "B CH>(5,5) Air", "B JE(5,5) Air", "W SU(5,5) Sub", "W DO(5,5) Sub")
    assert sum(p.square == 44 for p in table.position.pieces) == 6
    crowded = Table("B DS[FL](5,5)", articles=["BI(5,5)", "JP(5,5)"])
    assert crowded.refused(crowded.dropping("DS", "(5,5)", "FL")) == "WEC-RUL-17"


def test_board_7_both_sides_on_one_square_on_different_levels() -> None:
    table = Table("B CH>(5,5)", "W JE(7,7) Air")
    assert "(7,7)" in table.targets("CH", "(5,5)")
    table.move("CH", "(5,5)", "(7,7)")
    assert table.there("(7,7)") == ["B CH"]
    assert table.there("(7,7) Air") == ["W JE"]


def test_coex_5_the_composite_that_takes_is_a_chopper_with_its_passenger() -> None:
    table = Table("B CH>(5,5)", "B FP(5,5)", "W DS(7,7)", "B SU(3,3)", "B RP(3,3)", "W DS(4,4)")
    assert table.moving("CH", "(5,5)", "(7,7)", carry=True) in table.legal()
    assert table.moving("SU", "(3,3)", "(4,4)", carry=True) not in table.legal()
    assert table.moving("SU", "(3,3)", "(4,3)", carry=True) in table.legal()


def test_carry_2_and_reinf_1_and_reinf_2_choppers_have_jets_and_reinforcements_wait_far_away() -> None:
    choppers = [p for p in START.pieces if p.kind == Kind.CHOPPER]
    assert len(choppers) == 4
    for chopper in choppers:
        assert any(p.kind == Kind.JET and p.place == chopper.place and p.seat == chopper.seat for p in START.pieces)
    black = [NATURES[r.kind].code for r in START.reserves if r.seat == 0 and r.kind is not None]
    assert sorted(black) == sorted(["JE", "JE", "SU", "SU", "Q", "DO", "CL", "TA", "AAA", "DS"])
    assert all(r.square // 10 == (8 if r.seat == 0 else 1) for r in START.reserves)


def test_reinf_5_they_come_without_articles_and_reinf_6_two_at_most_wait_on_a_square() -> None:
    table = Table("B DS(9,4)", reserves=True).move("DS", "(9,4)", "(8,4)")
    table.play(table.calling("(9,4)"))
    assert table.carried("JE", "(9,4)") == []
    crowd = board(reserves=True)
    twice = tuple(r._replace(square=80) if r.seat == 0 and r.hand == Hand.NONE else r for r in crowd.reserves)
    with pytest.raises(Illegal) as refusal:
        new(Options(), 2, crowd._replace(reserves=twice), SEED)
    assert "reinforcements" in refusal.value.details["reason"]


def test_reinf_7_edited_squares_count() -> None:
    start = board("B DS(4,4)", reserves=True)
    moved = tuple(r._replace(square=33) if r.id == min(x.id for x in start.reserves) else r for r in start.reserves)
    table = Table()
    table.position = new(Options(), 2, start._replace(reserves=moved), SEED).position
    table.move("DS", "(4,4)", "(5,5)")
    assert table.calling("(4,4)") in table.legal()


def test_carry_4_a_passenger_fires_on_its_level_and_its_launchers_as_usual() -> None:
    table = Table("B CH>(5,5) Air", "B RP[FL](5,5) Air", "W JE(6,5) Air", "W DS(5,6)")
    table.fire("RP", "(5,5) Air", "FL", (1, 0)).fire("RP", "(5,5) Air", "RL", (0, 1)).idle()
    assert table.there("(6,5) Air") == []
    assert table.there("(5,6)") == []


def test_fire_sam_1_and_fire_torp_1_and_proj_1_projectiles_and_their_levels() -> None:
    assert {ARTICLE_CODES[w]: FLIGHT_LEVEL[w] for w in FLIGHT_LEVEL} == {"RL": 0, "SL": 1, "TL": 2}
    table = Table("B AAA(5,5)", "B DS(5,6)", "W DS(6,5)", "W DS(6,6)")
    table.fire("AAA", "(5,5)", "SL", (1, 0)).fire("DS", "(5,6)", "TL", (1, 0)).idle()
    assert table.there("(6,5)") == ["W DS"]
    assert table.there("(6,6)") == ["W DS"]
    assert {(p.weapon, p.square) for p in table.position.projectiles} == {(Article.SAM, 54), (Article.TORPEDO, 55)}


def test_proj_5_and_proj_6_and_move_subjet_2_landing_breaks_the_lock() -> None:
    table = Table("B AAA(2,5)", "W JE(5,5) Air")
    table.play(table.homing("AAA", "(2,5)", "SL", "JE", "(5,5) Air")).idle()
    (flying,) = table.position.projectiles
    assert (flying.square, flying.homing) == (24, True)
    table.move("JE", "(5,5) Air", "(5,5)").end()
    (flying,) = table.position.projectiles
    assert (flying.square, flying.homing) == (34, False)
    table.idle().idle()
    assert table.there("(5,5)") == ["W JE"]


def test_move_8_weapons_and_movement_work_within_one_level() -> None:
    table = Table("B STP(3,3)", "W JE(4,3) Air", "W DS(6,3)", "W SU(5,3) Sub")
    table.fire("STP", "(3,3)", "ST", (1, 0)).idle()
    assert table.find("DS", "(6,3)").stunned
    assert not table.find("JE", "(4,3) Air").stunned


def test_rul_21_a_jet_shares_only_with_pieces_that_share() -> None:
    table = Table("B JE(5,5) Air", "B FP(5,5)")
    assert "(5,5)" not in table.targets("JE", "(5,5) Air")
    assert "(5,5)" in Table("B JE(5,5) Air", "B AAA(5,5)").targets("JE", "(5,5) Air")


def test_rul_37_capacity_counts_on_the_result_of_a_swap() -> None:
    table = Table("B FP[XXX,FL,ST](4,4)", "B RP[BI](4,5)")
    from_fp = table.find("FP", "(4,4)").id
    offered = {(a.article, a.back) for a in table.legal() if isinstance(a, Exchange) and a.piece == from_fp}
    assert (Article.FLAME, Article.BIKE) in offered
    assert (Article.XXX, Article.BIKE) not in offered
    assert (Article.FLAME, None) not in offered


def test_rul_62_and_opt_13_levels_do_not_count_for_distance() -> None:
    near = Table("B JE(5,5) Air", "W CL>(7,7)", off_level_rocket_range=2)
    assert near.striking("JE", "(5,5) Air", "(7,7)") in near.legal()
    far = Table("B JE(5,5) Air", "W CL>(7,7)", off_level_rocket_range=1)
    assert far.striking("JE", "(5,5) Air", "(7,7)") not in far.legal()


def test_fire_offlevel_2_and_opt_13_a_jet_reaches_straight_down_by_default() -> None:
    table = Table("B JE(5,5) Air", "W CL>(5,5)", "W CL>(6,5)")
    strikes = {a.square for a in table.legal() if isinstance(a, Strike)}
    assert strikes == {44}


def test_tran_1_a_transit_comes_on_top_of_the_move() -> None:
    table = Table("B FP[BI](3,3)").travel("FP", "(3,3)", "BI", "(5,3)").idle()
    assert table.there("(4,3)") == ["B FP"]
    starts = [a for a in Table("B CH>(5,5) Air", "B CL>[JP](5,5) Air").legal() if isinstance(a, Travel)]
    assert not starts
    free = Table("B CH>(5,5) Air", "B CL>[JP](5,5) Air", transport_start=TransportStart.ALSO_FROM_CARRIER)
    assert any(isinstance(a, Travel) for a in free.legal())


def test_fire_stun_4_a_stunned_piece_drops_all_it_carries() -> None:
    table = Table("B STP(3,3)", "W CL>[XXX,FL,AST](6,3)", "W DS[AFL](9,9)")
    table.fire("STP", "(3,3)", "ST", (1, 0)).idle()
    assert table.carried("CL", "(6,3)") == ["XXX", "FL", "AST"], "its counter holds"
    weak = Table("B STP(3,3)", "W CL>[FL](6,3)").fire("STP", "(3,3)", "ST", (1, 0)).idle()
    assert weak.carried("CL", "(6,3)") == []
    assert weak.lying("(6,3)") == ["FL"]
