from collections.abc import Iterator

import pytest

from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame
from services.rules import answers, any_codec, facts
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel

DUEL = BlindDuel()


@pytest.fixture(autouse=True)
def with_blind_duel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the rules know the games that there are, and the small one of the tests that hides everything."""
    games = {**registry.games(), DUEL.facts.id: DUEL}
    monkeypatch.setattr(registry, "games", lambda: games)
    caches = (any_codec._any_codec, facts.game, answers._find_game)
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
def duel() -> AnyGame:
    return DUEL


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes a `game` is run with each of them."""
    if "game" in metafunc.fixturenames:
        games = [*registry.games().values(), DUEL]
        metafunc.parametrize("game", games, ids=[game.facts.id for game in games])
