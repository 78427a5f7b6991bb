"""Pairing in an arena: properties of every step, and of the course of whole arenas."""

import random
from itertools import combinations, pairwise

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments.arena_pairing import REPEAT_AFTER_MS, Waiting, pairs

NOW_MS = 1_000_000


@st.composite
def crowds(draw: st.DrawFn, most: int = 30) -> list[Waiting]:
    """Return those who wait: of each how they stand, whom they met last, and since when they wait."""
    count = draw(st.integers(0, most))
    lasts = st.none() | st.integers(0, count + 3)
    waits = st.integers(0, REPEAT_AFTER_MS - 1)
    return [
        Waiting(
            number,
            draw(st.integers(0, 12)),
            1500.0 + draw(st.integers(-3, 3)),
            last if (last := draw(lasts)) != number else None,
            NOW_MS - draw(waits),
            draw(st.integers(-2, 2)),
        )
        for number in range(count)
    ]


def have_just_met(one: Waiting, other: Waiting) -> bool:
    return one.last == other.number or other.last == one.number


def most_pairs(crowd: list[Waiting]) -> int:
    """Return how many pairs there can be of those who did not meet last, by another algorithm."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_edges_from((one.number, other.number) for one, other in combinations(crowd, 2) if not have_just_met(one, other))
    return len(networkx.max_weight_matching(graph, maxcardinality=True))


@given(crowds())
def test_players_are_in_one_game_and_do_not_meet_the_last_opponent_again(crowd: list[Waiting]):
    made = pairs(crowd, NOW_MS, are_all=False)
    seated = [one.number for pair in made for one in pair]
    assert len(seated) == len(set(seated))
    assert not any(have_just_met(*pair) for pair in made)


@given(crowds(8))
def test_as_many_of_a_few_are_paired_as_can_be(crowd: list[Waiting]):
    assert len(pairs(crowd, NOW_MS, are_all=False)) == most_pairs(crowd)


@given(crowds(8))
def test_two_meet_again_only_where_fewer_would_have_a_game_otherwise(crowd: list[Waiting]):
    made = pairs(crowd, NOW_MS, are_all=True)
    assert len(made) == len(crowd) // 2
    again = sum(have_just_met(*pair) for pair in made)
    assert again == len(crowd) // 2 - most_pairs(crowd)


@st.composite
def mutual(draw: st.DrawFn) -> list[Waiting]:
    """Return a crowd of those who came from games with each other: each has met at most one of the others last."""
    count = draw(st.integers(3, 120))
    order = draw(st.permutations(range(count)))
    opponents = dict(pair for one, other in zip(order[::2], order[1::2], strict=False) for pair in ((one, other), (other, one)))
    return [
        Waiting(number, draw(st.integers(0, 9)), 1500.0, opponents.get(number), NOW_MS - draw(st.integers(0, 5000)))
        for number in range(count)
    ]


@given(mutual())
def test_everybody_of_a_crowd_gets_a_game_but_the_odd_one(crowd: list[Waiting]):
    assert len(pairs(crowd, NOW_MS, are_all=False)) == len(crowd) // 2


@given(st.integers(3, 60), st.integers(0, 2**32))
def test_the_odd_one_has_waited_the_shortest(count: int, seed: int):
    dice = random.Random(seed)
    crowd = [Waiting(each, dice.randrange(9), 1500.0, None, NOW_MS - 1000 * dice.randrange(40)) for each in range(count * 2 - 1)]
    seated = {one.number for pair in pairs(crowd, NOW_MS, are_all=False) for one in pair}
    (odd,) = (one for one in crowd if one.number not in seated)
    assert odd.since_ms == max(one.since_ms for one in crowd)


@given(st.integers(1, 60), st.integers(0, 2**32))
def test_neighbours_in_the_standings_meet_where_nobody_has_met(count: int, seed: int):
    dice = random.Random(seed)
    crowd = [Waiting(number, dice.randrange(20), 1500.0 + dice.randrange(400)) for number in range(2 * count)]
    order = sorted(crowd, key=lambda one: (-one.points, -one.rating, one.number))
    wanted = [{one.number, other.number} for one, other in zip(order[::2], order[1::2], strict=True)]
    assert [{one.number, other.number} for one, other in pairs(crowd, NOW_MS, are_all=False)] == wanted


@given(crowds(8))
def test_no_other_pairing_of_a_few_is_nearer_in_points(crowd: list[Waiting]):
    even = [Waiting(one.number, one.points, one.rating, one.last) for one in crowd[: len(crowd) // 2 * 2]]
    made = pairs(even, 0, are_all=False)
    if len(made) < len(even) // 2:
        return
    gap = sum(abs(one.points - other.points) for one, other in made)
    graph: networkx.Graph[int] = networkx.Graph()
    for one, other in combinations(even, 2):
        if not have_just_met(one, other):
            graph.add_edge(one.number, other.number, weight=-abs(one.points - other.points))
    points = {one.number: one.points for one in even}
    best = networkx.max_weight_matching(graph, maxcardinality=True)
    assert gap == sum(abs(points[one] - points[other]) for one, other in best)


def test_two_who_met_last_meet_again_once_one_has_waited_long_enough_or_nobody_else_is_there():
    one, other = Waiting(0, 0, 1500.0, 1, NOW_MS), Waiting(1, 0, 1500.0, 0, NOW_MS)
    assert not pairs([one, other], NOW_MS + REPEAT_AFTER_MS - 1, are_all=False)
    assert pairs([one, other], NOW_MS + REPEAT_AFTER_MS, are_all=False)
    assert pairs([one, other], NOW_MS, are_all=True)


def test_a_newcomer_is_preferred_to_the_last_opponent():
    waiting = [Waiting(0, 4, 1500.0, 1, 0), Waiting(1, 4, 1500.0, 0, 0), Waiting(2, 0, 1500.0, None, NOW_MS)]
    ((one, other),) = pairs(waiting, NOW_MS, are_all=True)
    assert 2 in {one.number, other.number}


@pytest.mark.parametrize(("seats", "first"), [((0, 1), 0), ((1, 0), 1), ((-2, -1), 0), ((0, 0), 1)])
def test_the_first_seat_goes_to_the_one_who_had_it_less_often(seats: tuple[int, int], first: int):
    ((one, _),) = pairs([Waiting(number, 0, 1500.0, seats=each) for number, each in enumerate(seats)], 0, are_all=True)
    assert one.number == first


@given(st.integers(2, 25), st.integers(0, 2**32))
def test_in_the_course_of_an_arena_all_play_on_and_hardly_ever_meet_the_same_twice_in_a_row(count: int, seed: int):
    dice = random.Random(seed)
    players = {number: Waiting(number, 0, 1500.0 + dice.randrange(300)) for number in range(count)}
    busy: dict[int, tuple[int, int]] = {}
    met: dict[int, list[int]] = {number: [] for number in players}
    for second in range(240):
        now_ms = second * 1000
        for number in [each for each, (_, ends) in busy.items() if ends <= second]:
            del busy[number]
            players[number] = Waiting(number, players[number].points + dice.randrange(3), 1500.0, met[number][-1], now_ms)
        waiting = [players[number] for number in players if number not in busy]
        for one, other in pairs(waiting, now_ms, are_all=len(waiting) == count):
            has_waited = now_ms - min(one.since_ms, other.since_ms) >= REPEAT_AFTER_MS
            assert not have_just_met(one, other) or has_waited or len(waiting) == count
            ends = second + dice.randrange(5, 30)
            for own, opponent in ((one.number, other.number), (other.number, one.number)):
                assert own not in busy
                busy[own] = (opponent, ends)
                met[own].append(opponent)
    # Games last half a minute at most, and whoever could only meet the last opponent again waits for twenty seconds.
    assert min(len(found) for found in met.values()) >= 3
    again = sum(one == other for found in met.values() for one, other in pairwise(found))
    assert again == 0 or count < 12
