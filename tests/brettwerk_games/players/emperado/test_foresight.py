"""Looking ahead: what it leaves as it was, how it ends, and that it finds what one look does not see."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.emperado.aims import COALITION_UNTIL, RESTLESS_FROM, VARIATIONS, Aims, is_bold
from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.foresight import FEWER, RUNGS, Foresight, Rung, worth
from brettwerk_games.players.emperado.mind import Mind
from brettwerk_games.players.emperado.sheet import Sheet
from brettwerk_games.players.emperado.style import EXPERT, STRONG
from brettwerk_games.players.interface import OutOfTime
from brettwerk_games.rules.emperado.options import CaptureMove, Options
from brettwerk_games.rules.emperado.world import WORLD
from tests.night import examples

FEW = (Rung(2, 99), Rung(2, 3))


def never() -> bool:
    return False


def begun(seats: int, seed: int, steps: int, options: Options | None = None) -> Contest:
    """Return a game of strong players after so many actions, or right before its end."""
    contest = Contest([STRONG] * seats, seed, options or Options(computers=(True,) * 6))
    for _ in range(steps):
        contest.step()
        if contest.match.end:
            return begun(seats, seed + 1, steps, options)
    return contest


def shown(sheet: Sheet) -> tuple[object, ...]:
    """Return everything that a sheet shows of the game."""
    arrays = (sheet.owners, sheet.armies, sheet.blocked, sheet.cards, sheet.computers, sheet.alive, sheet.favour)
    numbers = (sheet.me, sheet.round, sheet.to_place, sheet.captured, sheet.bonus)
    entry = (sheet.entry_source, sheet.entry_target, sheet.entry_least)
    return (*(tuple(array) for array in arrays), *numbers, *entry)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(2, 6), st.integers(0, 10_000), st.integers(0, 400), st.sampled_from(CaptureMove))
def test_looking_ahead_leaves_the_sheet_as_it_was(seats: int, seed: int, steps: int, capture_move: CaptureMove) -> None:
    contest = begun(seats, seed, steps, Options(computers=(True,) * 6, capture_move=capture_move))
    before = shown(contest.sheet)
    Foresight(contest.sheet, EXPERT, FEW).choose(seed, never)
    assert shown(contest.sheet) == before


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(2, 6), st.integers(0, 10_000), st.integers(0, 300))
def test_a_sheet_and_a_seed_have_one_aim_whatever_was_chosen_before(seats: int, seed: int, steps: int) -> None:
    contest = begun(seats, seed, steps)
    used, new = (Foresight(contest.sheet, EXPERT, FEW) for _ in range(2))
    used.choose(seed + 1, never)
    contest.sheet.favour[seed % WORLD] = 9.0  # as the aim of a turn before has left it
    one, other = used.choose(seed, never), new.choose(seed, never)
    assert list(one.favour) == list(other.favour)
    contest.sheet.favour[:] = one.favour
    assert one.mind.decide() == other.mind.decide()


def test_all_aims_are_tried_and_the_best_of_them_more_often() -> None:
    contest = begun(2, 5, 60)
    foresight = Foresight(contest.sheet, EXPERT, FEW)
    foresight.choose(1, never)
    tried = len(Aims(contest.sheet, EXPERT).of_turn())
    assert tried > len(VARIATIONS)
    assert 2 * tried + 2 * 2 <= foresight.games <= 2 * tried + 2 * 3


def test_of_more_than_two_nobody_waits() -> None:
    """Experts that may wait do so for ever: EMP-PARAM-4 has a third of the games of six without a winner at 40."""
    bold = sum(map(is_bold, VARIATIONS))
    assert 0 < bold < len(VARIATIONS)
    for seats in range(2, 7):
        contest = begun(seats, 5, 10)
        minds = {id(aim.mind) for aim in Aims(contest.sheet, EXPERT).of_turn()}
        assert len(minds) == 1 + (len(VARIATIONS) if seats == 2 else bold)


def test_early_in_a_game_of_more_than_two_a_coalition_binds_experts_as_it_does_strong_players() -> None:
    """Seats that move late have more countries, EMP-SETUP-4: where nobody minds that, the first ones lose."""
    for seats in range(3, 7):
        contest = begun(seats, 5, 10)
        for number in (COALITION_UNTIL, COALITION_UNTIL + 1):
            contest.sheet.round = number
            Aims(contest.sheet, EXPERT).of_turn()
            wished = list(contest.sheet.wish)
            Mind(contest.sheet, STRONG).look()
            assert (wished == list(contest.sheet.wish)) == (number == COALITION_UNTIL)


def test_in_a_long_game_of_more_than_two_every_turn_is_played_restlessly() -> None:
    """Three that are strong would let each other fight for ever, EMP-PARAM-4."""
    for seats in range(2, 7):
        contest = begun(seats, 5, 10)
        for number in (RESTLESS_FROM - 1, RESTLESS_FROM):
            contest.sheet.round = number
            minds = {id(aim.mind) for aim in Aims(contest.sheet, EXPERT).of_turn()}
            assert (len(minds) == 1) == (seats > 2 and number == RESTLESS_FROM)


def test_putting_a_seat_out_is_worth_more_than_the_chance_that_it_brings() -> None:
    """A game without a winner counts for all that are left in it alike, and one of two has a winner."""
    for left in range(4, 7):
        assert worth(0.3, left - 1) > worth(0.3, left)
    assert worth(0.3, 2) == 0.3
    assert worth(0.0, 5) == 0.0, "whoever is out has no part in it"
    assert worth(0.4, 3) > worth(0.3, 3)


@pytest.mark.parametrize("games", [0, 1, 20, 60])
def test_without_time_the_best_so_far_is_taken(games: int) -> None:
    contest = begun(2, 3, 40)
    before = shown(contest.sheet)
    foresight = Foresight(contest.sheet, EXPERT)
    aim = foresight.choose(1, lambda: foresight.games >= games)
    assert foresight.games == games
    assert shown(contest.sheet) == before
    usual = Foresight(contest.sheet, EXPERT, (Rung(0, 99),)).choose(1, never)
    if games < 2:
        assert aim.mind.decide() == usual.mind.decide(), "without a whole row of games it is the usual one"


def test_a_search_that_is_interrupted_answers_and_leaves_the_sheet_as_it_was() -> None:
    contest = begun(2, 3, 40)
    before = shown(contest.sheet)

    def interrupted() -> bool:
        raise OutOfTime

    Foresight(contest.sheet, EXPERT).choose(1, interrupted)
    assert shown(contest.sheet) == before


def test_a_turn_has_no_more_games_than_the_rungs_say() -> None:
    """The number of games bounds the time: a game of a round takes some hundredths of a millisecond a seat."""
    for seats, rungs in ((2, RUNGS), (6, FEWER)):
        contest = begun(seats, 9, 120)
        foresight = Foresight(contest.sheet, EXPERT)
        foresight.choose(1, never)
        tried = len(Aims(contest.sheet, EXPERT).of_turn())
        assert foresight.games <= sum(rung.games * min(rung.aims, tried) for rung in rungs) < 350
