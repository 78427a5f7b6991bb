from itertools import islice

from brettwerk_games.players.einstein import EinsteinPlayer
from brettwerk_games.players.einstein.measure.endgames import endgames
from brettwerk_games.players.einstein.measure.regret import reached, summary
from brettwerk_games.rules.einstein import GAME, rules
from brettwerk_games.rules.einstein.board import BLACK
from brettwerk_games.rules.einstein.position import GONE
from tests.brettwerk_games.players.einstein.conftest import needs_compiler


def test_positions_that_games_reach_have_as_many_stones_as_wanted_and_a_choice():
    first, again = (list(islice(reached(6, seed=4), 20)) for _ in range(2))
    assert first == again
    assert len(set(first)) > 10
    for position in first:
        assert sum(square != GONE for side in position.stones for square in side) == 6
        assert (position.to_move, position.winner) == (BLACK, None)
        assert len(rules.moves(position)) > 1


@needs_compiler
def test_equal_players_share_every_pair_of_endgames_and_better_ones_win_more(opened):
    best, again, weak = (EinsteinPlayer(GAME, strength, 20_000, opened) for strength in (99, 99, 0))
    score, apart = endgames(best, again, 6, 40, seed=1)
    assert (score.games, score.share, score.half_width, apart) == (40, 0.5, 0.0, 0)
    score, apart = endgames(best, weak, 6, 100, seed=1)
    assert score.share > 0.5
    assert apart > 0


def test_the_summary_says_how_often_how_much_was_lost():
    said = summary([0.0, 0.0, 0.002, 0.02])
    assert "worst 2.0000, best move 50.0 %, more than 0.1 points in 50.0 %, than 1 in 25.0 %" in said
