"""Tells luck from skill, to learn more from every game: what each roll gave, and what each move gave away, as a search sees it.

The luck of a roll is the chance after it less the mean of the chances after all six. That is nothing on average, whatever the
search thinks of positions; so a result less the luck in it is right on average, too, and varies much less from game to game.
"""

from collections.abc import Mapping

from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.sides import after_move, pair_of
from brettwerk_games.rules.einstein import rules
from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.position import Position, needs_roll

_ENDLESS = 2**62
_ROLLS = range(1, 7)


class Judge:
    """Says what rolls and moves are worth to the side to move, by a search of that many plies above the tables."""

    def __init__(self, tables: Mapping[int, memoryview], depth: int) -> None:
        """Make an engine of its own."""
        self._engine = Engine(layout(), evaluation(), tables, 17)
        self._engine.begin(_ENDLESS, _ENDLESS, lambda: False)
        self._depth = depth

    def by_roll(self, position: Position) -> dict[int, dict[Move, float]]:
        """Return the chance of every move by roll; the only key is 0 where none is needed."""
        pair, found = pair_of(position), dict[Move, float]()
        rolls = _ROLLS if needs_roll(position.stones[position.to_move]) else (0,)
        by_roll = {}
        for roll in rolls:
            moves = rules.moves(position._replace(roll=roll))
            for move in moves:
                if move not in found:
                    root = after_move(pair, position.to_move, move)
                    found[move] = 1.0 if root is None else 1 - self._engine.chance(*root, self._depth - 1)
            by_roll[roll] = {move: found[move] for move in moves}
        return by_roll


def luck(by_roll: Mapping[int, Mapping[Move, float]], roll: int) -> float:
    """Return how much more a roll is worth than the mean roll; nothing where none is needed (`roll` is 0)."""
    best = {one: max(chances.values()) for one, chances in by_roll.items()}
    return best[roll] - sum(best.values()) / len(best)
