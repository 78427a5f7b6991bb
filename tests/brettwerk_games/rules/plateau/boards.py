"""Positions written down for tests: `stand("E@A1 2@D4", "E@A9 4@E5")`, and turns as texts."""

import pytest

from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import Action, Event, Move
from brettwerk_games.rules.plateau.board import MARK, setup
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.position import Position, Turn, View, army_at
from brettwerk_games.rules.plateau.turns import begin
from brettwerk_games.rules.refusals import Illegal

SEED = bytes(32)
FREE = Turn(due=0)
"""A turn that may end at any time, to look at single moves."""


def stand(
    *sides: str, options: Options | None = None, to_move: int = 0, fallen: tuple[int, ...] = (), turn: Turn = FREE
) -> Position:
    """Return the position in which the seats have these armies."""
    chosen = options or Options()
    there = setup(chosen.size, chosen.shape, len(sides))
    assert there is not None
    armies = []
    for side in sides:
        nodes = [0, 0, 0, 0]
        for army in side.split():
            mark, node = army.split("@")
            nodes[MARK.index(mark)] |= 1 << there.board.number_of[node]
        armies.append((nodes[0], nodes[1], nodes[2], nodes[3]))
    return Position(chosen, tuple(armies), to_move, turn, fallen)


def begun(*sides: str, options: Options | None = None, to_move: int = 0, fallen: tuple[int, ...] = ()) -> Position:
    """Return such a position with the turn begun."""
    return begin(stand(*sides, options=options, to_move=to_move, fallen=fallen))[0]


def new(seats: int = 2, options: Options | None = None, seed: bytes = SEED) -> Position:
    return GAME.new(options or Options(), seats, None, seed).position


def view(position: Position) -> View:
    return GAME.view(position, position.to_move)


def legal(position: Position) -> tuple[Action, ...]:
    return tuple(GAME.actions(view(position)))


def moves(position: Position, name: str) -> set[tuple[str, int]]:
    """Return targets and steps of the moves of the army on a node."""
    names, node = position.board.names, position.board.number_of[name]
    return {(names[move.target], move.steps) for move in legal(position) if isinstance(move, Move) and move.source == node}


def do(position: Position, *texts: str) -> Position:
    """Return the position after actions in notation; each is read, applied, and written again."""
    return done(position, *texts)[0]


def done(position: Position, *texts: str) -> tuple[Position, list[Event]]:
    """Return the position after actions in notation, and all events."""
    events: list[Event] = []
    for text in texts:
        action = GAME.read(view(position), text)
        step = GAME.apply(position, position.to_move, action, SEED)
        position = step.position
        events += step.events
    return position, events


def refusal(position: Position, *texts: str) -> Illegal:
    """Return the refusal of the last text; those before it are played."""
    position = do(position, *texts[:-1])
    with pytest.raises(Illegal) as caught:
        GAME.read(view(position), texts[-1])
    return caught.value


def rule(position: Position, *texts: str) -> str:
    """Return the rule that refuses the last text."""
    return refusal(position, *texts).rule


def at(position: Position, name: str) -> str:
    """Return what stands on a node: `0:4` for a four of seat 0, nothing for nothing."""
    node = position.board.number_of[name]
    for seat, armies in enumerate(position.armies):
        army = army_at(armies, node)
        if army is not None:
            return f"{seat}:{MARK[army]}"
    return ""
