"""Positions that come up again, told from views; and what computer players say to a draw because of that."""

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.optional import DrawVotes
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Action, EndTurn, Fire, Move, Strike
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.repetition import QUIET_TURNS, TIMES, bumps, draw_votes, trail
from tests.brettwerk_games.rules.wec.boards import SEED, Table, at
from tests.night import examples

SHUFFLE: dict[str, Any] = {"stealth_invisible": False, "submerged_invisible": False}
NOBODY = DrawVotes((), ())


def stand(position: Position) -> Hashable:
    """The state that a trail compares: who is to act, and what stands where."""
    pieces = sorted((piece.seat, piece.kind, piece.hand, piece.place) for piece in position.pieces)
    return position.active, tuple(pieces)


def matter(position: Position) -> Hashable:
    """The state whose changes no trail leads over: articles, transits, and which pieces there are."""
    pieces = [(piece.id, piece.seat, tuple(one.kind for one in piece.articles), piece.transit) for piece in position.pieces]
    return tuple(pieces), tuple(tuple(one.kind for one in lying) for lying in position.ground)


def shuffling_game(options: Options, seed: int, turns: int) -> Iterator[Position]:
    """A random game in which pieces like to go back to where they came from; the positions at the beginning of its Turns."""
    dice = random.Random(seed)
    position = GAME.new(options, 2, None, SEED).position
    last: dict[int, tuple[int, int]] = {}
    yield position
    for _ in range(turns):
        seat = position.active
        while position.active == seat and position.end == End.ON:
            view = GAME.view(position, seat)
            legal = rules.actions(view)
            moves = [action for action in legal if isinstance(action, Move)]
            fires = [action for action in legal if isinstance(action, (Fire, Strike))]
            back = [action for action in moves if (action.piece, action.place) == last.get(seat)]
            action: Action
            if not moves:
                action = EndTurn() if EndTurn() in legal else legal[0]
            elif fires and dice.random() < 0.1:
                action = dice.choice(fires)
            else:
                action = back[0] if back and dice.random() < 0.85 else dice.choice(moves)
                last[seat] = (action.piece, view.field.pieces[action.piece].place)
            position = rules.apply(position, seat, action, SEED).position
        if position.end != End.ON:
            return
        yield position


@pytest.mark.nightly
@settings(max_examples=examples(12), deadline=None)
@given(st.sampled_from([Options(**SHUFFLE), Options(actions=Actions.MOVES_ONLY, **SHUFFLE)]), st.integers(0, 10_000))
def test_a_trail_counts_what_came_up_since_something_happened(options: Options, seed: int) -> None:
    times: Counter[Hashable] = Counter()
    before: Hashable = None
    found = 0
    for position in shuffling_game(options, seed, 40):
        if matter(position) != before:
            times.clear()
        before = matter(position)
        times[stand(position)] += 1
        path = trail(GAME.view(position, position.active))
        assert path.times <= times[stand(position)]
        if options.actions == Actions.MOVES_ONLY:
            assert path.times == times[stand(position)]
        found = max(found, path.times)
        for move in [one for one in rules.actions(GAME.view(position, position.active)) if isinstance(one, Move)][::7]:
            moved = rules.apply(position, position.active, move, SEED).position
            done = rules.apply(moved, position.active, EndTurn(), SEED).position
            if done.end == End.ON and matter(done) == matter(position):
                piece = position.field.pieces[move.piece]
                passenger = position.field.companion(piece) if move.carry else None
                known = path.after_moves()[path.moved(piece, move.place, passenger)]
                assert known <= times[stand(done)]
                if options.actions == Actions.MOVES_ONLY:
                    assert known == times[stand(done)]
    assert found


def shuffled(table: Table, rounds: int) -> list[tuple[Position, DrawVotes]]:
    """Both Dozers go to and fro; return the positions at the beginning of the Turns, and what is said to a draw in each."""
    found = []
    for number in range(4 * rounds):
        black, white = (("(1,8)", "(1,7)"), ("(10,3)", "(10,4)"))
        here, there = (black, white)[number % 2]
        if number % 4 >= 2:
            here, there = there, here
        table.move("DO", here, there).end()
        found.append((table.position, draw_votes(table.position)))
    return found


def test_computers_agree_to_a_draw_when_a_position_has_come_up_for_the_third_time() -> None:
    said = shuffled(Table("B TA>(2,4)"), 3)
    # The third time that the first position is there is after eight Turns.
    assert [votes for _, votes in said[:7]] == [NOBODY] * 7
    assert said[7][1] == DrawVotes((), (0, 1), (1,)), "White has just moved"
    assert said[8][1] == DrawVotes((), (0, 1), (0,))
    assert said[-1][1] == DrawVotes((), (0, 1)), "the fourth time nobody asks again"


def test_in_the_middle_of_a_turn_nobody_speaks_of_a_draw() -> None:
    table = Table("B TA>(2,4)")
    shuffled(table, 2)
    assert draw_votes(table.position).offering == (1,)
    table.move("DO", "(1,8)", "(1,7)")
    assert draw_votes(table.position) == NOBODY


def test_an_offer_of_repetition_does_not_betray_hidden_moves() -> None:
    """A Sub goes about below while everything that is seen stands as before: that is no repetition, and nobody hears of it."""
    for piece, offered in (("W SU(7,7)", True), ("W SU(7,7) Sub", False)):
        table = Table(piece, "B TA>(2,4)")
        first, second = piece.split()[-1] if "Sub" not in piece else "(7,7) Sub", "(7,8) Sub" if "Sub" in piece else "(7,8)"
        for number in range(4):
            table.move("DO", *(("(1,8)", "(1,7)") if number % 2 == 0 else ("(1,7)", "(1,8)"))).end()
            table.move("SU", *((first, second) if number % 2 == 0 else (second, first))).end()
        assert bool(draw_votes(table.position).offering) == offered
        assert trail(GAME.view(table.position, 0)).times == 3


def test_after_a_hundred_turns_without_anything_a_draw_is_offered() -> None:
    """Both sides walk about at home, each time somewhere else."""
    position = Table("B TA>(2,4)", "W TA>(9,4)").position
    seen = []
    dice = random.Random(5)
    while position.ply <= QUIET_TURNS + 24:
        view = GAME.view(position, position.active)
        steps = [m for m in rules.actions(view) if isinstance(m, Move) and view.field.on(m.place) == []]
        home = [m for m in steps if (m.place // 10 < 4) == (position.active == 0)]
        position = rules.apply(position, position.active, dice.choice(home or steps), SEED).position
        position = rules.apply(position, position.active, EndTurn(), SEED).position
        assert position.end == End.ON
        seen.append((position.ply, draw_votes(position), trail(GAME.view(position, None)).times))
    offers = [ply for ply, votes, times in seen if votes.offering and times < TIMES]
    assert offers == [QUIET_TURNS + 1, QUIET_TURNS + 2, QUIET_TURNS + 21, QUIET_TURNS + 22]
    assert all(votes.agreeing == (0, 1) for ply, votes, _ in seen if ply > QUIET_TURNS)


@pytest.mark.parametrize(
    "line",
    [
        "MV:TA(2,4)>->(5,4),RS:TA*FP(5,4)0W",
        "MV:DO(1,8)->(1,7),PU:FP(3,3)^ST",
        "MV:DO(1,8)->(1,7),FI1:BI/FP(3,3)1BI->(5,5)",
        "MV:DO(1,8)->(1,7),DO>(1,7)FP(1,8)",
        "MV:DO(1,8)->(?,?)",
        "MV:CS",
    ],
)
def test_a_trail_ends_where_something_happened(line: str) -> None:
    view = GAME.view(Table("B TA>(2,4)", ply=3).position, 0)
    assert trail(view._replace(history=(line,))).before == ()


@pytest.mark.parametrize(
    "line",
    [
        "MV:?",
        "MV:--",
        "MV:DO(10,4)->(10,3)",
        "MV:DO(10,4)->(10,3),FI1:FL/TA(5,4)1FL>->(6,4),FI2:RL/RP(3,3)->(4,3),RS:R->(4,3)(1,0),Rv(10,9),OR:FMF",
        "MV:DO(10,4)->(10,3),FI1:SL/JE^(10,4)=>JE^(3,3),RS:S->(9,4)(-1,0)",
        "MV:TA(9,9)>->(9,8)",
    ],
)
def test_a_trail_goes_on_over_moves_and_fires_that_bring_nothing(line: str) -> None:
    view = GAME.view(Table("B TA>(2,4)", ply=3).position, 0)
    assert len(trail(view._replace(history=(line,))).before) == 1


def test_a_step_that_was_bumped_is_no_change_and_is_remembered() -> None:
    """WEC-RUL-27: it counts as the Turn's Move and ends where it began."""
    table = Table("B AAA(4,2)", "W AAA(5,3)")
    before = trail(table.view(0)).now
    table.move("AAA", "(4,2)", "(5,3)").end()
    assert trail(table.view(1)).before == (trail(table.view(1)).now,)
    assert not bumps(table.view(1), 1)
    table.idle()
    path = trail(table.view(0))
    assert path.before[1:] == (before,)
    ((start, end),) = bumps(table.view(0), len(path.before))
    assert (start[2], end) == (at("(4,2)"), at("(5,3)"))
