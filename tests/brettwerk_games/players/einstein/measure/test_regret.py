from itertools import islice

import pytest

from brettwerk_games.players.einstein.measure.regret import decisions
from brettwerk_games.players.einstein.sides import after_move, pair_of, squares_of
from brettwerk_games.players.einstein.tables.files import open_tables
from brettwerk_games.rules.einstein import rules
from tests.brettwerk_games.players.einstein.conftest import needs_compiler
from tests.brettwerk_games.players.einstein.plain_lookup import chance

FEW = 300
"""Positions: too few to solve a decision with eight stones."""


@needs_compiler
def test_solved_decisions_agree_with_the_tables(tables_folder):
    tables = open_tables(tables_folder)
    for decision in islice(decisions(tables_folder, 4, seed=2), 50):
        assert decision is not None
        assert decision.is_solved
        assert tuple(decision.chances) == rules.moves(decision.position)
        for move, found in decision.chances.items():
            root = after_move(pair_of(decision.position), decision.position.to_move, move)
            lost = 0.0 if root is None else chance(tables, squares_of(root[0]), squares_of(root[1]))
            assert lost is not None
            assert found == pytest.approx(1 - lost, abs=1e-7)


def test_a_decision_that_is_not_solved_is_left_out_unless_it_is_wanted(tables_folder):
    assert list(islice(decisions(tables_folder, 8, seed=3, solve_nodes=FEW), 3)) == [None] * 3
    for decision in islice(decisions(tables_folder, 8, seed=3, solve_nodes=FEW, unsolved=True), 3):
        assert decision is not None
        assert not decision.is_solved
        assert decision.depth >= 1
        assert tuple(decision.chances) == rules.moves(decision.position)
