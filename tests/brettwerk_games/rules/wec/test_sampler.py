"""Samples look like the view, and hide in them what is missing from it."""

from brettwerk_games.rules.wec.kinds import Article, Kind
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.sampler import sample
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.visibility import hidden
from tests.brettwerk_games.rules.wec.boards import SEED, Table
from tests.brettwerk_games.rules.wec.random_games import articles, play, stock


def test_a_sample_looks_like_the_view() -> None:
    for number in (1, 2):
        for position in list(play(number, Options(), 80))[::30]:
            for seat in (0, 1, None):
                seen = view(position, seat)
                assert view(sample(seen, bytes([number]) * 32), seat) == seen


def test_a_sample_of_the_start_has_the_hidden_aaa() -> None:
    position = new(Options(), 2, None, SEED).position
    guess = sample(view(position, 0), SEED)
    aaa = [piece for piece in guess.pieces if piece.seat == 1 and piece.kind == Kind.AAA]
    assert len(aaa) == 2
    assert {piece.id for piece in aaa} <= hidden(guess.pieces, guess.options, guess.ply)


def test_a_piece_known_to_be_gone_is_not_guessed() -> None:
    table = Table("B TA>(2,4)", "W AAA(4,4)")
    table.position = table.position._replace(edited=False)
    before = sample(table.view(0), SEED)
    table.move("TA", "(2,4)", "(6,4)").end()
    (number,) = table.view(0).memory.gone
    assert [piece.kind for piece in before.pieces if piece.id == number] == [Kind.AAA]
    guess = sample(table.view(0), SEED)
    assert all(piece.id != number for piece in guess.pieces)


def test_a_marker_is_where_a_hidden_piece_is_guessed_first() -> None:
    table = Table("B SHP(4,4)", "W AAA(7,7)", ply=2).move("AAA", "(7,7)", "(8,8)").end()
    table.move("SHP", "(4,4)", "(5,3)").end()
    guess = sample(table.view(0), SEED)
    assert [piece.seat for piece in guess.pieces if piece.kind == Kind.AAA] == [1]


def test_samples_differ_by_their_seed() -> None:
    position = list(play(9, Options(), 60))[-1]
    seen = view(position, position.active)
    assert len({sample(seen, bytes([n]) * 32) for n in range(8)}) > 1


def test_a_sample_holds_every_article_of_the_game() -> None:
    table = Table()
    start = new(Options(), 2, None, SEED).position
    aaa = next(piece for piece in start.pieces if piece.seat == 1 and piece.kind == Kind.AAA)
    for kind in (Article.FLAME, Article.STEALTH, Article.COUNTER_STUN):
        ground = list(start.ground)
        square = next(n for n, lying in enumerate(ground) if any(article.kind == kind for article in lying))
        taken = next(article for article in ground[square] if article.kind == kind)
        ground[square] = tuple(article for article in ground[square] if article is not taken)
        laden = tuple(p._replace(articles=(taken,)) if p.id == aaa.id else p for p in start.pieces)
        table.position = start._replace(pieces=laden, ground=tuple(ground))
        guess = sample(table.view(0), SEED)
        assert articles(guess) == stock(Options())
        assert view(guess, 0) == table.view(0)


def test_a_reinforcement_that_came_unseen_is_guessed() -> None:
    start = new(Options(), 2, None, SEED).position
    called = next(reserve for reserve in start.reserves if reserve.seat == 1 and reserve.kind == Kind.AAA)
    came = Piece(called.id, 1, Kind.AAA, called.square)
    pieces = tuple(sorted((*(p for p in start.pieces if p.place != called.square), came)))
    position = start._replace(pieces=pieces, reserves=tuple(r for r in start.reserves if r != called), ply=9)
    seen = view(position, 0)
    if any(piece.id == called.id for piece in seen.pieces):
        position = position._replace(pieces=tuple(p._replace(place=55) if p.id == called.id else p for p in pieces))
        seen = view(position, 0)
    guess = sample(seen, SEED)
    assert called.id in {piece.id for piece in guess.pieces}


def test_samples_of_random_games_are_people_and_not_the_bare_view() -> None:
    better = 0
    for position in list(play(8, Options(), 60))[::25]:
        seat = position.active
        seen = view(position, seat)
        guess = sample(seen, SEED)
        assert view(guess, seat) == seen
        better += len(guess.pieces) > len(seen.pieces)
    assert better > 5
