"""Whole games as texts: a line for each move or arrangement (EWN-NOTATION-1). A roll is told by the move that is made with it."""

from collections.abc import Sequence

from brettwerk_games.rules.einstein.actions import Action
from brettwerk_games.rules.einstein.notation import write
from brettwerk_games.rules.einstein.options import Options
from brettwerk_games.rules.einstein.position import Position, View


def line(before: Position, actions: Sequence[Action], after: Position) -> str:
    """Return the notation of the one action."""
    return write(View(before, before.to_move), actions[0])


def ends_line(action: Action) -> bool:
    """Return True."""
    return True


def notations(line: str, *, whole: bool) -> list[str]:
    """Return the line itself."""
    return [line]


def require_consistent(line: str, after: Position) -> None:
    """Nothing to do: a line tells of nothing but its action."""


def open_to_all(options: Options) -> Options:
    """Return the options: nothing is hidden in this game."""
    return options
