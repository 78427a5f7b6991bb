"""The board for clients: three levels of squares, and how kinds of pieces Move and what weapons hit, whoever is in the way.

Ground, Air and Sub are drawn from left to right, Black below, and so far apart that no pattern leads from one to another.
"""

from brettwerk_games.rules.board import Board, BoardGroup, BoardPattern, BoardPlace, Line
from brettwerk_games.rules.wec.board import BLACK, DIRECTIONS, LEVELS, NEIGHBOURS, SIZE, SQUARES, WHITE, place_of
from brettwerk_games.rules.wec.kinds import WEAPONS, Article
from brettwerk_games.rules.wec.notation_signs import place_text
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.paths import Outline, outlines
from brettwerk_games.rules.wec.weapons import reach_of

_LEVELS = ("ground", "air", "sub")
_APART = 2 * SIZE
"""Columns from a level to the next: a Move goes less far than the board is wide."""
_WIDTH = (len(LEVELS) - 1) * _APART + SIZE


def board_of(options: Options, seats: int) -> Board:
    """Return the places, each with its neighbours on its level (WEC-BOARD), the levels, and the patterns of these options."""
    return Board(_PLACES, _LEVEL_GROUPS, (*_moves(options), *(_hits(options, weapon) for weapon in WEAPONS)), _WIDTH, SIZE)


def _place(level: int, square: int) -> BoardPlace:
    row, column = divmod(square, SIZE)
    place = place_of(square, level)
    neighbours = tuple(place_of(near, level) for near in NEIGHBOURS[square])
    return BoardPlace(place, place_text(place), level * _APART + column, SIZE - 1 - row, neighbours)


_PLACES = tuple(_place(level, square) for level in LEVELS for square in range(SQUARES))
_LEVEL_GROUPS = tuple(
    BoardGroup(name, tuple(range(level * SQUARES, (level + 1) * SQUARES)), f"place.level.{name}")
    for level, name in zip(LEVELS, _LEVELS, strict=True)
)


def _moves(options: Options) -> list[BoardPattern]:
    """Return the patterns of Moves, each for Black and turned by half a turn for White (WEC-BOARD-4)."""
    return [
        BoardPattern(name, (seat,), tuple(_drawn(line, seat) for line in lines))
        for name, lines in outlines(options).items()
        for seat in (BLACK, WHITE)
        if lines
    ]


def _drawn(outline: Outline, seat: int) -> Line:
    sign = 1 if seat == BLACK else -1
    return tuple((sign * right, -sign * forward) for right, forward in outline)


def _hits(options: Options, weapon: Article) -> BoardPattern:
    """Return what a weapon hits in each direction, within its reach (WEC-FIRE)."""
    reach = range(1, reach_of(weapon, options) + 1)
    lines = tuple(tuple((step * columns, -step * rows) for step in reach) for rows, columns in DIRECTIONS)
    return BoardPattern(weapon.name.lower(), (BLACK, WHITE), lines, hits=True)
