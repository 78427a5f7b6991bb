"""The reach of pieces, own and others': the rules' own answers, made of a view and of nothing else."""

from typing import Any

import pytest

from brettwerk_games.rules.wec import rules
from brettwerk_games.rules.wec.actions import Doze, Move
from brettwerk_games.rules.wec.board import NEXT
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import SPECTATOR, Position, Turn
from brettwerk_games.rules.wec.reach_map import reaches
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import Table, at
from tests.brettwerk_games.rules.wec.random_games import play

OPEN: dict[str, Any] = {"stealth_invisible": False, "submerged_invisible": False}


def goals(position: Position) -> dict[int, set[int]]:
    """Return where the active seat's pieces can go, as the rules list it."""
    found: dict[int, set[int]] = {}
    for action in rules.actions(view(position, position.active)):
        if isinstance(action, Move):
            found.setdefault(action.piece, set()).add(action.place)
        elif isinstance(action, Doze):
            square = next(piece.square for piece in position.pieces if piece.id == action.piece)
            found.setdefault(action.piece, set()).add(NEXT[square][action.direction])
    return found


def reached(position: Position, eye: int | None, seat: int) -> dict[int, set[int]]:
    pieces = {piece.id for piece in view(position, eye).pieces if piece.seat == seat}
    return {each.piece: set(each.goes) for each in reaches(view(position, eye)) if each.piece in pieces and each.goes}


@pytest.mark.parametrize("number", range(3))
def test_where_own_pieces_go_is_what_the_rules_list(number: int) -> None:
    for count, position in enumerate(play(number, Options(), most=40)):
        if count % 7 == 0:
            assert reached(position, position.active, position.active) == goals(position)


@pytest.mark.parametrize("number", range(3))
def test_where_own_pieces_go_alone_is_what_the_rules_list_as_moves_without_a_passenger(number: int) -> None:
    for position in list(play(number, Options(), most=40))[::7]:
        seen = view(position, position.active)
        moves = {(each.piece, each.place) for each in rules.actions(seen) if isinstance(each, Move) and not each.carry}
        own = {piece.id for piece in seen.pieces if piece.seat == position.active}
        assert {(each.piece, place) for each in reaches(seen) if each.piece in own for place in each.alone} == moves


def test_a_square_that_needs_a_doze_is_not_reached_alone() -> None:
    table = Table("B DO(5,5)", "B FP(5,5)", "W RP(5,6)", **OPEN)
    dozer = reach(table, 1, "DO", "(5,5)", 0)
    assert at("(5,6)") in dozer.goes
    assert at("(5,6)") not in dozer.alone
    assert at("(5,4)") in dozer.alone


@pytest.mark.parametrize("number", range(3))
def test_where_the_others_go_is_what_the_rules_list_in_their_turn(number: int) -> None:
    """Where nothing is hidden, and but for the Pawns' marks, which others are not shown."""
    for position in play(number, Options(**OPEN), most=40):
        if position.turn == Turn():
            plain = position._replace(pieces=tuple(piece._replace(origin=False) for piece in position.pieces))
            for eye in (1 - plain.active, SPECTATOR):
                assert reached(plain, eye, plain.active) == goals(plain)


def reach(table: Table, eye: int, code: str, where: str, seat: int) -> Any:
    number = table.find(code, where, seat=seat).id
    return next((each for each in reaches(table.view(eye)) if each.piece == number), None)


def test_fire_is_told_as_far_as_what_is_there_lets_it_pass() -> None:
    table = Table("W FP(5,5)", "W STP(7,2)", "B RP(7,6)", **OPEN)
    around = {at(f"({row},{column})") for row in (4, 5, 6) for column in (4, 5, 6)} - {at("(5,5)")}
    assert set(reach(table, 0, "FP", "(5,5)", 1).hits) == around
    eastward = [at(f"(7,{column})") for column in range(3, 11)]
    assert [place in reach(table, 0, "STP", "(7,2)", 1).hits for place in eastward] == [True] * 4 + [False] * 4
    assert [place in reach(table, 1, "RP", "(7,6)", 0).hits for place in eastward[4:]] == [True] * 4


def test_launchers_hit_on_the_level_of_what_they_fire() -> None:
    table = Table("W AAA(5,5)", "B JE(6,6) Air", **OPEN)
    hits = reach(table, 0, "AAA", "(5,5)", 1).hits
    assert all(100 <= place < 200 for place in hits)
    assert at("(6,6) Air") in hits and at("(7,7) Air") not in hits


def test_a_piece_that_is_stunned_or_has_fired_reaches_less() -> None:
    table = Table("B FP(3,3)", "W STP(3,5)", **OPEN).fire("FP", "(3,3)", "FL", (1, 0))
    assert reach(table, 1, "FP", "(3,3)", 0).hits == ()
    stunned = Table("B FP(3,3)", "W STP(3,5)", ply=2, **OPEN).fire("STP", "(3,5)", "ST", (0, -1)).idle()
    assert reach(stunned, 1, "FP", "(3,3)", 0) is None


def test_pieces_out_of_sight_have_no_reach_listed() -> None:
    table = Table("W SU(5,5) Sub", "B FP(3,3)")
    number = table.find("SU", "(5,5) Sub").id
    assert number not in [each.piece for each in reaches(table.view(0))]
    assert number in [each.piece for each in reaches(table.view(1))]
    for eye in (0, 1):
        assert {each.piece for each in reaches(table.view(eye))} <= {piece.id for piece in table.view(eye).pieces}


def test_the_rest_of_a_turn_is_what_its_own_side_has() -> None:
    table = Table("B FP(3,3)", "B RP(6,6)", **OPEN).move("FP", "(3,3)", "(4,4)")
    assert reach(table, 0, "RP", "(6,6)", 0).goes == ()
    assert reach(table, 1, "RP", "(6,6)", 0).goes != ()
