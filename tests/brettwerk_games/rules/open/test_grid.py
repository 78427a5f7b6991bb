"""Squares have names, and lines through them are counted."""

import pytest

from brettwerk_games.rules.interface import Text
from brettwerk_games.rules.open.grid import Grid, piece

GRID = Grid(3, 4)


def test_a1_is_below_left() -> None:
    assert [GRID.name(square) for square in (0, 3, 8, 11)] == ["A3", "D3", "A1", "D1"]


@pytest.mark.parametrize(
    ("squares", "length"), [((4, 5, 6, 7), 4), ((1, 5, 9), 3), ((0, 5, 10), 3), ((2, 5, 8), 3), ((3, 4, 5), 2)],
    ids=["across", "upright", "falling", "rising", "not round the edge"],
)  # fmt: skip
def test_lines_are_counted(squares: tuple[int, ...], length: int) -> None:
    owners = [1 if square in squares else None for square in range(len(GRID))]
    assert max(GRID.lines(5, owners)) == length


def test_a_piece_is_spoken_with_its_place_and_owner() -> None:
    scene = GRID.scene([piece(1), *[None] * 11], ())
    assert scene.places[0].label == Text("place.piece.1", {"place": "A3"})
    assert scene.places[1].label == Text("place.empty", {"place": "B3"})


def test_squares_know_those_beside_them() -> None:
    board = GRID.board()
    beside = {place.name: [board.places[near].name for near in place.neighbours] for place in board.places}
    assert beside["A3"] == ["B3", "A2", "B2"]
    assert len(beside["B2"]) == 8
    assert all(place.number == number for number, place in enumerate(board.places))
    assert (board.width, board.height) == (4, 3)
