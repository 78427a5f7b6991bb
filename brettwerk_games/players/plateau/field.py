"""Positions of the game as rows of a `Ground`, and moves of the kernels as actions of the game."""

from dataclasses import dataclass
from functools import lru_cache

from brettwerk_games.players.plateau.kernels.conquest import Conquest
from brettwerk_games.players.plateau.kernels.ground import Ground
from brettwerk_games.players.plateau.kernels.lookahead import Lookahead
from brettwerk_games.players.plateau.kernels.turns import Turns
from brettwerk_games.players.plateau.kernels.worth import PRESET, Worth
from brettwerk_games.rules.plateau.board import STEPS, Board, bits
from brettwerk_games.rules.plateau.options import Fallen, Options
from brettwerk_games.rules.plateau.position import Position

MAX_TOOLS = 12
"""Sets of kernels that are kept: there are only so many boards, options and weights in use at a time."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The kernels for one board and its options."""

    ground: Ground
    worth: Worth
    turns: Turns
    conquest: Conquest
    lookahead: Lookahead


def tools_of(position: Position, weights: tuple[int, ...] = PRESET) -> Tools:
    """Return the kernels for a position's board and options. They are shared: whoever thinks with them thinks alone."""
    return _tools(position.options._replace(touch_move=False), len(position.armies), weights)


@lru_cache(maxsize=MAX_TOOLS)
def _tools(options: Options, seats: int, weights: tuple[int, ...]) -> Tools:
    board, bases, _ = Position(options, ((0, 0, 0, 0),) * seats, 0).setup
    ground = Ground(
        beside(board),
        bases,
        options.alliance,
        options.conquest_wins,
        options.fallen == Fallen.TAKE_OVER,
        options.jump_may_end,
    )
    worth, conquest = Worth(ground, weights), Conquest(ground)
    turns = Turns(ground, worth)
    return Tools(ground, worth, turns, conquest, Lookahead(ground, worth, turns, conquest))


def beside(board: Board) -> list[int]:
    """Return for each node its four neighbours in the order of STEPS, -1 where there is none."""
    found = []
    for node in range(len(board.names)):
        here = 1 << node & board.nodes
        found += [board.shift(here, direction).bit_length() - 1 for direction in range(len(STEPS))]
    return found


def load(ground: Ground, row: int, position: Position) -> None:
    """Write a position to a row."""
    codes = [0] * len(position.board.names)
    moved = position.turn.moved
    for seat, armies in enumerate(position.armies):
        for kind, nodes in enumerate(armies):
            for node in bits(nodes):
                resting = 32 if seat == position.to_move and moved >> node & 1 else 0
                codes[node] = 1 + kind + 4 * seat + resting
    small, emblem, order, _, due = position.turn
    fallen = sum(1 << seat for seat in position.fallen)
    winner = 0 if position.winner is None else position.winner + 1
    ground.load(row, codes, (small, emblem, order, due, position.to_move, fallen, position.end is not None, winner))
