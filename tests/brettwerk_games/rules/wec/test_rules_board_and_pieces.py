"""One test for each rule about board, pieces, governments, articles and capacity that the cases leave open."""

from collections import Counter

import pytest

from brettwerk_games.rules.wec.board import DIRECTIONS, FORWARD, NEXT, OFF, SQUARES, distance, falling_order, framed, name_of
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, GOVERNMENTS, NATURES, PAWNS, WEAPONS, Article, Hand, Kind
from brettwerk_games.rules.wec.options import Amount, Government, Options
from brettwerk_games.rules.wec.pieces import Carried, Piece, counters, may_share, within_capacity
from brettwerk_games.rules.wec.position import Position
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.weapons import battery
from tests.brettwerk_games.rules.wec.boards import SEED, Table, id_of, sq

STANDARD = new(Options(), 2, None, SEED).position


def own(seat: int, position: Position = STANDARD) -> list[Piece]:
    return [piece for piece in position.pieces if piece.seat == seat]


def test_game_4_black_has_the_first_turn_then_the_players_alternate() -> None:
    table = Table()
    assert [table.until(ply).seat for ply in (1, 2, 3, 4)] == [0, 1, 0, 1]


def test_game_2_nobody_plays_the_others_pieces() -> None:
    table = Table()
    enemy = table.find("DO", "(10,3)").id
    from brettwerk_games.rules.wec.actions import Move

    assert table.refused(Move(enemy, sq("(10,4)"))) == "WEC-GAME-2"
    assert table.refused(Move(777, sq("(10,4)"))) == "WEC-GAME-2"


def test_board_3_coordinates() -> None:
    assert [name_of(square) for square in (0, 9, 90, 99)] == ["(1,1)", "(1,10)", "(10,1)", "(10,10)"]


def test_board_4_forward_and_right_depend_on_the_seat() -> None:
    assert (DIRECTIONS[FORWARD[0]], DIRECTIONS[FORWARD[1]]) == ((1, 0), (-1, 0))
    assert framed(sq("(5,5)"), 1, 2, 0) == sq("(7,6)")
    assert framed(sq("(5,5)"), 1, 2, 1) == sq("(3,4)")


def test_board_9_distance_is_king_steps_and_ignores_levels() -> None:
    assert distance(sq("(1,1)"), sq("(4,9)")) == 8
    assert Table("B SHP(4,4)", "W AAA(7,7)").sees(0, "AAA", "(7,7)")


def test_board_10_nothing_wraps_around() -> None:
    assert sum(near == OFF for near in NEXT[0]) == 5
    assert all(distance(square, near) == 1 for square in range(SQUARES) for near in NEXT[square] if near != OFF)


def test_piece_1_the_standard_army() -> None:
    for seat in (0, 1):
        count = Counter(piece.kind for piece in own(seat))
        assert sum(count.values()) == 28
        assert sum(count[kind] for kind in PAWNS) == 10
        pairs = (Kind.PANZER, Kind.DOZER, Kind.SUB, Kind.CHOPPER, Kind.DESTROYER, Kind.AAA, Kind.CLERIC, Kind.JET)
        assert all(count[kind] == 2 for kind in pairs)
        assert count[Kind.KING] == count[Kind.QUEEN] == 1
        assert not count[Kind.SAM_TORPEDO_PAWN]
    assert len({piece.place for piece in own(0)}) == 20


def test_board_8_everything_starts_at_ground_and_the_start_is_symmetric() -> None:
    assert all(piece.level == 0 for piece in STANDARD.pieces)
    black = sorted((piece.square, piece.kind, piece.hand) for piece in own(0))
    white = sorted((SQUARES - 1 - piece.square, piece.kind, piece.hand) for piece in own(1))
    assert black == white


def test_rul_20_the_left_one_of_a_pair_is_left_handed() -> None:
    for seat in (0, 1):
        for kind in (Kind.PANZER, Kind.CLERIC, Kind.CHOPPER):
            pair = sorted((p for p in own(seat) if p.kind == kind), key=lambda p: p.square if seat == 0 else -p.square)
            assert [piece.hand for piece in pair] == [Hand.LEFT, Hand.RIGHT]


def test_rul_54_ids() -> None:
    assert [id_of(piece.id) for piece in STANDARD.pieces][:2] == ["b1", "b2"]
    assert [id_of(piece.id) for piece in own(1)] == [f"w{number}" for number in range(1, 29)]
    assert STANDARD.pieces[0].square == sq("(1,1)")
    assert own(1)[0].square == sq("(10,10)")
    assert [id_of(reserve.id) for reserve in STANDARD.reserves][:10] == [f"b{number}" for number in range(29, 39)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Kind.KING, {Article.FLAME, Article.ROCKET}),
        (Kind.DICTATOR, {Article.CONVERSION, Article.ROCKET}),
        (Kind.AVATAR, {Article.STUN, Article.ROCKET}),
        (Kind.PRESIDENT, {Article.CONVERSION, Article.FLAME}),
        (Kind.QUEEN, {Article.CONVERSION, Article.STUN}),
        (Kind.ASSASSIN, {Article.FLAME, Article.STUN}),
        (Kind.ACOLYTE, {Article.FLAME, Article.CONVERSION}),
        (Kind.PRIME_MINISTER, {Article.ROCKET, Article.STUN}),
    ],
)
def test_gov_5_inherent_defences(kind: Kind, expected: set[Article]) -> None:
    assert {weapon for weapon in WEAPONS if counters(Piece(1, 0, kind, 0), weapon)} == expected


def test_gov_6_each_pair_has_all_four_defences_and_is_chosen() -> None:
    for number, pair in enumerate(GOVERNMENTS, 1):
        assert {weapon for kind in pair for weapon in NATURES[kind].counters} == set(WEAPONS[:4])
        position = new(Options(government_white=Government(number)), 2, None, SEED).position
        assert {piece.kind for piece in own(1, position) if piece.kind >= Kind.KING} == set(pair)
        assert {reserve.kind for reserve in position.reserves if reserve.seat == 1} >= {pair[1]}
        assert {piece.kind for piece in own(0, position) if piece.kind >= Kind.KING} == {Kind.KING, Kind.QUEEN}


def test_art_2_eighteen_kinds_of_articles_start_unowned() -> None:
    count = Counter(ARTICLE_CODES[article.kind] for lying in STANDARD.ground for article in lying)
    eight, four = {"TL": 8, "SL": 8}, dict.fromkeys(("BI", "JP", "SC", "ATL", "ASL", "XXX"), 4)
    two = dict.fromkeys(("FL", "ST", "CS", "RL", "AFL", "AST", "ACS", "ARL"), 2)
    assert count == {**eight, "SH": 6, "ASH": 6, **four, **two}
    assert sum(count.values()) == 68
    assert not any(piece.articles for piece in STANDARD.pieces)


def test_art_3_counters_stealth_and_xxx_cannot_be_fired() -> None:
    from brettwerk_games.rules.wec.actions import Fire

    table = Table("B FP[XXX,SH,ASH](3,3)")
    number = table.find("FP", "(3,3)").id
    for kind in (Article.XXX, Article.STEALTH, Article.COUNTER_STEALTH):
        assert table.refused(Fire(number, kind, 0)) == "WEC-FIRE-1"


def test_cap_1_to_4() -> None:
    def fits(kind: Kind, *articles: Article) -> bool:
        return within_capacity(kind, [Carried(article) for article in articles])

    xxx, flame = Article.XXX, Article.FLAME
    assert fits(Kind.JET, flame) and not fits(Kind.JET, flame, flame)
    assert fits(Kind.JET, xxx, flame, flame) and not fits(Kind.JET, xxx, xxx, flame, flame)
    assert fits(Kind.JET, xxx, xxx, flame)
    assert fits(Kind.XXX_PAWN, flame, flame) and not fits(Kind.XXX_PAWN, xxx, flame, flame)


def test_coex_2_who_shares_a_level() -> None:
    sharing = {kind for kind in Kind if may_share(Piece(1, 0, kind, 0), Piece(2, 0, Kind.FLAME_PAWN, 0))}
    assert sharing == {Kind.SUB, Kind.CHOPPER, Kind.DOZER, Kind.DESTROYER, Kind.AAA}


def test_stack_5_highest_defence() -> None:
    for kind in Kind:
        for weapon in WEAPONS:
            counter = Article(weapon + 7)
            best = 0
            for load in ([Article.XXX, counter, counter], [counter, counter], [counter]):
                if within_capacity(kind, [Carried(article) for article in load]):
                    best = max(best, counters(Piece(1, 0, kind, 0, articles=tuple(map(Carried, load))), weapon))
            assert best == (3 if weapon in NATURES[kind].counters else 2)


def test_stack_6_highest_attack() -> None:
    for kind in Kind:
        for weapon in WEAPONS:
            best = 0
            for load in ([Article.XXX, weapon, weapon], [weapon, weapon]):
                if within_capacity(kind, [Carried(article) for article in load]):
                    carried = Piece(1, 0, kind, 100, articles=tuple(map(Carried, load)))
                    found = [battery(carried, weapon, 1, (), restricted=restricted) for restricted in (False, True)]
                    best = max(best, *(each.strength for each in found))
            assert best == (3 if weapon in NATURES[kind].weapons else 2), (kind, weapon)


def test_rul_18_standard_activation_squares() -> None:
    for seat, row in ((0, 9), (1, 2)):
        waiting = [reserve for reserve in STANDARD.reserves if reserve.seat == seat]
        assert {reserve.square // 10 + 1 for reserve in waiting} == {row}
        assert len({reserve.square for reserve in waiting}) == 10
        count = Counter(reserve.kind for reserve in waiting)
        assert count[Kind.JET] == count[Kind.SUB] == 2
        assert sum(count.values()) == 10


def test_rul_51_amounts() -> None:
    none = Amount.NONE
    bare = new(Options(reinforcements=none, weapons=none, xxx_boxes=none), 2, None, SEED).position
    kinds = {article.kind for lying in bare.ground for article in lying}
    assert not bare.reserves
    assert kinds == {Article.STEALTH, Article.COUNTER_STEALTH, Article.BIKE, Article.JUMP_PACK, Article.SCUBA}


def test_rul_41_falling_order_is_the_owners() -> None:
    ring = [name_of(square) for square in falling_order(sq("(5,5)"), 0)[:9]]
    assert ring == ["(5,5)", "(6,4)", "(6,5)", "(6,6)", "(5,4)", "(5,6)", "(4,4)", "(4,5)", "(4,6)"]
    assert [name_of(square) for square in falling_order(sq("(5,5)"), 1)[1:3]] == ["(4,6)", "(4,5)"]
    outer = [name_of(square) for square in falling_order(sq("(5,5)"), 0)[9:25]]
    front, sides, back = "(7,3) (7,4) (7,5) (7,6) (7,7)", "(6,3) (6,7) (5,3) (5,7) (4,3) (4,7)", "(3,3) (3,4) (3,5) (3,6) (3,7)"
    assert " ".join(outer) == f"{front} {sides} {back}"
    for square in range(SQUARES):
        assert sorted(falling_order(square, 0)) == list(range(SQUARES))


def test_obs_4_at_the_start_each_side_sees_26_enemies() -> None:
    for seat in (0, 1):
        enemies = [piece for piece in view(STANDARD, seat).pieces if piece.seat != seat]
        assert len(enemies) == 26
        assert not any(piece.kind == Kind.AAA for piece in enemies)


def test_stealth_4_the_stealth_pawns_start_locked_on_each_other() -> None:
    pawns = [piece for piece in STANDARD.pieces if piece.kind == Kind.STEALTH_PAWN]
    assert [pawn.lock for pawn in pawns] == [pawns[1].id, pawns[0].id]
