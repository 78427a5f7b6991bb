"""A game on OpenSpiel's board and on ours: OpenSpiel is the referee of the match against its MCTS."""

import re
from typing import Any

from brettwerk_games.rules.einstein import rules
from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.position import ALL_GONE, Position, needs_roll

_CELL = re.compile(r"\|(..)\|")
_STEPS = ((1, 1), (1, 0), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""OpenSpiel's directions as rows and columns."""


class SpielBoard:
    """A game on both boards."""

    def __init__(self, game: Any, setups: tuple[int, int]) -> None:
        """Set up by OpenSpiel's numbers, Black's first; White moves first."""
        self.state = game.new_initial_state()
        for setup in setups:
            self.state.apply_action(setup)
        sides = {"w": list(ALL_GONE), "b": list(ALL_GONE)}
        for square, cell in enumerate(_CELL.findall(str(self.state))):
            if cell != "__":
                sides[cell[0]][int(cell[1]) - 1] = square
        self.position = Position((tuple(sides["w"]), tuple(sides["b"])))

    def roll(self, number: int) -> None:
        """Roll on both boards (OpenSpiel rolls for a single stone, too)."""
        self.state.apply_action(number - 1)
        if needs_roll(self.position.stones[self.position.to_move]):
            self.position = self.position._replace(roll=number)

    def action(self, move: Move) -> int:
        """Return OpenSpiel's number of one of our moves."""
        return next(int(action) for action in self.state.legal_actions() if self.move(action) == move)

    def move(self, action: int) -> Move:
        """Return our move of one of OpenSpiel's numbers."""
        square, direction = action // 12, action % 12 // 2
        row, column = _STEPS[direction]
        return Move(self.position.stones[self.position.to_move].index(square) + 1, square + 5 * row + column)

    def play(self, action: int) -> None:
        """Play on both boards."""
        self.position, _ = rules.play(self.position, self.move(action), 0)
        self.state.apply_action(action)
