"""Pairing in a pool: what holds for whoever waits, and how windows widen."""

import math

from hypothesis import given
from hypothesis import strategies as st

from services.players.opponents.pool_pairing import ANYBODY_S, REPEAT_S, Seeker, may_meet, pairs, shown_window, window

NAMES = tuple("abcdefghij")
blocks = st.frozensets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=12)


@st.composite
def pools(draw: st.DrawFn) -> list[Seeker]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    return [
        Seeker(name, draw(st.floats(400, 2600)), draw(st.floats(0, 200)), draw(st.sampled_from(("", *NAMES)))) for name in names
    ]


@given(pools(), blocks)
def test_each_player_is_in_one_pair_and_only_those_are_paired_who_may_meet(
    pool: list[Seeker], blocked: frozenset[tuple[str, str]]
):
    found = pairs(pool, blocked)
    players = [one.player_id for pair in found for one in pair]
    assert len(players) == len(set(players))
    assert all(may_meet(one, other, blocked) for one, other in found)


@given(pools(), blocks)
def test_no_two_are_left_who_may_meet(pool: list[Seeker], blocked: frozenset[tuple[str, str]]):
    paired = {one.player_id for pair in pairs(pool, blocked) for one in pair}
    left = [one for one in pool if one.player_id not in paired]
    assert not any(may_meet(one, other, blocked) for one in left for other in left)


@given(pools(), blocks)
def test_the_order_in_which_they_came_to_the_database_changes_nothing(pool: list[Seeker], blocked: frozenset[tuple[str, str]]):
    assert pairs(pool, blocked) == pairs(pool[::-1], blocked)


@given(pools())
def test_after_two_minutes_all_but_an_odd_one_are_paired(pool: list[Seeker]):
    waiting = [Seeker(one.player_id, one.rating, ANYBODY_S) for one in pool]
    assert len(pairs(waiting)) == len(waiting) // 2


def test_a_window_widens_by_five_points_a_second_and_is_open_after_two_minutes():
    assert [window(0), window(10), window(119)] == [50, 100, 645]
    assert math.isinf(window(ANYBODY_S))
    assert [shown_window(0), shown_window(60), shown_window(ANYBODY_S)] == [100, 400, 0]


def test_a_player_who_has_waited_meets_one_who_has_just_come():
    waited = Seeker("a", 1500, 30)
    assert not may_meet(Seeker("a", 1500, 0), Seeker("b", 1700, 0), frozenset())
    assert pairs([waited, Seeker("b", 1700, 0)]) == [(waited, Seeker("b", 1700, 0))]


def test_the_nearest_meet_where_all_have_waited_as_long():
    near, far = Seeker("b", 1520, 10), Seeker("c", 1590, 10)
    assert pairs([Seeker("a", 1500, 10), far, near]) == [(Seeker("a", 1500, 10), near)]


def test_the_same_two_meet_again_only_when_nobody_else_would_do():
    one, other = Seeker("a", 1500, REPEAT_S, "b"), Seeker("b", 1500, REPEAT_S, "a")
    third = Seeker("c", 1600, REPEAT_S)
    assert {player.player_id for player in pairs([one, other, third])[0]} != {"a", "b"}
    assert pairs([one, other]) == [(one, other)]
    assert pairs([Seeker("a", 1500, 5, "b"), other]) == []


def test_a_block_keeps_two_players_apart_either_way_round():
    one, other = Seeker("a", 1500, 500), Seeker("b", 1500, 500)
    assert pairs([one, other], {("a", "b")}) == [] == pairs([one, other], {("b", "a")})
