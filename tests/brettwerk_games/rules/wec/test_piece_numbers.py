"""In games of the second revision of the rules an eye keeps its number of what it has once seen (WEC-RUL-54)."""

from brettwerk_games.rules.interface import Kind as Carry
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import Home
from brettwerk_games.rules.wec.kinds import Article, Kind
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.piece_numbers import first_names, meant
from brettwerk_games.rules.wec.position import Position
from brettwerk_games.rules.wec.start import new_by
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import SEED, Table, at, board


def begun(*pieces: str) -> Position:
    return new_by("2", Options(), 2, board(*pieces), SEED).position


def former(table: Table) -> Table:
    """The table as the second revision has it."""
    table.position = table.position._replace(revision=2, names=first_names(table.position))
    return table


def test_on_an_edited_board_numbers_do_not_tell_how_many_hidden_pieces_stand_before_others() -> None:
    plain, other = begun("W RP(6,4)"), begun("W RP(6,4)", "W AAA(10,9)", "W AAA(8,8)", "W SU(9,9) Sub")
    for seat in (0, None):
        assert GAME.codec.encode(Carry.VIEW, view(plain, seat)) == GAME.codec.encode(Carry.VIEW, view(other, seat))


def test_a_number_stays_while_a_piece_goes_out_of_sight_and_comes_back() -> None:
    table = former(Table("B SHP(4,4)", "W AAA(9,1)", "W AAA(7,7)", ply=2))
    (number,) = (piece.id for piece in table.view(0).pieces if piece.kind == Kind.AAA)
    table.move("AAA", "(7,7)", "(8,8)")
    assert [mark.piece for mark in table.view(0).memory.marks] == [number]
    table.end().idle().move("AAA", "(8,8)", "(7,7)")
    assert [piece.id for piece in table.view(0).pieces if piece.kind == Kind.AAA] == [number]


def test_actions_mean_pieces_by_the_numbers_of_their_seat() -> None:
    table = former(Table("W AAA(9,1)", "W JE(6,5) Air", "B JE(5,5) Air"))
    jet = table.find("JE", "(6,5) Air", seat=1).id
    (received,) = (piece.id for piece in table.view(0).pieces if piece.place == at("(6,5) Air"))
    assert received != jet
    action = Home(table.find("JE", "(5,5) Air", seat=0).id, Article.SAM, received)
    assert action in table.legal()
    assert meant(table.position, 0, action) == Home(action.piece, Article.SAM, jet)
    assert [flying.target for flying in table.play(action).position.projectiles] == [jet]
    assert [flying.target for flying in table.view(0).projectiles] == [received]


def test_names_come_back_from_their_bytes() -> None:
    position = begun("W RP(6,4)", "W AAA(10,9)")
    assert position.names
    assert GAME.codec.decode(Carry.POSITION, GAME.codec.encode(Carry.POSITION, position)) == position
