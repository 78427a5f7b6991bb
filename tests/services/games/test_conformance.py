"""Every game keeps what conformance.py asks of it."""

import pytest

from services.games.registry import games
from tests.services.games.conformance import CHECKS


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("game", games())
def test_a_game_conforms(game: str, check: str) -> None:
    CHECKS[check](games()[game])
