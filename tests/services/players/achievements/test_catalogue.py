"""The achievements there are: enough of them, whole, and each such that a game can count for it."""

import random
import re

import pytest

from brettwerk_games.rules import registry
from loadtests.cost.finished_games import play
from services.players.achievements import catalogue
from services.players.achievements.catalogue import FILE, OVERALL, ROW, Achievement, achievements
from services.players.game_data import every_game, folder
from services.players.ratings import anchors as ratings
from services.players.ratings.anchors import anchors

MIN_COUNT = {"": 8, "einstein": 12, "emperado": 12, "plateau": 12, "wec": 12}
ALL = [one for game in MIN_COUNT for one in achievements(game)]


def test_game_names_from_callers_are_no_paths_and_are_not_remembered():
    sizes = [catalogue._all_of.cache_info().currsize, ratings._read.cache_info().currsize]
    for game in ("chess", "../games/wec", "wec/", "__pycache__", *(f"game{number}" for number in range(100))):
        assert (achievements(game), anchors(game)) == ((), {})
    assert [catalogue._all_of.cache_info().currsize, ratings._read.cache_info().currsize] == sizes


def test_every_game_has_enough_of_them():
    assert {game: len(achievements(game)) >= least for game, least in MIN_COUNT.items()} == dict.fromkeys(MIN_COUNT, True)
    assert set(every_game()) == set(registry.games()) == set(MIN_COUNT) - {""}


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_it_is_whole(one: Achievement):
    assert re.fullmatch(rf"({OVERALL}|[a-z]+)/[a-z_]+", one.id) and len(one.id) <= 80
    for language in ("en", "de"):
        assert set(one.words[language]) == {"name", "text"}
        assert 0 < len(one.words[language]["name"].encode()) <= 100 and 0 < len(one.words[language]["text"].encode()) <= 400
    assert one.words["en"] != one.words["de"]
    assert one.goal >= 1
    assert one.counts != ROW or one.condition.results


def test_no_two_of_a_game_have_the_same_id_or_name():
    for game in MIN_COUNT:
        for received in ([one.name for one in achievements(game)], [one.words["en"]["name"] for one in achievements(game)]):
            assert len(set(received)) == len(received)


@pytest.mark.parametrize("game", sorted(registry.games()))
def test_conditions_and_anchors_name_what_the_game_has(game: str):
    facts = registry.games()[game].facts
    levels = {level.id for level in facts.levels}
    ends = {key.split(".")[1] for key in facts.catalogue("en") if key.startswith("reason.")}
    text = (folder(game) / FILE).read_text(encoding="utf-8")
    assert {level for found in re.findall(r'"level": \[([^]]*)\]', text) for level in re.findall(r"\w+", found)} <= levels
    assert {end for found in re.findall(r'"reason": \[([^]]*)\]', text) for end in re.findall(r"\w+", found)} <= ends
    assert {level for _, level in anchors(game)} <= levels
    assert anchors(game)["two", "normal"].rating == 1500


@pytest.mark.nightly
@pytest.mark.parametrize("game", sorted(registry.games()))
def test_patterns_fit_the_notation_of_real_games(game: str):
    """Each sign that a pattern looks for is one that games by lot write, but for what these are too foolish to do."""
    dice = random.Random(5)
    written = [
        ply.notation for _ in range(60 if game == "einstein" else 3) for ply in play(registry.games()[game], 2, dice).plies
    ]
    seldom = {"plateau": {"^E .*#", "^2 .*#", "^4 .*#", "^6 .*#"}}.get(game, set())
    patterns = {one.pattern.pattern for each in achievements(game) for one in each.condition.written}
    assert patterns
    missing = {pattern for pattern in patterns if not any(re.search(pattern, notation) for notation in written)}
    assert missing <= seldom
