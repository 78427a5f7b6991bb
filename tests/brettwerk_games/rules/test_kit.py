"""The conformance kit passes what is right and catches what is wrong."""

import pytest

from brettwerk_games.rules.refusals import GameRefusal
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel
from tests.brettwerk_games.rules.conformance import CHECKS
from tests.brettwerk_games.rules.mutants import board, endings, orders, pieces, secrets, turns, wire, words
from tests.brettwerk_games.rules.mutants.register import MUTANTS

DUEL = BlindDuel()
BROKEN = (board, endings, orders, pieces, secrets, turns, wire, words)
"""The modules that register mutants."""


@pytest.mark.parametrize("check", CHECKS)
def test_a_game_of_hidden_cards_conforms(check: str) -> None:
    CHECKS[check](DUEL)


@pytest.mark.parametrize("broken", MUTANTS)
def test_the_kit_catches(broken: str) -> None:
    check, make = MUTANTS[broken]
    with pytest.raises((AssertionError, ValueError, GameRefusal)):
        CHECKS[check](make())


def test_emperado_that_shows_everybody_each_drawn_card_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()["emperado"]
    monkeypatch.setattr(type(game), "show", staticmethod(lambda event, seat: event))
    with pytest.raises(AssertionError, match="drawn unseen"):
        CHECKS["events_keep_what_is_drawn"](game)


def test_every_check_catches_something() -> None:
    assert {check for check, _ in MUTANTS.values()} == set(CHECKS)
