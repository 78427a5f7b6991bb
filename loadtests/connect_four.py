"""Four in a row on seven columns of six, behind the game interface: a small game without chance, to measure the generic player.

It offers what a player needs and no more: nobody can play it on the platform. It is written plainly, as a game's author would.
"""

from typing import NamedTuple, cast

from services.games.facts import GENERIC_LEVELS
from services.games.interface import AnyGame, Outcome, Step, Text
from services.games.ranking import of_two

COLUMNS, ROWS, ROW = 7, 6, 4
_LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


class Position(NamedTuple):
    """By column: the seats whose stones lie there, from below."""

    columns: tuple[tuple[int, ...], ...] = ((),) * COLUMNS
    played: int = 0
    winner: int | None = None


class View(NamedTuple):
    """The whole position, as a seat sees it."""

    position: Position
    seat: int | None


class Facts:
    """As much of the facts as a player asks for."""

    id, chance, hidden, draws, min_seats, seats, levels = "connect_four", False, False, False, 2, (0, 1), GENERIC_LEVELS


class ConnectFour:
    """The rules."""

    facts = Facts()

    def new(self, options: object, seats: int, start: Position | None, seed: bytes) -> Step[Position, object]:
        """Return the empty board."""
        return Step(start or Position())

    def seats(self, position: Position) -> int:
        """Return 2."""
        return 2

    def to_act(self, position: Position) -> tuple[int, ...]:
        """Return whose turn it is."""
        return () if position.winner is not None or position.played == COLUMNS * ROWS else (position.played % 2,)

    def view(self, position: Position, seat: int | None) -> View:
        """Return what everybody sees."""
        return View(position, seat)

    def actions(self, view: View) -> tuple[int, ...]:
        """Return the columns that are not full."""
        if view.seat is None or self.to_act(view.position) != (view.seat,):
            return ()
        return tuple(number for number, column in enumerate(view.position.columns) if len(column) < ROWS)

    def apply(self, position: Position, seat: int, action: int, seed: bytes) -> Step[Position, object]:
        """Return the position with one more stone."""
        columns = list(position.columns)
        columns[action] = (*columns[action], seat)
        after = Position(tuple(columns), position.played + 1)
        return Step(after._replace(winner=seat) if _is_won(after.columns, action) else after)

    def outcome(self, position: Position) -> Outcome | None:
        """Return who has won; a full board is a draw."""
        if position.winner is None and position.played < COLUMNS * ROWS:
            return None
        return of_two(position.winner, Text("end"), "END")

    def sample(self, view: View, seed: bytes) -> Position:
        """Return the position: nothing is hidden."""
        return view.position


def _is_won(columns: tuple[tuple[int, ...], ...], column: int) -> bool:
    """Tell whether the uppermost stone of a column is one of four in a row."""
    row = len(columns[column]) - 1
    seat = columns[column][row]
    for across, up in _LINES:
        count = 1
        for way in (1, -1):
            x, y = column + way * across, row + way * up
            while 0 <= x < COLUMNS and 0 <= y < len(columns[x]) and columns[x][y] == seat:
                count += 1
                x, y = x + way * across, y + way * up
        if count >= ROW:
            return True
    return False


GAME = cast(AnyGame, ConnectFour())
