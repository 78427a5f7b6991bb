"""Groups and finals: who is in a group, who goes on, whom they meet, and who is how good in the end."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments import groups, knock_out
from services.players.tournaments.results import LOSS, WIN, Entrant, Game

counts = st.integers(2, 64)


def entrants_of(count: int) -> list[Entrant]:
    return [Entrant(number) for number in range(count)]


def won_by_the_better(game: Game) -> Game:
    if game.second is None:
        return replace(game, points=(LOSS, LOSS), played=False)
    return replace(game, points=(WIN, LOSS) if game.first < game.second else (LOSS, WIN))


def played(entrants: list[Entrant], rounds: int = 64) -> list[Game]:
    """Return the games of so many rounds in which the better in the list at the start wins always."""
    games: list[Game] = []
    while (made := groups.pairings(entrants, games)) and made[0].round_number <= rounds:
        games += map(won_by_the_better, made)
    return games


@given(counts)
def test_groups_are_of_three_to_six_and_of_equal_strength(count: int):
    found = groups.members(count)
    assert sorted(number for group in found for number in group) == [*range(count)]
    sizes = {len(group) for group in found}
    assert max(sizes) - min(sizes) <= 1
    assert len(found) == 1 or (min(sizes) >= 3 and max(sizes) <= 6)
    for place in range(min(sizes)):
        assert {group[place] // len(found) for group in found} == {place}, "each has one of every row of the list"


@given(counts)
def test_all_of_a_group_meet_once_and_nobody_else_before_the_knock_out(count: int):
    rounds = groups.group_rounds(count)
    met = Counter(frozenset(game.numbers) for game in played(entrants_of(count), rounds) if not game.is_bye)
    assert met == Counter(frozenset(pair) for group in groups.members(count) for pair in combinations(group, 2))


@given(counts)
def test_the_first_two_of_each_group_go_on_and_meet_again_in_the_final_at_the_earliest(count: int):
    entrants = entrants_of(count)
    games = played(entrants)
    rounds = groups.rounds(count)
    assert max(game.round_number for game in games) == rounds
    pairs = {frozenset(group[:2]) for group in groups.members(count)}
    finals = [game for game in games if game.round_number > groups.group_rounds(count)]
    assert {number for game in finals for number in game.numbers} == {number for pair in pairs for number in pair}
    assert all(game.round_number == rounds for game in finals if frozenset(game.numbers) in pairs)


@given(counts)
def test_the_best_wins_and_those_who_went_on_are_before_all_others(count: int):
    entrants = entrants_of(count)
    rows = groups.standings(entrants, played(entrants))
    assert (rows[0].place, rows[0].number) == (1, 0)
    going = 2 * len(groups.members(count))
    in_group = {number: place for group in groups.members(count) for place, number in enumerate(group)}
    assert all(in_group[row.number] < 2 for row in rows[:going])
    places = [in_group[row.number] for row in rows[going:]]
    assert places == sorted(places)


def test_one_who_leaves_before_the_knock_out_makes_room_for_the_next_of_the_group():
    entrants = entrants_of(8)
    before = groups.group_rounds(8)
    games = played(entrants, before)
    entrants[0] = replace(entrants[0], left_after=before)
    assert groups.members(8) == [[0, 3, 4, 7], [1, 2, 5, 6]]
    semi_finals = groups.pairings(entrants, games)
    assert [{game.first, game.second} for game in semi_finals] == [{3, 2}, {1, 4}]


def test_one_who_leaves_during_the_knock_out_keeps_their_place_in_it():
    entrants = entrants_of(8)
    games = played(entrants, groups.group_rounds(8))
    before = groups.bracket(entrants, games)
    entrants[0] = replace(entrants[0], left_after=before.before + 1)
    assert groups.bracket(entrants, games) == before


def test_of_a_group_that_all_have_left_nobody_goes_on():
    entrants = entrants_of(6)
    before = groups.group_rounds(6)
    games = played(entrants, before)
    for number in groups.members(6)[1]:
        entrants[number] = replace(entrants[number], left_after=before)
    (final,) = groups.pairings(entrants, games)
    assert ({*final.numbers}, final.round_number) == ({0, 3}, groups.rounds(6))


@pytest.mark.parametrize(("count", "rounds"), [(2, 2), (5, 6), (6, 5), (8, 5), (11, 7), (12, 6), (64, 8)])
def test_it_takes_so_many_rounds(count: int, rounds: int):
    assert groups.rounds(count) == rounds


def test_the_losers_of_the_semi_finals_play_for_the_third_place():
    entrants = entrants_of(8)
    games = played(entrants)
    finals = groups.bracket(entrants, games)
    last = [game for game in games if game.round_number == groups.rounds(8)]
    assert [finals.is_for_third_place(game, games) for game in last] == [False, True]
    assert knock_out.rounds(4) == groups.rounds(8) - groups.group_rounds(8)
