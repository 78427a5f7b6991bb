"""Swiss pairing: what holds in every tournament, whoever wins, leaves or does not come."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments import swiss
from services.players.tournaments.results import DRAW, LOSS, WIN, Entrant, Game, had_bye, last_seats, score, seat_balance

tournaments = st.tuples(st.integers(2, 24), st.integers(0, 2**32), st.floats(0, 0.1))


def played(count: int, seed: int, leaving: float = 0.0, rounds: int | None = None) -> tuple[list[Entrant], list[list[Game]]]:
    """Return the entrants and the rounds of a tournament in which chance decides who wins and who leaves."""
    dice = random.Random(seed)
    entrants = [Entrant(number) for number in range(count)]
    games: list[Game] = []
    made = []
    for number in range(1, (rounds or swiss.rounds(count)) + 1):
        paired = swiss.pairings(entrants, games, number)
        made.append(paired)
        games += [decided(game, dice) for game in paired]
        entrants = [
            Entrant(one.number, number) if one.left_after is None and dice.random() < leaving else one for one in entrants
        ]
    return entrants, made


def decided(game: Game, dice: random.Random) -> Game:
    points = (WIN, LOSS) if game.is_bye else dice.choice([(WIN, LOSS), (LOSS, WIN), (DRAW, DRAW)])
    return Game(game.round_number, game.first, game.second, points)


@given(tournaments)
def test_everybody_who_plays_is_in_one_game_of_each_round(tournament: tuple[int, int, float]):
    entrants, rounds = played(*tournament)
    for number, games in enumerate(rounds, 1):
        seated = [player for game in games for player in (game.first, game.second) if player is not None]
        assert sorted(seated) == [one.number for one in entrants if one.plays_in(number)]


@given(tournaments)
def test_opponents_meet_once_while_the_field_is_large_enough(tournament: tuple[int, int, float]):
    count, seed, _ = tournament
    _, rounds = played(count, seed)
    met = [frozenset((game.first, game.second)) for games in rounds for game in games if not game.is_bye]
    assert len(met) == len(set(met)) or count < 5


@given(tournaments)
def test_each_player_has_at_most_one_bye_and_only_an_odd_number_makes_one(tournament: tuple[int, int, float]):
    count, seed, _ = tournament
    _, rounds = played(count, seed)
    byes = [game.first for games in rounds for game in games if game.is_bye]
    assert len(byes) == len(set(byes)) == (len(rounds) if count % 2 else 0)


@given(st.integers(6, 24), st.integers(0, 2**32))
def test_seats_alternate_so_that_three_in_a_row_and_three_more_are_excluded(count: int, seed: int):
    entrants, rounds = played(count, seed, rounds=swiss.rounds(count))
    games = [game for made in rounds for game in made]
    for one in entrants:
        assert abs(seat_balance(one.number, games)) <= 2
        seats = last_seats(one.number, games)
        assert all(len({*seats[first : first + 3]}) > 1 for first in range(len(seats) - 2))


@pytest.mark.nightly
def test_a_large_tournament_of_many_rounds_is_paired_without_a_repeat():
    _, rounds = played(128, 7, rounds=15)
    met = [frozenset((game.first, game.second)) for games in rounds for game in games]
    assert len(met) == len(set(met)) == 64 * 15


@given(st.integers(2, 16), st.integers(0, 2**32))
def test_so_many_rounds_as_are_allowed_are_played_without_a_repeat(count: int, seed: int):
    _, rounds = played(count, seed, rounds=swiss.most_rounds(count))
    met = [frozenset((game.first, game.second)) for games in rounds for game in games if not game.is_bye]
    assert len(met) == len(set(met))


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (64, 32)])
def test_half_as_many_rounds_as_entrants_can_be_asked_for(count: int, rounds: int):
    assert swiss.most_rounds(count) == rounds


@given(tournaments)
def test_the_same_tournament_is_always_paired_the_same(tournament: tuple[int, int, float]):
    assert played(*tournament) == played(*tournament)


@given(st.integers(0, 2**32))
def test_the_best_meet_the_best(seed: int):
    """In a round after the first, the two of most points meet, unless they have met."""
    entrants, rounds = played(16, seed, rounds=3)
    games = [decided(game, random.Random(seed)) for made in rounds for game in made]
    paired = swiss.pairings(entrants, games, 4)
    gaps = [abs(score(game.first, games) - score(game.second, games)) for game in paired if game.second is not None]
    assert max(gaps) <= 2 * WIN


def test_in_the_first_round_the_upper_half_meets_the_lower_one_in_order():
    paired = swiss.pairings([Entrant(number) for number in range(8)], [], 1)
    assert [{game.first, game.second} for game in paired] == [{0, 4}, {1, 5}, {2, 6}, {3, 7}]


def test_the_last_of_the_list_has_the_first_bye_and_another_one_the_next():
    entrants = [Entrant(number) for number in range(5)]
    first = swiss.pairings(entrants, [], 1)
    assert had_bye(first) == {4}
    second = swiss.pairings(entrants, [decided(game, random.Random(1)) for game in first], 2)
    assert had_bye(second).isdisjoint({4})


def test_two_entrants_meet_again_when_there_is_nobody_else():
    entrants = [Entrant(0), Entrant(1)]
    again = swiss.pairings(entrants, [Game(1, 0, 1, (WIN, LOSS))], 2)
    assert [(game.first, game.second) for game in again] == [(1, 0)]
