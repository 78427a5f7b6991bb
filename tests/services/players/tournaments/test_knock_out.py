"""Knock-out: one is left, whoever wins, draws, leaves or does not come."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments import knock_out
from services.players.tournaments.results import DRAW, LOSS, WIN, Entrant, Game

tournaments = st.tuples(st.integers(2, 40), st.integers(0, 2**32), st.floats(0, 0.3), st.floats(0, 0.3))
Points = tuple[int, int]


def played(count: int, seed: int, absent: float = 0.0, leaving: float = 0.0) -> tuple[list[Entrant], list[list[Game]]]:
    """Return the entrants and all that was begun at once, where chance decides who wins, does not come and leaves."""
    dice = random.Random(seed)
    entrants = [Entrant(number) for number in range(count)]
    games: list[Game] = []
    begun: list[list[Game]] = []
    while made := knock_out.bracket(entrants).pairings(games):
        left = {one.number for one in entrants if one.left_after is not None}
        made = [decided(game, dice, absent, left) for game in made]
        begun.append(made)
        games += made
        entrants = [
            replace(one, left_after=made[0].round_number) if one.left_after is None and dice.random() < leaving else one
            for one in entrants
        ]
    return entrants, begun


def decided(game: Game, dice: random.Random, absent: float, left: set[int]) -> Game:
    if game.is_bye:
        return replace(game, points=(LOSS, LOSS), played=False)
    came = [number not in left and dice.random() >= absent for number in (game.first, game.second)]
    if all(came):
        return replace(game, points=dice.choice([(WIN, LOSS), (LOSS, WIN), (DRAW, DRAW)]))
    return replace(game, points=(WIN * came[0], WIN * came[1]), played=False)


@pytest.mark.parametrize("count", [2, 3, 5, 7, 8, 9, 40, 127, 128])
def test_without_draws_one_is_left_after_as_many_games_as_there_are_others(count: int):
    entrants = [Entrant(number) for number in range(count)]
    games: list[Game] = []
    while made := knock_out.bracket(entrants).pairings(games):
        games += [replace(game, points=(LOSS, WIN) if game.second is not None else (LOSS, LOSS)) for game in made]
    assert max(game.round_number for game in games) == knock_out.rounds(count)
    met = [game for game in games if not game.is_bye]
    assert len(met) == count - 1 + (count >= 4)  # and the game for the third place
    rows = knock_out.standings(entrants, games)
    assert [(row.place, row.number) for row in rows[:2]] == [(1, 0), (2, 1)]
    assert [row.place for row in rows[2:4]] == [3, 4][: count - 2]


@given(tournaments)
def test_it_ends_with_a_place_for_everybody_whoever_draws_is_absent_or_leaves(tournament: tuple[int, int, float, float]):
    entrants, begun = played(*tournament)
    count = len(entrants)
    assert len(begun) <= knock_out.MAX_GAMES * knock_out.rounds(count)
    games = [game for made in begun for game in made]
    rows = knock_out.standings(entrants, games)
    assert sorted(row.number for row in rows) == list(range(count))
    assert all(row.place == 1 + sum(other.place < row.place for other in rows) for row in rows)
    assert sum(row.points for row in rows) == sum(sum(game.points or ()) for game in games)


@given(tournaments)
def test_each_player_is_in_one_game_at_once_with_another_one_and_in_none_after_a_loss(tournament: tuple[int, int, float, float]):
    entrants, begun = played(*tournament)
    out: set[int] = set()
    for made in begun:
        seated = [number for game in made for number in (game.first, game.second) if number is not None]
        assert max(Counter(seated).values()) == 1
        is_last = made[0].round_number == knock_out.rounds(len(entrants))
        assert is_last or out.isdisjoint(seated)  # who lost a semi-final plays for the third place
        for game in made:
            one, other = game.points or (LOSS, LOSS)
            if game.second is not None and (one, other) != (DRAW, DRAW):
                out |= {number for number, points in ((game.first, one), (game.second, other)) if points == LOSS}


@given(tournaments)
def test_everybody_who_is_not_out_plays_or_has_a_bye_in_the_first_round(tournament: tuple[int, int, float, float]):
    entrants, begun = played(*tournament)
    seated = {number for game in begun[0] for number in (game.first, game.second)} - {None}
    assert seated == {one.number for one in entrants}
    byes = {game.first for game in begun[0] if game.is_bye}
    size = 1 << knock_out.rounds(len(entrants))
    assert byes == set(range(size - len(entrants)))  # the best


@given(st.integers(2, 40), st.integers(0, 2**32))
def test_two_meet_again_only_after_a_draw_with_the_seats_exchanged(count: int, seed: int):
    _, begun = played(count, seed)
    met: dict[frozenset[int | None], Game] = {}
    for game in (game for made in begun for game in made if not game.is_bye):
        before = met.get(frozenset((game.first, game.second)))
        if before is not None:
            assert before.points == (DRAW, DRAW) and (before.first, before.second) == (game.second, game.first)
            assert before.round_number == game.round_number
        met[frozenset((game.first, game.second))] = game


def test_after_three_draws_the_better_of_the_list_goes_on():
    entrants = [Entrant(0), Entrant(1)]
    games: list[Game] = []
    for _ in range(knock_out.MAX_GAMES):
        (again,) = knock_out.bracket(entrants).pairings(games)
        games.append(replace(again, points=(DRAW, DRAW)))
    assert [(game.first, game.second) for game in games] == [(1, 0), (0, 1), (1, 0)]
    assert knock_out.bracket(entrants).pairings(games) == []
    assert [(row.place, row.number) for row in knock_out.standings(entrants, games)] == [(1, 0), (2, 1)]


def test_where_neither_comes_the_next_opponent_has_a_bye_and_where_nobody_comes_nobody_wins():
    entrants = [Entrant(number) for number in range(8)]
    games = [replace(game, points=(LOSS, LOSS), played=False) for game in knock_out.bracket(entrants).pairings([])]
    assert knock_out.bracket(entrants).pairings(games) == []
    assert {row.place for row in knock_out.standings(entrants, games)} == {1}
    games[1:] = [replace(game, points=(LOSS, WIN), played=True) for game in games[1:]]
    second = knock_out.bracket(entrants).pairings(games)
    assert [(game.first, game.second) for game in second if game.is_bye] == [(3, None)]


def test_the_third_place_is_played_for_beside_the_final():
    entrants = [Entrant(number) for number in range(4)]
    games = [replace(game, points=(LOSS, WIN)) for game in knock_out.bracket(entrants).pairings([])]
    last = knock_out.bracket(entrants).pairings(games)
    assert [(game.first, game.second) for game in last] == [(1, 0), (3, 2)]
    assert [knock_out.bracket(entrants).is_for_third_place(game, [*games, *last]) for game in last] == [False, True]
    games += [replace(game, points=(WIN, LOSS)) for game in last]
    assert [row.number for row in knock_out.standings(entrants, games)] == [1, 0, 3, 2]
