"""Round robin: everybody meets everybody once, with even seats."""

import pytest

from services.players.tournaments import round_robin
from services.players.tournaments.results import had_bye, have_met, seat_balance


@pytest.mark.parametrize("count", range(2, 17))
def test_everybody_meets_everybody_once_and_seats_are_even(count: int):
    rounds = [round_robin.pairings(count, number) for number in range(1, round_robin.rounds(count) + 1)]
    games = [game for made in rounds for game in made]
    assert len(have_met(games)) == count * (count - 1) // 2 == len([game for game in games if not game.is_bye])
    for made in rounds:
        seated = [player for game in made for player in (game.first, game.second) if player is not None]
        assert sorted(seated) == list(range(count))
    assert had_bye(games) == (set(range(count)) if count % 2 else set())
    assert all(abs(seat_balance(number, games)) <= 1 for number in range(count))


BERGER = {
    4: ("1-4 2-3", "4-3 1-2", "2-4 3-1"),
    6: ("1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"),
    8: (
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ),
}
"""The tables as FIDE prints them (Handbook C.05, annex 1): whoever has the first seat is in front."""


@pytest.mark.parametrize("count", BERGER)
def test_the_rounds_are_those_of_the_published_tables(count: int):
    for number, table in enumerate(BERGER[count], 1):
        made = round_robin.pairings(count, number)
        assert " ".join(f"{game.first + 1}-{(game.second or 0) + 1}" for game in made) == table


def test_of_an_odd_number_the_opponent_of_the_empty_place_has_a_bye():
    full, odd = round_robin.pairings(6, 2), round_robin.pairings(5, 2)
    assert [(game.first, game.second) for game in odd if not game.is_bye] == [(game.first, game.second) for game in full[1:]]
    assert [game.first for game in odd if game.is_bye] == [3]
