"""The boards of the attack are ones that can be played, and none of them costs the rules' event loop much."""

import itertools
import random
import time

from brettwerk.v1 import rules_pb2
from loadtests.attacks.boards import full_board, mutations, packed
from services.rules import answers

MAX_CPU_S = 0.6
"""It takes 0.04 s. With every Counter-Stealth's enemies looked for anew it took 2.5 s."""


def test_full_boards_are_taken_and_cost_little() -> None:
    for board in itertools.islice(mutations(full_board(), random.Random(1)), 5):
        request = rules_pb2.TryStartRequest(game="wec", seats=2, start_position=packed(board))
        began = time.thread_time()
        response = answers.try_start(request)
        took = time.thread_time() - began
        assert "warning.crowded" in [warning.key for warning in response.warnings]
        assert took < MAX_CPU_S


def test_the_boards_differ() -> None:
    boards = list(itertools.islice(mutations(full_board(), random.Random(1)), 20))
    assert len({board.SerializeToString() for board in boards}) == 20
    assert len({len(board.pieces) for board in boards}) > 3
