"""Whole games as texts: a line for each Turn, the string of its history (WEC-HIST-2, WEC-NOTATION-1)."""

from collections.abc import Sequence

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.actions import Action, EndTurn
from brettwerk_games.rules.wec.notation_reader import RULE, turn_texts
from brettwerk_games.rules.wec.notation_writer import END, UNKNOWN, compose, letter, write
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import Position
from brettwerk_games.rules.wec.rules import apply
from brettwerk_games.rules.wec.view import view

_SEED = bytes(32)
_RESULTS, _ORDER = ",RS:", ",OR:"


def line(before: Position, actions: Sequence[Action], after: Position) -> str:
    """Return the string of a Turn, or of the part of one that these actions are; a part has no results."""
    if not before.turn.items and isinstance(actions[-1], EndTurn):
        return after.history[-1].full
    written = []
    position = before
    for action in actions:
        if not isinstance(action, EndTurn):
            written.append((letter(action), write(view(position, position.active), action)))
            position = apply(position, position.active, action, _SEED).position
    return compose(written, ())


def ends_line(action: Action) -> bool:
    """Tell whether an action ends the Turn."""
    return isinstance(action, EndTurn)


def notations(line: str, *, whole: bool) -> list[str]:
    """Return the actions of a Turn's string in the order of play. Raises Malformed, and Illegal for a censored string."""
    if UNKNOWN in line:
        raise Illegal("the string leaves out what its reader did not see", rule="WEC-RUL-53")
    return [*turn_texts(line), END] if whole else turn_texts(line)


def require_consistent(line: str, after: Position) -> None:
    """Raise Illegal where a string tells of other results than its Turn had; one without results tells of none."""
    if _RESULTS in line and _results(line) != _results(after.history[-1].full):
        raise Illegal("the string has different results", rule=RULE, details={"text": line[:60]})


def _results(text: str) -> str:
    return text.partition(_RESULTS)[2].partition(_ORDER)[0]


def open_to_all(options: Options) -> Options:
    """Return the options of a game that is opened from a text: it is not competitive (WEC-MODE-1)."""
    return options._replace(competitive=False)
