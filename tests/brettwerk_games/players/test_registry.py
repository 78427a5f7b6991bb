from types import SimpleNamespace
from typing import cast

import pytest

from brettwerk_games.players.registry import level_of, make_player, players
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.registry import games

LEVELS = [(game, level) for game in games().values() for level in game.facts.levels]


@pytest.mark.parametrize(("game", "level"), LEVELS, ids=lambda value: getattr(value, "id", ""))
def test_every_level_of_every_game_has_its_player(game, level):
    assert level.player in players()
    assert make_player(game, level, level.max_depth) is not None


@pytest.mark.parametrize(("game", "level"), LEVELS, ids=lambda value: getattr(value, "id", ""))
def test_every_level_names_the_least_time_that_it_thinks(game, level):
    assert 0 < level.least_ms <= level.think_ms


def test_a_level_that_names_no_least_time_is_given_all_of_its_time():
    assert LevelFacts(id="calm", player="generic", strength=1, think_ms=300).floor_ms == 300
    assert LevelFacts(id="calm", player="generic", strength=1, think_ms=300, least_ms=20).floor_ms == 20


def test_a_seat_may_choose_its_depth_only_where_the_level_lets_it():
    einstein = games()["einstein"]
    free, fixed = level_of(einstein, "depth"), level_of(einstein, "normal")
    assert free is not None
    assert fixed is not None
    make_player(einstein, free, free.max_depth)
    with pytest.raises(ValueError, match="depth"):
        make_player(einstein, free, free.max_depth + 1)
    with pytest.raises(ValueError, match="depth"):
        make_player(einstein, fixed, 1)


def test_without_a_name_the_strongest_level_of_fixed_depth_is_meant():
    level = level_of(games()["einstein"], "")
    assert level is not None
    assert level.id == "best"


def test_without_a_name_the_only_level_is_meant_though_its_depth_is_free():
    """A game of a package may have no other."""
    free = LevelFacts(id="free", player="generic", strength=1, think_ms=300, max_depth=6)
    game = SimpleNamespace(facts=SimpleNamespace(levels=(free,)))
    assert level_of(cast(AnyGame, game), "") is free


def test_a_level_that_there_is_not_is_none():
    assert level_of(games()["einstein"], "clairvoyant") is None
