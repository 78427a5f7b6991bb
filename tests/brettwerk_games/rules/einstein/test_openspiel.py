"""The same games played by an EinStein that we did not write: OpenSpiel's.

It sets up by two draws of 720 (Black's first), lets White (its player 1) begin, and rolls also for a single stone, where our
rules do not look at the die. Our rules are given its rolls.
"""

import random
import re
from typing import Any

import pyspiel
import pytest

from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.board import BLACK, WHITE
from brettwerk_games.rules.einstein.position import ALL_GONE, GONE, Position, needs_roll, squares
from brettwerk_games.rules.einstein.rules import TURNS, moves, play
from tests.night import examples

GAMES = examples(20_000)
STEPS = {0: (1, 1), 1: (1, 0), 2: (0, 1), 3: (-1, 0), 4: (-1, -1), 5: (0, -1)}
"""OpenSpiel's directions as rows and columns: Black's diagonal, down, right; White's up, diagonal, left."""
OUR_SEAT = {0: BLACK, 1: WHITE}
CELL = re.compile(r"\|(..)\|")


def set_up(text: str) -> Position:
    """Return the position of a board that OpenSpiel prints, White to move, not rolled."""
    sides = {"w": list(ALL_GONE), "b": list(ALL_GONE)}
    for square, cell in enumerate(CELL.findall(text)):
        if cell != "__":
            sides[cell[0]][int(cell[1]) - 1] = square
    return Position((tuple(sides["w"]), tuple(sides["b"])))


def translated(action: int, board: tuple[int, ...]) -> tuple[Move, bool]:
    """Return OpenSpiel's action (square, direction, capture) as ours, and whether it captures."""
    square, rest = divmod(action, 12)
    direction, capture = divmod(rest, 2)
    row, column = STEPS[direction]
    return Move((board[square] - 1) % 6 + 1, square + 5 * row + column), bool(capture)


def same_game(spiel: Any, rng: random.Random) -> int:
    """Play one random game on both boards, compare every ply and the result, and return the number of plies."""
    state = spiel.new_initial_state()
    for _ in (BLACK, WHITE):
        state.apply_action(rng.randrange(720))
    position = set_up(str(state))
    plies = 0
    while not state.is_terminal():
        roll = rng.randrange(6)
        state.apply_action(roll)
        if needs_roll(position.stones[position.to_move]):
            position = position._replace(roll=roll + 1)
        assert OUR_SEAT[state.current_player()] == position.to_move
        board = squares(position)
        theirs = {action: translated(action, board) for action in state.legal_actions()}
        assert sorted(move for move, _ in theirs.values()) == list(moves(position))
        assert all(captures == bool(board[move.target]) for move, captures in theirs.values())
        action = rng.choice(list(theirs))
        state.apply_action(action)
        position, _ = play(position, theirs[action][0], 0)
        plies += 1
    ended = TURNS.of_two(position)
    assert ended is not None
    assert [1.0 - 2.0 * ended.scores[WHITE], 2.0 * ended.scores[WHITE] - 1.0] == state.returns()
    assert squares(set_up(str(state))) == squares(position)
    return plies


@pytest.mark.nightly
def test_thousands_of_random_games_go_as_openspiels() -> None:
    spiel = pyspiel.load_game("einstein_wurfelt_nicht")
    plies = [same_game(spiel, random.Random(number)) for number in range(GAMES)]
    assert 20 < sum(plies) / GAMES < 23
    assert max(plies) <= 69


def test_a_few_random_games_go_as_openspiels() -> None:
    spiel = pyspiel.load_game("einstein_wurfelt_nicht")
    lengths = {same_game(spiel, random.Random(f"few {number}")) for number in range(200)}
    assert len(lengths) > 10


def test_a_board_of_openspiel_is_read_right() -> None:
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    position = set_up(str(state))
    assert [side.count(GONE) for side in position.stones] == [0, 0]
    assert sorted(position.stones[BLACK]) == [0, 1, 2, 5, 6, 10]
