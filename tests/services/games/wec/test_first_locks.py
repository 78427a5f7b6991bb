"""The locks of the first position are those that each Counter-Stealth would find for itself, one after the other."""

import random

import pytest

from services.games.wec.board import PLACES
from services.games.wec.kinds import Article, Kind
from services.games.wec.options import Dominance, Options
from services.games.wec.pieces import WHITE_IDS, Carried, Piece
from services.games.wec.seeing import first_locks, nearest, target_for

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
                lock = target_for(piece, list(now.values()), options, ply)
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
