"""Every game keeps what conformance.py asks of it."""

import pytest

from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.conformance import CHECKS
from tests.night import by_day

PAIRS = [(game, check) for game in games() for check in CHECKS]
DEAR = {
    ("emperado", "games_end_within_their_bound"),
    ("emperado", "other_actions_are_refused"),
    ("emperado", "scenes_and_choices_fit"),
    ("wec", "logs_replay"),
    ("wec", "nonsense_is_refused"),
    ("wec", "options_are_kept"),
}
"""Checks that take a second or more each; the same ones are made with the other games."""


@pytest.mark.parametrize(("game", "check"), by_day(PAIRS, *(pair for pair in PAIRS if pair not in DEAR)))
def test_a_game_conforms(game: str, check: str) -> None:
    CHECKS[check](games()[game])
