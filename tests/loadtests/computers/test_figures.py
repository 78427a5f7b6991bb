"""Figures of a run of which everything is known beforehand."""

import json
import math

import pytest

from loadtests.computers import bars
from loadtests.computers.figures import Capacity, Outcome, Stretch, cost_s, figures, recovered_s, table
from loadtests.computers.mix import Company, Kind
from loadtests.computers.moves import Move, Story
from loadtests.computers.notes import Asked, Notes, Wait
from loadtests.metrics import Series

EASY = Kind("einstein", "easy", 1, Company.PERSON, 1)
ALONE = Kind("plateau", "strong", 2, Company.NOBODY, 1)
USUAL = {Company.PERSON: 1.0, Company.WATCHER: 1.0, Company.NOBODY: 5.0}


def _move(kind: Kind, wanted_at: float, at: float, think_s: float = 0.2, *, fallback: bool = False) -> Move:
    return Move(kind, wanted_at, at, think_s, fallback)


def _stretch(k: float = 10, **other: object) -> Stretch:
    given = {"tables": 4, "people": 2, "slots": 2, "begin": 100.0, "end": 110.0, "grown": Series(), "cpu_s": {"session": 5.0}}
    return Stretch(k=k, **(given | {"open_waits_s": ()} | other))  # type: ignore[arg-type]


def test_a_move_costs_the_time_of_a_place() -> None:
    received = Story([_move(EASY, 100, 100.05 + n / 10) for n in range(100)], ())
    assert cost_s(received, 100, 110, 2, 9.0) == pytest.approx(0.2)  # 100 moves keep 2 places busy for 10 s
    assert cost_s(received, 200, 210, 2, 9.0) == 9.0  # nobody played: what it names


def test_capacity_is_all_moves_that_places_have_time_for_whatever_they_cost() -> None:
    received = Story([_move(EASY, 100, 100.05 + n / 10) for n in range(50)] + [_move(ALONE, 100, 101 + n) for n in range(5)], ())
    able = Capacity(2, {EASY.at: 0.1, ALONE.at: 3.0})
    assert figures(_stretch(), received, Notes(), able, 2.0).of_capacity == pytest.approx(1.0)


def test_a_person_who_still_waits_at_the_end_counts_as_one_who_waited_long() -> None:
    able = Capacity(2, {EASY.at: 1.0})
    notes = Notes(waits=[Wait(EASY, 100 + n / 10, 0.3, True) for n in range(20)])
    quick = figures(_stretch(open_waits_s=(0.5, 1.9)), Story((), ()), notes, able, 2.0)
    slow = figures(_stretch(open_waits_s=(7.0, 9.0)), Story((), ()), notes, able, 2.0)
    assert (quick.easy_p95_s, quick.easy_moves) == (0.3, 20)
    assert (slow.easy_p95_s, slow.easy_longest_s, slow.easy_moves) == (7.0, 9.0, 22)


def test_the_longest_wait_is_also_one_that_is_not_over() -> None:
    received = Story([_move(ALONE, 50, 104)], [_move(ALONE, 40, 1000)])
    assert received.longest_wait_s(Company.NOBODY, 100, 110) == 70
    assert received.longest_wait_s(Company.PERSON, 100, 110) == 0
    assert Story(received.moves, ()).longest_wait_s(Company.NOBODY, 100, 110) == 54


def test_waits_are_usual_again_when_they_stay_so() -> None:
    late = [_move(EASY, 100 + n, 103 + n) for n in range(4)]  # made until second 106
    good = [_move(EASY, 106.5 + n / 2, 106.6 + n / 2) for n in range(40)]
    assert recovered_s(Story(late + good, ()), 100, 120, USUAL) == 7
    assert recovered_s(Story(good, [_move(EASY, 90, 1000)]), 100, 120, USUAL) == math.inf
    assert recovered_s(Story(good, ()), 100, 120, USUAL) == 0


def test_every_bar_that_is_missed_is_said() -> None:
    able = Capacity(2, {EASY.at: 1.0})
    notes = Notes(
        waits=[Wait(EASY, 101, 2.5, True)] * 20,
        hints=[Asked(EASY, 101, 4.0)] * 20 + [Asked(EASY, 101, 0.0, "REASON_FULL")],
    )
    received = Story([_move(EASY, 100, 101, fallback=True)], ())
    outcome = Outcome({}, stretches=[figures(_stretch(), received, notes, able, 2.0)], recovered_s=11, stuck=2, fallbacks=1)
    said = "\n".join(bars.missed(outcome))
    for what in ("of capacity", "easy level", "hints took", "hints failed", "not thought about", "end of overload", "stuck"):
        assert what in said
    assert len(bars.missed(outcome)) == 7
    assert "0.05" in table(outcome)
    assert json.loads(json.dumps(outcome.kept()))["stretches"][0]["other_p95_s"] is None


def test_a_run_within_all_bars_misses_none() -> None:
    able = Capacity(2, {EASY.at: 0.2})
    received = Story([_move(EASY, 100, 100 + n / 10) for n in range(1, 100)], ())
    notes = Notes(waits=[Wait(EASY, 101, 0.5, True)] * 20, hints=[Asked(EASY, 101, 1.0)])
    outcome = Outcome({}, stretches=[figures(_stretch(), received, notes, able, 2.0)], recovered_s=3)
    assert bars.missed(outcome) == []


def test_series_that_began_anew_have_grown_by_all_that_they_have() -> None:
    key = ("brettwerk_ai_attempts_total", frozenset({("outcome", "played")}))
    assert Series({key: 3.0}).minus(Series({key: 5.0})).total(key[0], outcome="played") == 3.0
    assert Series({key: 7.0}).minus(Series({key: 5.0})).total(key[0]) == 2.0
    assert Series({key: 7.0}).total(key[0], outcome="late") == 0.0
