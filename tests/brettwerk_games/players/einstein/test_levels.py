"""Each level is pinned by its mean regret: how many points of the chance to win it gives away in a decision with four stones."""

from itertools import islice

import pytest

from brettwerk_games.players.einstein import BEST, EinsteinPlayer
from brettwerk_games.players.einstein.measure.match import match
from brettwerk_games.players.einstein.measure.regret import decisions, regrets
from brettwerk_games.rules.einstein import GAME
from tests.brettwerk_games.players.einstein.conftest import needs_compiler

LEVELS = [level for level in GAME.facts.levels if not level.max_depth]
POINTS = {"beginner": (9, 18), "easy": (2, 6), "normal": (0.4, 1.6), "strong": (0, 0.35), "best": (0, 0.01)}


@pytest.fixture(scope="module")
def asked(tables_folder):
    return list(islice(decisions(tables_folder, 4, seed=1), 300))


@needs_compiler
@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_a_level_gives_away_as_much_as_is_promised(opened, asked, level):
    lost = regrets(EinsteinPlayer(GAME, level.strength, 20_000, opened), asked, 3600)
    least, most = POINTS[level.id]
    assert least <= 100 * sum(lost) / len(lost) <= most
    assert min(lost) > -1e-6


@needs_compiler
def test_there_is_one_best_level_and_the_others_are_weaker_the_lower_they_stand():
    strengths = [level.strength for level in LEVELS]
    assert strengths[0] == 0
    assert strengths[-1] == BEST
    assert strengths[1:-1] == sorted(strengths[1:-1], reverse=True)


@needs_compiler
def test_a_match_of_a_player_against_itself_is_even(opened):
    player = EinsteinPlayer(GAME, 1, engine=opened)
    score = match(player, player, 40, seed=1)
    assert score.games == 40
    assert abs(score.share - 0.5) <= max(score.half_width, 0.1)
