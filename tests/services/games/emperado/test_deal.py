"""The deal, beyond the numbered cases."""

from collections import Counter

import pytest

from services.games.emperado.actions import Received
from services.games.emperado.options import Options
from services.games.emperado.position import GHOST
from services.games.emperado.world import WORLD
from services.games.refusals import Illegal
from tests.services.games.emperado.worlds import EMPERADO, SEED, A, dealt, seeds, world


def test_seats_and_ghosts_start_with_the_armies_of_the_options() -> None:
    position = dealt(6, options=Options(start_armies=2, ghost_armies=7, card_bonus_start=11))
    assert all(armies == (7 if owner == GHOST else 2) for armies, owner in zip(position.armies, position.owners, strict=True))
    assert position.card_bonus == 11


def test_the_first_seat_has_received_its_armies() -> None:
    step = EMPERADO.new(Options(), 3, None, SEED)
    assert step.events == (Received(A, 3, 0, 0, 0),)
    assert step.position.to_place == 3


def test_a_handicap_counts_from_the_first_turn_on() -> None:
    step = EMPERADO.new(Options(country_handicap=-9), 3, None, SEED)
    assert step.events == (Received(A, 3, 0, 1 + (19 + 9 - 20) // 3, 0),)


def test_every_country_falls_to_every_seat_about_equally_often() -> None:
    deals = 400
    owned = Counter(country for _, seed in zip(range(deals), seeds(), strict=False) for country in _of(A, seed))
    assert len(owned) == WORLD
    assert all(abs(count - deals * 29 / WORLD) < 60 for count in owned.values())


def _of(seat: int, seed: bytes) -> list[int]:
    return [country for country, owner in enumerate(dealt(2, seed).owners) if owner == seat]


def test_there_are_no_start_positions() -> None:
    with pytest.raises(Illegal) as refused:
        EMPERADO.new(Options(), 3, world("Peru A8"), SEED)
    assert refused.value.rule == "EMP-SETUP-5"
