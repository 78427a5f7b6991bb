"""Numbers of pieces tell nothing of what is hidden (WEC-RUL-54)."""

from services.games.interface import Kind as Carry
from services.games.wec import GAME
from services.games.wec.actions import Home
from services.games.wec.kinds import Article, Kind
from services.games.wec.naming import first_names, meant
from services.games.wec.options import Options
from services.games.wec.position import Position, View
from services.games.wec.start import new
from services.games.wec.view import view
from tests.services.games.wec.boards import SEED, Table, at, board
from tests.services.games.wec.random_games import play


def begun(*pieces: str) -> Position:
    return new(Options(), 2, board(*pieces), SEED).position


def test_on_an_edited_board_numbers_do_not_tell_how_many_hidden_pieces_stand_before_others() -> None:
    plain, other = begun("W RP(6,4)"), begun("W RP(6,4)", "W AAA(10,9)", "W AAA(8,8)", "W SU(9,9) Sub")
    for seat in (0, None):
        assert GAME.codec.encode(Carry.VIEW, view(plain, seat)) == GAME.codec.encode(Carry.VIEW, view(other, seat))
    assert [p.id for p in plain.pieces] != [p.id for p in other.pieces if p.kind not in (Kind.AAA, Kind.SUB)]


def test_on_the_standard_board_which_everybody_knows_numbers_are_ids() -> None:
    position = new(Options(), 2, None, SEED).position
    assert not position.names
    for seat in (0, 1, None):
        assert {piece.id for piece in view(position, seat).pieces} <= {piece.id for piece in position.pieces}


def test_of_two_like_pieces_a_marker_tells_without_ids_which_is_seen_again() -> None:
    """WEC-OBS-8: so ids of the standard board, which stay as they are, say no more of it."""
    again = 0
    for number in range(6):
        former: View | None = None
        for position in play(number, Options(competitive=True), most=120):
            now = view(position, 0)
            if former is not None:
                there = {(mark.kind, mark.place) for mark in now.memory.marks}
                seen = {piece.id for piece in now.pieces}
                for mark in former.memory.marks:
                    if mark.piece in seen:
                        twins = {(other.kind, other.place) for other in former.memory.marks if other.piece not in seen}
                        assert (mark.kind, mark.place) not in there - twins
                        again += 1
            former = now
    assert again > 5


def test_a_number_stays_while_a_piece_goes_out_of_sight_and_comes_back() -> None:
    table = Table("B SHP(4,4)", "W AAA(9,1)", "W AAA(7,7)", ply=2)
    table.position = table.position._replace(names=first_names(table.position))
    (number,) = (piece.id for piece in table.view(0).pieces if piece.kind == Kind.AAA)
    table.move("AAA", "(7,7)", "(8,8)")
    assert [mark.piece for mark in table.view(0).memory.marks] == [number]
    table.end().idle().move("AAA", "(8,8)", "(7,7)")
    assert [piece.id for piece in table.view(0).pieces if piece.kind == Kind.AAA] == [number]


def test_actions_mean_pieces_by_the_numbers_of_their_seat() -> None:
    table = Table("W AAA(9,1)", "W JE(6,5) Air", "B JE(5,5) Air")
    table.position = table.position._replace(names=first_names(table.position))
    jet = table.find("JE", "(6,5) Air", seat=1).id
    (told,) = (piece.id for piece in table.view(0).pieces if piece.place == at("(6,5) Air"))
    assert told != jet
    action = Home(table.find("JE", "(5,5) Air", seat=0).id, Article.SAM, told)
    assert action in table.legal()
    assert meant(table.position, 0, action) == Home(action.piece, Article.SAM, jet)
    assert [flying.target for flying in table.play(action).position.projectiles] == [jet]
    assert [flying.target for flying in table.view(0).projectiles] == [told]


def test_names_come_back_from_their_bytes() -> None:
    position = begun("W RP(6,4)", "W AAA(10,9)")
    assert position.names
    assert GAME.codec.decode(Carry.POSITION, GAME.codec.encode(Carry.POSITION, position)) == position
