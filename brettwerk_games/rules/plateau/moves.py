"""All moves that the rules of movement and the step budget leave, whether or not the turn can be finished after them."""

from collections.abc import Iterator
from typing import NamedTuple

from brettwerk_games.rules.plateau import budget
from brettwerk_games.rules.plateau.board import ARMIES, Army, bits
from brettwerk_games.rules.plateau.position import Position
from brettwerk_games.rules.plateau.reach import Reached, reach
from brettwerk_games.rules.plateau.terrain import terrain

SMALL = (Army.TWO, Army.FOUR, Army.SIX)


class Candidate(NamedTuple):
    """An army on a node with something that it can reach."""

    army: Army
    source: int
    reached: Reached


def standing(position: Position, armies: tuple[Army, ...]) -> Iterator[tuple[Army, int]]:
    """Yield the armies of the seat to move that have not moved in the turn, by kind and then by node."""
    own = position.armies[position.to_move]
    for army in armies:
        for node in bits(own[army] & ~position.turn.moved):
            yield army, node


def able(position: Position) -> Iterator[tuple[Army, int, int]]:
    """Yield the armies of the seat to move that may still move, each with its node and the steps that are free."""
    for army in ARMIES:
        free = budget.allowance(position.turn, army)
        if free > 0:
            for _, node in standing(position, (army,)):
                yield army, node, free


def candidates(position: Position) -> Iterator[Candidate]:
    """Yield what the armies of the seat to move can reach within the budget, in a fixed order: small armies, then the emblem."""
    board, ground = position.board, terrain(position, position.to_move)
    for army, node, free in able(position):
        for reached in reach(board, army, node, ground, free):
            yield Candidate(army, node, reached)
