"""Games of packages beside those of OpenSpiel, which somebody else has written: equal in random games.

`python -m tests.examples.spiel NAME GAMES` compares one in a process of its own.
"""

import random
import sys
from typing import Any

import pytest

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from tests.brettwerk_games.packages.packages import packaged

COLUMNS = "ABCDEFGH"
SPIEL = {"breakthrough": "breakthrough", "connect_four": "connect_four", "hex_seven": "hex(board_size=7)", "othello": "othello"}
"""By game: what OpenSpiel calls it."""
PASS = 64


def notation(name: str, state: Any, action: int) -> str:
    """Return an action of OpenSpiel as the package writes it."""
    match name:
        case "breakthrough":  # OpenSpiel's first seat begins at the upper end
            text = state.action_to_string(state.current_player(), action).replace("*", "").upper()
            return f"{text[0]}{9 - int(text[1])}-{text[2]}{9 - int(text[3])}"
        case "connect_four":
            return COLUMNS[action]
        case "hex_seven":
            return f"{COLUMNS[action % 7]}{7 - action // 7}"
        case _:
            return f"{COLUMNS[action % 8]}{8 - action // 8}"


def go_on(name: str, state: Any, text: str) -> None:
    """Play what was written, and what OpenSpiel calls a pass where nothing else is left."""
    state.apply_action(next(action for action in state.legal_actions() if notation(name, state, action) == text))
    while not state.is_terminal() and state.legal_actions() == [PASS]:
        state.apply_action(PASS)


def assert_equal(name: str, game: AnyGame, games: int) -> int:
    """Play random games in both, which have the same actions and ends; return how many plies that were."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install open-spiel)")
    dice, plies = random.Random(3), 0
    for _ in range(games):
        state = pyspiel.load_game(SPIEL[name]).new_initial_state()
        position = game.new(game.codec.decode(Kind.OPTIONS, b""), 2, None, bytes(SEED_BYTES)).position
        while game.to_act(position):
            view = game.view(position, game.to_act(position)[0])
            texts = [game.write(view, action) for action in game.actions(view)]
            assert sorted(texts) == sorted(notation(name, state, action) for action in state.legal_actions())
            number = dice.randrange(len(texts))
            position = game.apply(position, view.seat, game.actions(view)[number], bytes(SEED_BYTES)).position
            go_on(name, state, texts[number])
            plies += 1
        outcome = game.outcome(position)
        assert state.is_terminal()
        assert outcome is not None
        assert [2 * each - 1 for each in outcome.scores] == list(state.returns())
    return plies


if __name__ == "__main__":
    print(assert_equal(sys.argv[1], packaged(sys.argv[1]), int(sys.argv[2])), "plies")
