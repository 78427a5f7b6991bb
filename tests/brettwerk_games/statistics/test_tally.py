"""Tallies add up: whatever games there are, shares are shares of what could be won, and lots can be counted apart."""

from hypothesis import given
from hypothesis import strategies as st

from brettwerk_games.statistics.result import ACTION_CLASSES, MAX_ROUNDS, PERSON, Mark, Result, length_class
from brettwerk_games.statistics.tally import Key, Tallies, by_scope, count, count_own

LEVELS = st.sampled_from(["easy", "strong", PERSON])


@st.composite
def results(draw: st.DrawFn) -> Result:
    seats = tuple(draw(st.lists(LEVELS, min_size=2, max_size=6)))
    places = st.integers(0, len(seats) - 1)
    winners = tuple(sorted(draw(st.sets(places, max_size=2))))
    marks = tuple(
        Mark("continent", key, seat) for key, seat in draw(st.lists(st.tuples(st.sampled_from("ab"), places), max_size=3))
    )
    return Result(
        seats, winners, draw(st.sampled_from(["", "EMP-END-2"])), draw(st.integers(0, 10**5)), draw(st.integers(0, 999)), marks
    )


def test_a_decided_game_counts_for_seats_levels_and_marks() -> None:
    result = Result(("easy", "strong", "easy"), (1,), "EMP-END-2", 812, 23, (Mark("continent", "asia", 1),))
    assert list(count(result).rows()) == [
        (Key("all", ""), 1, 1),
        (Key("continent", "asia"), 1, 1),
        (Key("end", "EMP-END-2"), 1, 1),
        (Key("length", "20"), 1, 1),
        (Key("level", "easy"), 2, 0),
        (Key("level", "strong"), 1, 1),
        (Key("seat", "0"), 1, 0),
        (Key("seat", "1"), 1, 1),
        (Key("seat", "2"), 1, 0),
    ]


def test_an_undecided_game_counts_with_its_end_and_its_length_only() -> None:
    result = Result(("easy", "strong"), (), "EMP-END-5", 44, marks=(Mark("continent", "asia", 1),))
    assert list(count(result).rows()) == [(Key("all", ""), 1, 0), (Key("end", "EMP-END-5"), 1, 0), (Key("length", "40"), 1, 0)]


@given(results())
def test_of_a_decided_game_every_seat_counts_once(result: Result) -> None:
    tallies = count(result)
    seats = [(key, games) for key, games, _ in tallies.rows() if key.kind == "seat"]
    assert len(seats) == (len(result.seats) if result.winners else 0)
    for kind in ("seat", "level"):
        assert sum(wins for key, _, wins in tallies.rows() if key.kind == kind) == len(result.winners)


@given(st.lists(results(), max_size=8), st.integers(0, 8))
def test_lots_that_are_counted_apart_add_up(all_results: list[Result], at: int) -> None:
    whole, one, other = Tallies(), Tallies(), Tallies()
    for number, result in enumerate(all_results):
        whole.add(count(result))
        (one if number < at else other).add(count(result))
    one.add(other)
    assert list(one.rows()) == list(whole.rows())
    assert list(Tallies.of(whole.rows()).rows()) == list(whole.rows())


@given(results())
def test_wins_never_exceed_games(result: Result) -> None:
    assert all(0 <= wins <= games for key, games, wins in count(result).rows())


@given(results())
def test_lengths_are_in_their_class(result: Result) -> None:
    least = length_class(result)
    if result.rounds:
        assert least <= result.rounds
        assert result.rounds < least + 5 or least == MAX_ROUNDS
    else:
        assert least == max(one for one in ACTION_CLASSES if one <= result.actions)


def test_ones_own_games_count_by_seat_and_opponent() -> None:
    result = Result((PERSON, "easy", "easy", "strong"), (0,), "EMP-END-2", 500)
    rows = {key: (games, wins) for key, games, wins in count_own(result, [0]).rows()}
    assert rows[Key("seat", "0")] == (1, 1)
    assert rows[Key("against", "easy")] == (1, 1)
    assert rows[Key("against", "strong")] == (1, 1)
    assert Key("level", "easy") not in rows


def test_ones_own_lost_games_are_decided_and_not_won() -> None:
    rows = {key: (games, wins) for key, games, wins in count_own(Result((PERSON, "easy"), (1,), "", 50), [0]).rows()}
    assert rows[Key("all", "")] == (1, 1)
    assert rows[Key("length", "40")] == (1, 0)


def test_private_games_count_for_their_players_only() -> None:
    result = Result((PERSON, "easy"), (0,), "", 50)
    players = {"ada": (0,), "bob": ()}
    assert set(by_scope(result, players, public=False)) == {"ada"}
    assert set(by_scope(result, players, public=True)) == {"ada", ""}
