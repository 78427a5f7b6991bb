"""Samples look like the view, and hide in them what is missing from it."""

from services.games.wec.kinds import Kind
from services.games.wec.options import Options
from services.games.wec.sampling import sample
from services.games.wec.seeing import hidden
from services.games.wec.start import new
from services.games.wec.view import view
from tests.services.games.wec.boards import SEED, Table
from tests.services.games.wec.random_games import play


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


def test_what_is_known_to_be_gone_is_not_guessed() -> None:
    table = Table("B TA>(2,4)", "W AAA(4,4)")
    table.position = table.position._replace(edited=False)
    number = table.find("AAA", "(4,4)").id
    table.move("TA", "(2,4)", "(6,4)").end()
    assert number in table.view(0).memory.gone
    guess = sample(table.view(0), SEED)
    assert all(piece.id != number for piece in guess.pieces)


def test_a_marker_is_where_a_hidden_piece_is_guessed_first() -> None:
    table = Table("B SHP(4,4)", "W AAA(7,7)", ply=2).move("AAA", "(7,7)", "(8,8)").end()
    table.move("SHP", "(4,4)", "(5,3)").end()
    guess = sample(table.view(0), SEED)
    assert [piece.seat for piece in guess.pieces if piece.kind == Kind.AAA] == [1]


def test_samples_differ_by_their_seed() -> None:
    position = list(play(3, Options(), 60))[-1]
    seen = view(position, position.active)
    assert len({sample(seen, bytes([n]) * 32) for n in range(8)}) > 1
