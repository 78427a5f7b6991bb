import json
from dataclasses import astuple, replace

import pyspiel
import pytest

from brettwerk_games.players.einstein.measure.openspiel import Match, Pair, Terms, read, summary

TERMS = Terms(1.0, 1.0, simulations=20, nodes=200)
PAIR = Pair(1, (1, 0), (0.75, 0.25), (50.0, 100.0), (5, 10), 1000, (0.01, 0.2))


@pytest.fixture(scope="module")
def game():
    return pyspiel.load_game("einstein_wurfelt_nicht")


def test_a_deal_with_bounds_by_number_is_played_the_same_again(game, tables_folder):
    first, second = (Match(game, tables_folder, TERMS).pair(7) for _ in range(2))
    assert replace(first, cpu_ms=(0, 0)) == replace(second, cpu_ms=(0, 0))
    assert set(first.won) <= {0, 1}
    assert min(first.decisions) > 0
    assert first.simulations == 20 * first.decisions[1]


def test_openspiel_gets_the_simulations_that_the_time_allows(game, tables_folder):
    pair = Match(game, tables_folder, replace(TERMS, simulations=0)).pair(8)
    assert pair.simulations >= 1000 * pair.decisions[1]


def test_recorded_pairs_are_read_again(tmp_path):
    record = tmp_path / "games.jsonl"
    other = replace(PAIR, deal=2)
    record.write_text("".join(json.dumps(astuple(pair)) + "\n" for pair in (PAIR, other)))
    assert read([record, tmp_path / "none"]) == [PAIR, other]


def test_the_score_is_reported_with_what_it_took():
    text = summary([PAIR, PAIR])
    assert "50.0 % ± 0.0 of 4 games" in text
    assert "10.0 ms, OpenSpiel's MCTS 10.0 ms and 100 simulations" in text
    assert "given away a decision: 0.20, MCTS 2.00 points" in text
