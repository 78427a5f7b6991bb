"""Pairings set by hand, and players kept apart: properties of the pure rules in fields of every size."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments import by_hand, groups, keeping_apart, knock_out, seatings
from services.players.tournaments.formats import FORMATS, Terms
from services.players.tournaments.results import LOSS, WIN, Entrant, Game, had_bye
from tests.night import at_night

SEATS = {"swiss": 2, "tables": 4}
kinds = st.sampled_from(sorted(SEATS))
seeds = st.integers(0, 2**32)
Pairs = frozenset[frozenset[int]]


def following(kind: str, entrants: list[Entrant], games: list[Game], apart: Pairs = frozenset()) -> by_hand.Next:
    number = max((game.round_number for game in games), default=0) + 1
    return by_hand.Next(number, entrants, games, SEATS[kind], apart)


def wished(round_: by_hand.Next, dice: random.Random) -> list[by_hand.Pairing]:
    """Return pairings that an owner might want, of whom some cannot be."""
    players = [*round_.playing(), len(round_.entrants)]
    return [tuple(dice.choices(players, k=dice.randint(1, round_.seats))) for _ in range(dice.randint(0, 4))]


def played(kind: str, count: int, seed: int, *, apart: Pairs = frozenset(), sets: bool = False) -> list[list[Game]]:
    """Return the rounds of a tournament in which chance decides who wins, and what its owner sets."""
    dice, rules, seats = random.Random(seed), FORMATS[kind], SEATS[kind]
    entrants, games, made = [Entrant(number) for number in range(count)], list[Game](), list[list[Game]]()
    rounds = rules.rounds(count, Terms(0, seats))
    for _ in range(rounds):
        round_ = following(kind, entrants, games, apart)
        chosen = by_hand.possible(round_, wished(round_, dice)) if sets else ()
        made.append(list(rules.pairings(entrants, games, Terms(rounds, seats, None, chosen, apart))))
        assert {*chosen} <= {game.numbers for game in made[-1]}
        games += [decided(game, dice, seats) for game in made[-1]]
    return made


def decided(game: Game, dice: random.Random, seats: int) -> Game:
    if game.is_bye:
        return replace(game, points=(WIN, LOSS), played=False)
    if seats > 2:
        return replace(game, points=seatings.points_by_places(dice.choices(range(1, 5), k=len(game.numbers)), seats))
    return replace(game, points=dice.choice([(WIN, LOSS), (LOSS, WIN), (1, 1)]))


def meetings(rounds: list[list[Game]]) -> "Counter[frozenset[int]]":
    return Counter(frozenset(pair) for made in rounds for game in made for pair in combinations(game.numbers, 2))


@given(kinds, st.integers(2, 24), seeds)
def test_pairings_set_by_hand_are_in_the_round_and_everybody_else_is_paired_around_them(kind: str, count: int, seed: int):
    for made in played(kind, count, seed, sets=True):
        assert sorted(number for game in made for number in game.numbers) == list(range(count))
        assert sum(game.is_bye for game in made) == (count % 2 if kind == "swiss" else 0)


@given(st.integers(2, 24), seeds)
def test_pairings_set_by_hand_let_two_meet_once_and_give_a_player_one_bye(count: int, seed: int):
    dice, entrants = random.Random(seed), [Entrant(number) for number in range(count)]
    games = [decided(game, dice, 2) for made in played("swiss", count, seed) for game in made]
    round_ = following("swiss", entrants, games)
    met = {frozenset(game.numbers) for game in games if not game.is_bye}
    for players in by_hand.possible(round_, wished(round_, dice)):
        assert frozenset(players) not in met if len(players) == 2 else players[0] not in had_bye(games)


EIGHT = [Entrant(number) for number in range(8)]
ONCE = [Game(1, 0, 1, (WIN, LOSS)), Game(1, 2, None, (WIN, LOSS))]


@pytest.mark.parametrize(
    ("pairings", "why", "place"),
    [
        ([(3, 4), (5, 9)], "away", 1),
        ([(3, 4), (5, 4)], "twice", 1),
        ([(3, 3)], "twice", 0),
        ([(3, 4, 5)], "seats", 0),
        ([(6, 7)], "forbidden", 0),
        ([(1, 0)], "met", 0),
        ([(3,)], "even", 0),
    ],
)
def test_a_pairing_that_there_cannot_be_is_named_with_its_place(pairings: list[by_hand.Pairing], why: str, place: int):
    round_ = following("swiss", EIGHT, ONCE, frozenset({frozenset((6, 7))}))
    assert by_hand.problem(round_, pairings) == by_hand.Problem(why, place)


def test_the_bye_of_an_odd_number_is_given_by_hand_once_and_not_again():
    round_ = following("swiss", EIGHT[:7], ONCE)
    assert by_hand.problem(round_, [(3,), (4, 5)]) is None
    assert by_hand.problem(round_, [(2,)]) == by_hand.Problem("second_bye", 0)
    assert by_hand.problem(round_, [(3,), (4,)]) == by_hand.Problem("even", 1)


@pytest.mark.parametrize(
    ("pairings", "found"),
    [
        ([(0, 1, 2, 3)], None),
        ([(0, 1), (2, 3, 4)], None),
        ([(0,)], by_hand.Problem("seats", 0)),
        ([(0, 1, 2, 3), (4, 5, 6)], by_hand.Problem("rest")),
    ],
)
def test_larger_tables_leave_nobody_alone(pairings: list[by_hand.Pairing], found: by_hand.Problem | None):
    assert by_hand.problem(following("tables", EIGHT, []), pairings) == found


def test_a_pairing_whose_player_has_left_is_left_to_the_rules():
    entrants = [*EIGHT[:7], Entrant(7, left_after=1)]
    assert by_hand.possible(following("swiss", entrants, ONCE), [(3, 7), (4, 5), (0, 1)]) == ((4, 5),)


@pytest.mark.parametrize("kind", sorted(SEATS))
@pytest.mark.parametrize("count", [3, 5, 7, 9, at_night(127)])
@pytest.mark.parametrize("seed", range(3))
def test_two_who_are_kept_apart_do_not_meet_unless_there_is_one_table_only(kind: str, count: int, seed: int):
    pair = frozenset(random.Random(seed).sample(range(count), 2))
    rounds = played(kind, count, seed, apart=frozenset({pair}))
    is_one_table = kind == "tables" and count <= SEATS[kind]
    assert meetings(rounds)[pair] == (len(rounds) if is_one_table else 0)
    byes = Counter(game.first for made in rounds for game in made if game.is_bye)
    assert max(byes.values(), default=0) <= 1


@given(kinds, st.integers(2, 24), seeds)
def test_it_comes_to_an_end_whoever_is_kept_apart(kind: str, count: int, seed: int):
    dice = random.Random(seed)
    apart = frozenset(frozenset(pair) for pair in combinations(range(count), 2) if dice.random() < 0.5)
    rounds = played(kind, count, seed, apart=apart)
    for made in rounds:
        assert sorted(number for game in made for number in game.numbers) == list(range(count))
    byes = Counter(game.first for made in rounds for game in made if game.is_bye)
    assert max(byes.values(), default=0) <= 1


def test_two_who_are_alone_meet_though_they_are_kept_apart():
    assert meetings(played("swiss", 2, 1, apart=frozenset({frozenset((0, 1))})))[frozenset((0, 1))] == 1


@given(st.integers(8, 24), seeds)
def test_one_whom_everybody_avoids_has_one_bye_at_most(count: int, seed: int):
    everybody = frozenset(frozenset((0, other)) for other in range(1, count))
    byes = Counter(game.first for made in played("swiss", count, seed, apart=everybody) for game in made if game.is_bye)
    assert byes[0] <= 1


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))), st.integers(2, 31))
def test_the_blocks_of_one_player_keep_a_quarter_of_the_field_away(blocks: list[tuple[int, int]], count: int):
    named = [(str(one), str(other)) for one, other in blocks]
    found = keeping_apart.heeded(named, count)
    assert max(Counter(one for one, _ in found).values(), default=0) <= max(1, count // 4)
    assert {one for one, _ in found} == {one for one, _ in named}


@pytest.mark.parametrize("free", [groups.first_free, knock_out.first_free])
@given(count=st.integers(2, 64), seed=seeds)
def test_the_list_is_changed_within_rows_only_and_so_that_fewer_meet_at_once(free: object, count: int, seed: int):
    dice = random.Random(seed)
    assert callable(free)
    rows, together = free(count)
    apart = frozenset(frozenset(dice.sample(range(count), 2)) for _ in range(dice.randint(0, 6)))
    order = keeping_apart.in_order(count, apart, rows, together)
    row_of = {place: index for index, row in enumerate(rows) for place in row}
    assert sorted(order) == list(range(count))
    assert all(one == place or row_of[one] == row_of[place] for place, one in enumerate(order))
    assert at_once(order, apart, together) <= at_once(list(range(count)), apart, together)


@pytest.mark.parametrize("count", [6, 9, 16, 33, 64])
@pytest.mark.parametrize("free", [groups.first_free, knock_out.first_free])
def test_one_pair_is_kept_apart_at_once_wherever_it_stands(free: object, count: int):
    assert callable(free)
    rows, together = free(count)
    for pair in combinations(range(2, count), 2):
        apart = frozenset({frozenset(pair)})
        assert at_once(keeping_apart.in_order(count, apart, rows, together), apart, together) == 0


def at_once(order: list[int], apart: Pairs, together: object) -> int:
    assert callable(together)
    places = combinations(range(len(order)), 2)
    return sum(frozenset((order[one], order[other])) in apart for one, other in places if together(one, other))
