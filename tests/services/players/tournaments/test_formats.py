"""All formats: properties that hold whichever player wins, is absent, leaves, comes late or sits out a round."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments import seatings
from services.players.tournaments.formats import FORMATS, Terms
from services.players.tournaments.results import DRAW, LOSS, WIN, Entrant, Game
from tests.night import at_night

SEATS = 4
WITH_ROUNDS = sorted(FORMATS.keys() - {"arena", "club_match"})
kinds = st.sampled_from(WITH_ROUNDS)
seeds = st.integers(0, 2**32)


@dataclass
class Course:
    """A tournament that chance has played to its end."""

    entrants: list[Entrant]
    begun: list[list[Game]]
    """All that was begun at once, as it ended."""
    there: list[set[int]]
    """Those who took part in each of these."""

    @property
    def games(self) -> list[Game]:
        """All games, in their order."""
        return [game for made in self.begun for game in made]


def course(kind: str, count: int, seed: int, *, disturbed: bool = True) -> Course:
    """Return a tournament in which chance decides who wins; also who is absent, leaves, comes late and sits out, if disturbed."""
    dice = random.Random(seed)
    made_by = FORMATS[kind]
    count = min(count, made_by.max_players)
    seats = SEATS if kind == "tables" else 2
    terms = Terms(made_by.rounds(count, Terms(0, seats)), seats, host=0)
    played = Course([Entrant(number) for number in range(count)], [], [])
    while made := made_by.pairings(played.entrants, played.games, terms):
        number = made[0].round_number
        here = {one.number for one in played.entrants if one.is_there_in(number) and one.left_after is None}
        played.there.append({one.number for one in played.entrants if one.is_there_in(number)})
        played.begun.append([decided(game, dice, here, seats, disturbed) for game in made])
        if disturbed:
            played.entrants = [changed(one, number, dice, made_by.takes_changes) for one in played.entrants]
            if made_by.takes_changes and len(played.entrants) < 40 and dice.random() < 0.3:
                played.entrants.append(Entrant(len(played.entrants), first_round=number + 1))
    return played


def changed(one: Entrant, number: int, dice: random.Random, takes_changes: bool) -> Entrant:
    if one.left_after is None and one.is_there_in(number) and dice.random() < 0.1:
        return replace(one, left_after=number)
    if takes_changes and one.bye_round is None and dice.random() < 0.1:
        return replace(one, bye_round=number + 1)
    return one


def decided(game: Game, dice: random.Random, here: set[int], seats: int, disturbed: bool) -> Game:
    if game.points is not None:
        return game
    came = [number in here and not (disturbed and dice.random() < 0.1) for number in game.numbers]
    if game.is_bye:
        return replace(game, points=(WIN, LOSS), played=False)
    if not all(came):
        return replace(game, points=tuple(WIN * each for each in came), played=False)
    if seats > 2:
        places = dice.choices(range(1, seats + 1), k=len(came))
        return replace(game, points=seatings.points_by_places(places, seats))
    return replace(game, points=dice.choice([(WIN, LOSS), (LOSS, WIN), (DRAW, DRAW)]))


@given(kinds, st.integers(2, 40), seeds)
def test_every_entrant_who_is_there_plays_once_or_has_a_bye_in_each_round(kind: str, count: int, seed: int):
    played = course(kind, count, seed)
    for made, there in zip(played.begun, played.there, strict=True):
        seated = Counter(number for game in made for number in game.numbers)
        assert len({game.round_number for game in made}) == 1
        if kind == "one_against_many":
            assert seated == Counter({0: len(there) - 1, **dict.fromkeys(range(1, len(there)), 1)})
            continue
        assert set(seated.values()) == {1}
        if kind in ("knock_out", "groups"):
            continue  # losers are out, and smaller groups are ready sooner
        assert there <= set(seated)
        assert kind == "round_robin" or set(seated) == there


@given(kinds, st.integers(2, 40), seeds)
def test_it_ends_and_the_standings_have_all_points_and_places(kind: str, count: int, seed: int):
    played = course(kind, count, seed)
    assert len(played.begun) <= 40
    rows = FORMATS[kind].standings(played.entrants, played.games)
    assert sorted(row.number for row in rows) == [one.number for one in played.entrants]
    last = FORMATS[kind].group_rounds(len(rows)) or 40  # of those that count for points
    counted = [game for game in played.games if game.round_number <= last]
    byes = sum((game.points or (0,))[0] for game in counted if game.is_bye)
    assert sum(row.points for row in rows) == byes + sum(sum(game.points or ()) for game in counted if not game.is_bye)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert all(row.place == 1 + sum(other.place < row.place for other in rows) for row in rows)


@given(st.sampled_from(["round_robin", "swiss"]), st.integers(2, 32), seeds)
def test_two_meet_once_where_nobody_disturbs_the_pairings(kind: str, count: int, seed: int):
    met = meetings(course(kind, count, seed, disturbed=False))
    assert max(met.values(), default=0) <= 1


@pytest.mark.parametrize("kind", WITH_ROUNDS)
@pytest.mark.parametrize("count", [3, 5, 7, 9, at_night(127)])
def test_odd_numbers_of_players_come_to_an_end(kind: str, count: int):
    played = course(kind, count, count, disturbed=False)
    seated = {number for game in played.begun[0] for number in game.numbers}
    assert seated == {one.number for one in played.entrants}
    byes = Counter(game.first for game in played.games if game.is_bye)
    assert kind == "knock_out" or max(byes.values(), default=0) <= 1
    if kind in ("round_robin", "swiss"):
        assert max(meetings(played).values()) == 1


def test_one_plays_everybody_in_a_single_round_from_either_seat():
    made_by, entrants = FORMATS["one_against_many"], [Entrant(number) for number in range(6)]
    games = made_by.pairings(entrants, [], Terms(1, host=2))
    assert [game.numbers for game in games] == [(2, 0), (1, 2), (2, 3), (4, 2), (2, 5)]
    assert {game.round_number for game in games} == {1}
    assert not made_by.pairings(entrants, games, Terms(1, host=2))
    assert not made_by.pairings(entrants, [], Terms(1))


@pytest.mark.parametrize("kind", WITH_ROUNDS)
def test_a_tournament_to_which_nobody_comes_ends_without_points(kind: str):
    made_by, seats = FORMATS[kind], SEATS if kind == "tables" else 2
    entrants = [Entrant(number) for number in range(8)]
    terms = Terms(made_by.rounds(8, Terms(0, seats)), seats, host=0)
    games: list[Game] = []
    while made := made_by.pairings(entrants, games, terms):
        games += [replace(game, points=(LOSS,) * max(2, len(game.numbers)), played=False) for game in made]
    assert games
    assert {row.points for row in made_by.standings(entrants, games)} == {0}


def meetings(played: Course) -> "Counter[frozenset[int]]":
    """Return how often each two have met."""
    return Counter(frozenset(pair) for game in played.games for pair in combinations(game.numbers, 2))
