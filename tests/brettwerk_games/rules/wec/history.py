"""The history as readers have it, and a game played again from it (WEC-HIST-1, WEC-HIST-2)."""

from collections.abc import Iterable

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.actions import EndTurn
from brettwerk_games.rules.wec.notation_reader import RULE, read, turn_texts
from brettwerk_games.rules.wec.position import SPECTATOR, Position
from brettwerk_games.rules.wec.rules import apply
from brettwerk_games.rules.wec.view import readable, view

_SEED = bytes(32)


def strings(position: Position, seat: int | None) -> tuple[str, ...]:
    """Return the strings of all Turns so far as a seat or spectator may read them (WEC-OBS-12)."""
    eye = SPECTATOR if seat is None else seat
    return tuple(readable(line, eye, position.options, position.end) for line in position.history)


def rebuilt(start: Position, lines: Iterable[str]) -> Position:
    """Return the position after Turns that are given in full, one string each.

    Raises Malformed for what is no notation, and Illegal where a string does not tell what its actions lead to.
    """
    position = start
    for line in lines:
        for text in turn_texts(line):
            action = read(view(position, position.active), text)
            position = apply(position, position.active, action, _SEED).position
        position = apply(position, position.active, EndTurn(), _SEED).position
        if position.history[-1].full != line:
            raise Illegal("the string has different results", rule=RULE, details={"text": line[:60]})
    return position
