"""Hexagons have names, and up to six beside them, where their scene and their board have them, too."""

from brettwerk_games.rules.interface import Text, Tiling
from brettwerk_games.rules.open.grid import piece
from brettwerk_games.rules.open.hexagons import Hexagons

BOARD = Hexagons(3, 4)


def near(name: str) -> set[str]:
    names = [BOARD.name(hexagon) for hexagon in range(len(BOARD))]
    return {names[other] for other in BOARD.near[names.index(name)]}


def test_a_hexagon_has_up_to_six_beside_it() -> None:
    assert near("B2") == {"B3", "C3", "A2", "C2", "A1", "B1"}
    assert near("A3") == {"B3", "A2"}
    assert near("D1") == {"C1", "D2"}


def test_each_is_beside_those_that_are_beside_it() -> None:
    assert all(hexagon in BOARD.near[other] for hexagon in range(len(BOARD)) for other in BOARD.near[hexagon])


def test_those_beside_a_hexagon_are_as_far_from_it_on_the_board_and_touch_it_in_the_scene() -> None:
    board = BOARD.board()
    scene = BOARD.scene([None] * len(BOARD), ())
    assert scene.tiling == Tiling.HEXAGONS
    assert all(place.row < scene.rows and place.column + 1 < scene.columns for place in scene.places)
    for place, drawn in zip(board.places, scene.places, strict=True):
        for other in place.neighbours:
            x, y = board.places[other].x, board.places[other].y
            assert place.x is not None and place.y is not None and x is not None and y is not None
            assert abs((place.x - x) ** 2 + (place.y - y) ** 2 - 1) < 1e-9
            away = abs(drawn.row - scene.places[other].row), abs(drawn.column - scene.places[other].column)
            assert away in ((0, 2), (1, 1))


def test_a_piece_is_spoken_with_its_place_and_owner() -> None:
    scene = BOARD.scene([piece(1), *[None] * 11], ())
    assert scene.places[0].label == Text("place.piece.1", {"place": "A3"})
