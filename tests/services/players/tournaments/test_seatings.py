"""Tables of several: everybody plays in every round, meets as many others as possible, and gets points by places."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments import seatings
from services.players.tournaments.results import Entrant, Game, score

tournaments = st.tuples(st.integers(2, 40), st.integers(3, 6), st.integers(0, 2**32), st.floats(0, 0.2))


def played(count: int, seats: int, seed: int, leaving: float = 0.0, rounds: int = 4) -> tuple[list[Entrant], list[list[Game]]]:
    """Return the entrants and the rounds of a tournament in which chance decides who wins and who leaves."""
    dice = random.Random(seed)
    entrants = [Entrant(number) for number in range(count)]
    games: list[Game] = []
    made = []
    for number in range(1, rounds + 1):
        if sum(one.plays_in(number) for one in entrants) < 2:
            break
        begun = [decided(game, seats, dice) for game in seatings.pairings(entrants, games, number, seats)]
        made.append(begun)
        games += begun
        entrants = [
            replace(one, left_after=number) if one.left_after is None and dice.random() < leaving else one for one in entrants
        ]
    return entrants, made


def decided(game: Game, seats: int, dice: random.Random) -> Game:
    places = dice.choices(range(1, seats + 1), k=len(game.numbers))
    return replace(game, points=seatings.points_by_places(places, seats))


def repeats(rounds: Sequence[Sequence[Game]]) -> int:
    """Return how often two have met who had met before."""
    met = Counter(frozenset(pair) for games in rounds for game in games for pair in combinations(game.numbers, 2))
    return sum(met.values()) - len(met)


@given(tournaments)
def test_everybody_who_is_there_sits_at_one_table_of_each_round(tournament: tuple[int, int, int, float]):
    entrants, rounds = played(*tournament)
    for number, games in enumerate(rounds, 1):
        seated = [player for game in games for player in game.numbers]
        assert sorted(seated) == [one.number for one in entrants if one.plays_in(number)]
        counts = [len(game.numbers) for game in games]
        assert max(counts) <= tournament[1] and min(counts) >= 2 and max(counts) - min(counts) <= 1


@given(tournaments)
def test_each_table_is_worth_as_much_for_each_player_whatever_its_size(tournament: tuple[int, int, int, float]):
    entrants, rounds = played(*tournament)
    games = [game for made in rounds for game in made]
    for game in games:
        assert sum(game.points or ()) == len(game.numbers) * (tournament[1] - 1)
    rows = seatings.standings(entrants, games)
    assert sum(row.points for row in rows) == sum(sum(game.points or ()) for game in games)
    assert all(row.points == score(row.number, games) for row in rows)
    assert all(row.place == 1 + sum(other.place < row.place for other in rows) for row in rows)


@given(st.integers(3, 6), st.integers(0, 2**32))
def test_in_the_second_round_nobody_meets_again_where_there_are_tables_enough(seats: int, seed: int):
    _, rounds = played(seats * (seats + 1), seats, seed, rounds=2)
    assert repeats(rounds) == 0


@pytest.mark.parametrize(
    ("count", "seats", "rounds", "most"), [(9, 3, 4, 0), (16, 4, 4, 6), (40, 4, 5, 0), (36, 6, 4, 8), (12, 4, 2, 3)]
)
def test_hardly_anybody_meets_again_in_fields_of_several_rounds(count: int, seats: int, rounds: int, most: int):
    _, made = played(count, seats, 1, rounds=rounds)
    assert repeats(made) <= most


@pytest.mark.parametrize(("count", "seats"), [(3, 4), (5, 4), (7, 4), (9, 4), (127, 6)])
def test_awkward_numbers_fill_tables_evenly(count: int, seats: int):
    _, rounds = played(count, seats, 1, rounds=2)
    assert [[len(game.numbers) for game in games].count(1) for games in rounds] == [0, 0]
    assert sum(seatings.sizes(count, seats)) == count


@given(st.integers(4, 24), st.integers(0, 2**32))
def test_players_who_sat_late_sit_early(count: int, seed: int):
    _, rounds = played(count, 4, seed, rounds=2)
    late = {number: game.numbers.index(number) for game in rounds[0] for number in game.numbers}
    assert all(late[one] >= late[other] for game in rounds[1] for one, other in zip(game.numbers, game.numbers[1:], strict=False))


@given(tournaments)
def test_the_same_tournament_is_always_seated_the_same(tournament: tuple[int, int, int, float]):
    assert played(*tournament) == played(*tournament)
