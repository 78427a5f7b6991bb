"""The deal, beyond the numbered cases."""

from collections import Counter

import pytest

from brettwerk_games.rules.emperado.actions import Attack, CardSet, Exchange, Received
from brettwerk_games.rules.emperado.options import CardExchange, Options
from brettwerk_games.rules.emperado.position import GHOST, End, Position
from brettwerk_games.rules.emperado.seat_kinds import seated
from brettwerk_games.rules.emperado.world import WORLD
from brettwerk_games.rules.refusals import Illegal
from tests.brettwerk_games.rules.emperado.worlds import BRASILIEN, EMPERADO, PERU, SEED, A, dealt, seeds, world


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


def test_a_prepared_position_stands_as_it_is_in_a_turn_in_which_nothing_was_done() -> None:
    start = world("Peru A8, Bolivien A2", blocked=frozenset({PERU}), captured=True, played=7, thrown=3, stirred=1)
    step = EMPERADO.new(Options(card_bonus_start=9), 3, start, SEED)
    assert step.events == ()
    assert step.position == world("Peru A8, Bolivien A2", stirred=2, options=Options(card_bonus_start=9))
    assert EMPERADO.apply(step.position, A, Attack(PERU, BRASILIEN, 1), SEED).events


def test_a_prepared_position_may_leave_armies_to_place_and_cards_to_turn_in() -> None:
    by_hand = Options(card_exchange=CardExchange.MANUAL)
    start = world("Peru A8", to_place=4, cards={A: (1, 1, 1)}, round=1)
    position = EMPERADO.new(by_hand, 3, start, SEED).position
    assert (position.to_place, position.exchanging, position.round) == (4, True, 2)
    assert EMPERADO.apply(position, A, Exchange(CardSet.MIXED), SEED).position.to_place == 4 + 4
    assert not EMPERADO.new(Options(), 3, start, SEED).position.exchanging


def test_computers_at_the_seats_do_not_change_a_prepared_position() -> None:
    first = EMPERADO.new(Options(), 3, world("Peru A8", to_place=1), SEED).position
    assert seated(first, (False, True, True), SEED).position.to_place == 1


@pytest.mark.parametrize(
    ("start", "seats"),
    [
        (world("Peru A8"), 4),
        (world("Peru A8", rest="-"), 3),
        (world("Peru A10001"), 3),
        (world("Peru A8", to_place=10001), 3),
        (world("Peru A8", cards={A: (21, 0, 0)}), 3),
        (world("Peru A8", card_bonus=1001), 3),
        (world("Peru A8", round=1001), 3),
    ],
)
def test_other_prepared_positions_are_refused(start: Position, seats: int) -> None:
    with pytest.raises(Illegal) as refused:
        EMPERADO.new(Options(), seats, start, SEED)
    assert refused.value.rule == "EMP-START-1"


def test_a_game_that_has_ended_is_no_beginning() -> None:
    over = world("Peru A8", end=End.AGREED)
    with pytest.raises(Illegal) as refused:
        EMPERADO.new(Options(), 3, over, SEED)
    assert refused.value.rule == "EMP-END-4"
