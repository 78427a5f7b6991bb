"""The locks of the first position are those that each Counter-Stealth would find for itself, one after the other."""

import random

import pytest

from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec.board import PLACES
from brettwerk_games.rules.wec.kinds import Article, Kind
from brettwerk_games.rules.wec.options import Dominance, Options
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece
from brettwerk_games.rules.wec.position import REVISION
from brettwerk_games.rules.wec.start import new_by
from brettwerk_games.rules.wec.visibility import first_locks, nearest, target_for
from tests.brettwerk_games.rules.wec.boards import SEED, Table

KINDS = (Kind.STEALTH_PAWN, Kind.FLAME_PAWN, Kind.AAA, Kind.SUB, Kind.SAM_TORPEDO_PAWN, Kind.KING)
ARTICLES = (Article.COUNTER_STEALTH, Article.STEALTH, Article.TORPEDO, Article.ROCKET)


def one_by_one(pieces: list[Piece], options: Options, ply: int) -> list[Piece]:
    """Give the locks as the rules tell it, everything looked at anew for each."""
    now = {piece.id: piece for piece in pieces}
    pawns = [piece for piece in pieces if piece.kind == Kind.STEALTH_PAWN]
    for pawn in pawns:
        now[pawn.id] = pawn._replace(lock=nearest(pawn, pawns))
    for number in sorted(now):
        for index, article in enumerate(now[number].articles):
            if article.kind == Article.COUNTER_STEALTH:
                piece = now[number]
                bare = piece._replace(articles=(*piece.articles[:index], *piece.articles[index + 1 :]))
                lock = target_for(piece, [*(other for other in now.values() if other.id != number), bare], options, ply)
                articles = (*piece.articles[:index], article._replace(lock=lock), *piece.articles[index + 1 :])
                now[number] = piece._replace(articles=articles)
    return [now[number] for number in sorted(now)]


def a_piece(number: int, dice: random.Random) -> Piece:
    seat = int(number > WHITE_IDS)
    articles = tuple(Carried(dice.choice(ARTICLES)) for _ in range(dice.randrange(4)))
    return Piece(number, seat, dice.choice(KINDS), dice.randrange(PLACES), articles=articles, revealed=dice.choice((0, 0, 0, 5)))


@pytest.mark.parametrize("number", range(60))
def test_they_are_found_as_one_by_one(number: int) -> None:
    dice = random.Random(number)
    most = dice.choice((3, 12, 40))
    pieces = [a_piece(base + one, dice) for base in (1, WHITE_IDS + 1) for one in range(most)]
    options = Options(
        stealth_invisible=dice.random() < 0.8,
        submerged_invisible=dice.random() < 0.7,
        stealth_range_detect=dice.random() < 0.6,
        stealth_detector_range=dice.randrange(4),
        submergence_detector_range=dice.randrange(4),
        dominance=dice.choice(list(Dominance)),
        king_may_be_stealthy=dice.random() < 0.5,
    )
    found = first_locks(pieces, options, 1)
    assert found == one_by_one(pieces, options, 1)
    assert first_locks(pieces, options._replace(stealth_lock_on=False), 1) == pieces


@pytest.mark.parametrize("pick_up", [True, False])
def test_articles_carried_at_the_start_lock_like_those_picked_up(pick_up: bool) -> None:
    carrier, lying = ("B DS(5,5)", ["ASH(5,5)"]) if pick_up else ("B DS[ASH](5,5)", [])
    table = Table(carrier, "W AAA(6,5)", "W AAA(9,8)", articles=lying)
    near = table.find("AAA", "(6,5)").id
    if pick_up:
        table.play(table.picking("DS", "(5,5)", "ASH"))
    assert [article.lock for article in table.find("DS", "(5,5)").articles] == [near]


def test_in_the_first_revision_a_near_piece_is_no_target() -> None:
    table = Table("B DS[ASH](5,5)", "W AAA(6,5)", "W AAA(9,8)")
    position = table.position
    start = new_by("1", position.options, 2, position, SEED).position
    found = next(piece for piece in start.pieces if piece.kind == Kind.DESTROYER)
    far = table.find("AAA", "(9,8)").place
    assert [piece.place for piece in start.pieces if piece.id == found.articles[0].lock] == [far]
    assert start.revision == 1
    with pytest.raises(Malformed):
        new_by(str(REVISION + 1), position.options, 2, None, SEED)
