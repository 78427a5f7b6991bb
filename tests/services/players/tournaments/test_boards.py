"""Matches of clubs, board by board: who meets whom, and in which seats."""

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from services.players.tournaments import boards, keeping_apart
from services.players.tournaments.boards import CHALLENGED, CHALLENGER, club_of
from services.players.tournaments.results import Game
from tests.night import examples

BOARDS = st.integers(1, 64)


def played(count: int, seats: int = 2, games: int = 1, *, at_once: bool = False) -> list[list[Game]]:
    """Return the rounds of a match of so many players."""
    made: list[list[Game]] = []
    rounds = boards.rounds(games, at_once=at_once)
    while following := boards.pairings(count, [game for each in made for game in each], seats, rounds, at_once=at_once):
        made.append(following)
    return made


@given(BOARDS, st.sampled_from([1, 2]), st.booleans())
def test_at_every_board_one_of_each_club_plays_in_the_order_of_the_line_ups(count: int, games: int, slow: bool):
    rounds = played(2 * count, games=games, at_once=slow and games > 1)
    assert len(rounds) == (1 if slow else games)
    for game in (game for each in rounds for game in each):
        assert game.second is not None
        assert {club_of(game.first), club_of(game.second)} == {CHALLENGER, CHALLENGED}
        assert game.first // 2 == game.second // 2
    for made in rounds:
        first = [game.first // 2 for game in made[:count]]
        assert first == list(range(count))
    met = Counter(frozenset(game.numbers) for each in rounds for game in each)
    assert met == {frozenset((2 * board, 2 * board + 1)): games for board in range(count)}


@given(BOARDS, st.booleans())
def test_first_seats_alternate_by_board_and_are_exchanged_in_the_second_game(count: int, at_once: bool):
    games = [game for each in played(2 * count, games=2, at_once=at_once) for game in each]
    once, again = games[:count], games[count:]
    clubs = [club_of(game.first) for game in once]
    assert clubs == [CHALLENGED if board % 2 else CHALLENGER for board in range(count)]
    assert [(game.second, game.first) for game in again] == [(game.first, game.second) for game in once]


@given(st.sampled_from([4, 6]), st.data())
def test_a_larger_table_has_as_many_of_either_club_in_turn(seats: int, data: st.DataObject):
    count = data.draw(st.integers(1, boards.most_boards(seats)))
    (games,) = played(count * seats, seats)
    assert sorted(number for game in games for number in game.numbers) == list(range(count * seats))
    for board, game in enumerate(games):
        assert {number // seats for number in game.numbers} == {board}
        clubs = [club_of(number) for number in game.numbers]
        begins = CHALLENGED if board % 2 else CHALLENGER
        assert clubs == [begins, 3 - begins] * (seats // 2)


def test_a_match_has_64_players_of_a_club_at_most():
    assert [boards.most_boards(seats) for seats in (2, 4, 6)] == [64, 32, 21]


PAIRS = st.integers(2, 8).flatmap(
    lambda count: st.tuples(st.just(count), st.frozensets(st.sampled_from([*map(frozenset, combinations(range(2 * count), 2))])))
)


@given(PAIRS)
def test_blocked_players_change_places_within_their_club_and_meet_no_more_often(found: tuple[int, frozenset[frozenset[int]]]):
    count, apart = found
    order = keeping_apart.in_order(2 * count, apart, *boards.first_free(2 * count, 2))
    assert sorted(order) == list(range(2 * count))
    assert [club_of(one) for one in order] == [CHALLENGER, CHALLENGED] * count

    def meeting(places: list[int]) -> int:
        return sum(frozenset(places[2 * board : 2 * board + 2]) in apart for board in range(count))

    assert meeting(order) <= meeting(list(range(2 * count)))
    if len(apart) == 1:
        assert meeting(order) == 0


@settings(max_examples=examples(20))
@given(BOARDS)
def test_without_blocks_the_line_ups_are_left_as_they_are(count: int):
    assert keeping_apart.in_order(2 * count, (), *boards.first_free(2 * count, 2)) == list(range(2 * count))
