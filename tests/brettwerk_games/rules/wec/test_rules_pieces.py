"""Properties and abilities that pieces and governments have by themselves (WEC-PIECE, WEC-GOV)."""

import pytest

from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import Fire, Move
from brettwerk_games.rules.wec.kinds import (
    ARTICLE_CODES,
    GOVERNMENTS,
    NATURES,
    PAWNS,
    PRIMARIES,
    SECONDARIES,
    WEAPONS,
    Hand,
    Kind,
)
from brettwerk_games.rules.wec.options import Government, Options
from brettwerk_games.rules.wec.pieces import counters, detects_stealth
from brettwerk_games.rules.wec.start import new
from tests.brettwerk_games.rules.wec.boards import SEED, Table

START = new(Options(), 2, None, SEED).position
INHERENT = {
    "FP": ({"FL"}, {"FL"}),
    "RP": ({"RL"}, {"RL"}),
    "STP": ({"ST"}, {"ST"}),
    "CP": ({"CS"}, {"CS"}),
    "SOP": ({"SL", "TL"}, set()),
    "XP": (set(), set()),
    "SHP": (set(), set()),
    "TA": ({"FL"}, set()),
    "DO": (set(), set()),
    "CL": ({"CS"}, set()),
    "CH": ({"ST"}, set()),
    "JE": ({"SL", "RL"}, set()),
    "SU": ({"TL", "RL"}, set()),
    "DS": ({"TL"}, set()),
    "AAA": ({"SL"}, set()),
}
HANDS = {"TA": ">", "CL": ">", "CH": ">"}


@pytest.mark.parametrize("code", INHERENT)
def test_piece_2_to_10_and_piece_13_a_piece_has_its_inherent_weapons_and_defences(code: str) -> None:
    place = {"JE": "(5,5) Air", "SU": "(5,5) Sub"}.get(code, "(5,5)")
    table = (
        Table(f"B {code}{HANDS.get(code, '')}{place}", "W FP(5,5)")
        if code in ("JE", "SU")
        else Table(f"B {code}{HANDS.get(code, '')}{place}")
    )
    piece = table.find(code, place)
    assert not piece.articles
    fired = {ARTICLE_CODES[a.weapon] for a in table.legal() if isinstance(a, Fire) and a.piece == piece.id}
    weapons, defences = INHERENT[code]
    assert fired == weapons - ({"RL"} if code in ("JE", "SU") else set())
    assert {ARTICLE_CODES[weapon] for weapon in WEAPONS if counters(piece, weapon)} == defences


def test_piece_3_and_piece_12_kinds_and_hands_of_the_standard_army() -> None:
    kinds = [piece.kind for piece in START.pieces if piece.seat == 0]
    assert {kind for kind in kinds if kind in PAWNS} == PAWNS - {Kind.SAM_TORPEDO_PAWN}
    for piece in START.pieces:
        assert (piece.hand != Hand.NONE) == (piece.kind in (Kind.PANZER, Kind.CLERIC, Kind.CHOPPER))


def test_piece_12_a_converted_piece_keeps_its_hand() -> None:
    table = Table("B CL>(4,4)", "W TA<(5,4)").fire("CL", "(4,4)", "CS", (1, 0)).idle()
    assert table.find("TA", "(5,4)").seat == 0
    assert table.find("TA", "(5,4)").hand == Hand.LEFT


def test_piece_6_the_xxx_pawn_carries_two() -> None:
    table = Table("B XP(3,3)", articles=["FL(3,3)", "ST(3,3)"])
    table.play(table.picking("XP", "(3,3)", "FL")).idle().idle().play(table.picking("XP", "(3,3)", "ST"))
    assert table.carried("XP", "(3,3)") == ["FL", "ST"]


def test_piece_7_stealth_pawns_see_and_hide() -> None:
    table = Table("B SHP(5,5)", "W AAA(7,7)", stealth_lock_on=False)
    assert detects_stealth(table.find("SHP", "(5,5)"))
    assert table.sees(0, "AAA", "(7,7)")
    assert not table.sees(1, "SHP", "(5,5)")


def test_piece_11_articles_do_not_let_pieces_share_a_level_or_carry() -> None:
    for code in ("BI", "JP", "SC", "XXX"):
        table = Table(f"B FP[{code}](4,4)", "B RP(4,5)")
        ends = table.targets("RP", "(4,5)")
        assert "(4,4)" not in ends, "no article lets two share a level"
        assert all(not a.carry for a in table.legal() if isinstance(a, Move) and a.piece == table.find("FP", "(4,4)").id)


def test_gov_1_and_gov_3_one_of_each_and_all_move_alike() -> None:
    reached = []
    for government, (primary, secondary) in zip(Government, GOVERNMENTS, strict=True):
        options = Options(government_black=government)
        pieces = new(options, 2, None, SEED).position.pieces
        assert [p.kind for p in pieces if p.seat == 0 and p.kind in PRIMARIES | SECONDARIES] == [primary, secondary]
        table = Table(f"B {NATURES[primary].code}(5,5)", f"B {NATURES[secondary].code}(3,7)")
        reached.append((table.targets(NATURES[primary].code, "(5,5)"), table.targets(NATURES[secondary].code, "(3,7)")))
    assert all(one == reached[0] for one in reached)


def test_gov_2_converting_the_primary_wins_and_losing_it_loses() -> None:
    table = Table("B CP(9,1)").fire("CP", "(9,1)", "CS", (1, 0)).idle()
    assert GAME.outcome(table.position).scores == (1.0, 0.0)  # type: ignore[union-attr]


def test_gov_4_government_pieces_have_defences_only() -> None:
    for pair in GOVERNMENTS:
        for kind in pair:
            assert not NATURES[kind].weapons
            assert len(NATURES[kind].counters) == 2
    table = Table("B Q(3,3)", "B FP[BI](9,9)", weapons=2)
    assert table.giving("FP", "(9,9)", "BI", "Q", "(3,3)") in table.legal()
