"""Turns that can hardly be made: fewer than six steps, moves that would strand the turn, turns that are skipped."""

import random

import pytest

from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move, Skipped
from brettwerk_games.rules.plateau.board import Army, bits
from brettwerk_games.rules.plateau.finish import finishable, played, steps_due
from brettwerk_games.rules.plateau.moves import candidates
from brettwerk_games.rules.plateau.play import play
from brettwerk_games.rules.plateau.position import End, Order, Position, Turn, all_of
from brettwerk_games.rules.plateau.rules import way
from brettwerk_games.rules.plateau.turns import begin
from tests.brettwerk_games.rules.plateau.boards import at, begun, do, legal, new, refusal, rule, stand
from tests.brettwerk_games.rules.plateau.test_reach import TABLES, scattered
from tests.night import examples


@pytest.mark.parametrize(
    ("mine", "due"),
    [
        ("4@F5", 4),
        ("2@F5", 2),
        ("2@F5 4@F9", 6),
        ("2@F5 2@F9", 4),
        ("6@F5", 6),
        ("E@F5", 6),
        ("2@F5 2@F9 2@K1", 6),
        ("6@A1 6@A16 2@B1 2@B16", 6),
    ],
)
def test_a_turn_owes_six_steps_or_the_most_that_can_be_made(mine: str, due: int) -> None:
    assert begun(mine, "E@A9 2@K12").turn.due == due


def test_a_lone_four_makes_four_steps_and_no_fewer() -> None:
    position = begun("4@F5", "E@A9")
    assert {move.steps for move in legal(position) if isinstance(move, Move)} == {4}
    assert rule(position, "F5-F6") == "EP-TURN-11"
    assert do(position, "F5..F9/4", "end").to_move == 1


def test_a_capture_that_the_longest_turn_needs_is_due() -> None:
    walled = begun("2@A2 2@A3 2@B2", "E@A9 2@C3 2@A5")
    assert walled.turn.due == 6
    corner = begun("2@K1", "E@A9 2@K2 2@K16 2@J2 2@I1 2@J16")
    assert corner.turn.due == 2
    assert rule(corner, "K1-J1") == "EP-TURN-11"
    assert at(do(corner, "K1-J1xJ2"), "J2") == "0:2"


def test_a_move_that_strands_the_turn_is_refused() -> None:
    position = begun("E@F5 2@K1", "E@A9")
    assert (position.turn.due, finishable(position)) == (6, True)
    refused = refusal(position, "F5-F6-F7-F8")
    assert (refused.rule, refused.details) == ("EP-TURN-11", {"made": "3", "due": "6"})
    after = do(position, "F5-F6-F7-F8-F9")
    assert {move.steps for move in legal(after) if isinstance(move, Move)} == {2}


def test_a_conquest_that_ends_the_game_strands_nobody() -> None:
    position = begun("2@B8 E@F5", "E@A9")
    assert do(position, "B8-A8#A9").winner == 0
    assert Move(position.board.number_of["B8"], position.board.number_of["A9"], 2) in legal(position)


def test_the_moves_that_are_listed_are_those_after_which_the_turn_can_be_finished() -> None:
    rng = random.Random(6)
    short = dict.fromkeys(Army, 0)
    for number in range(examples(300)):
        seats, options = TABLES[number % len(TABLES)]
        position = scattered(rng, seats, options)
        position = rng.choice((thinned(rng, position), besieging(rng, position), position))
        made = rng.randint(0, 4)
        position = position._replace(turn=Turn(small=made, order=Order.SMALL if made else Order.NONE, due=6))
        found = [one for one in candidates(position) if finishable(played(position, one))]
        assert [action for action in legal(position) if isinstance(action, Move)] == [
            Move(source, reached.target, reached.steps) for _, source, reached in found
        ]
        for army, _, reached in found:
            short[army] += made > 0 and reached.steps < 6 - made
    assert all(short.values()), short


def besieging(rng: random.Random, position: Position) -> Position:
    """Return the position with the emblem of the seat to move in a free place near a base of another one."""
    board, bases, _ = position.setup
    seat, armies = position.to_move, list(position.armies)
    goal = rng.choice([base for other, base in enumerate(bases) if other != seat and other not in position.fallen])
    taken = sum(1 << base for base in bases) | sum(map(all_of, armies))
    near = list(bits(board.within[Army.FOUR][goal] & ~taken))
    if near:
        twos, fours, sixes, _ = armies[seat]
        armies[seat] = twos, fours, sixes, 1 << rng.choice(near)
    return position._replace(armies=tuple(armies))


def test_a_player_without_a_step_is_skipped() -> None:
    position = begun("2@K1", "E@A9 2@K2 2@K16 2@J1 6@D4", to_move=1)
    after = GAME.apply(do(position, "6 D4..D10/6"), 1, EndTurn(), b"")
    assert after.events[1:] == (Skipped(0),)
    assert after.position.to_move == 1
    assert len(after.position.history) == 3


def test_when_nobody_can_make_a_step_the_game_is_drawn() -> None:
    nobody = stand("", "")
    after, events = begin(nobody)
    assert after.end == End.REPETITION
    assert [event for event in events if isinstance(event, Skipped)] == [Skipped(0), Skipped(1)] * 2


@pytest.mark.nightly
def test_moves_are_listed_exactly_when_a_plain_search_finishes_the_turn() -> None:
    rng = random.Random(5)
    stranding = 0
    for number in range(60):
        seats, options = TABLES[number % len(TABLES)]
        position = thinned(rng, scattered(rng, seats, options))
        position = position._replace(turn=Turn(due=steps_due(position)))
        assert position.turn.due == longest(position, 6)
        if not position.turn.due:
            continue
        for _ in range(3):
            listed = {action for action in legal(position) if isinstance(action, Move)}
            for army, source, reached in candidates(position):
                move = Move(source, reached.target, reached.steps)
                after = play(position, army, way(position, move)[1])[0]
                owed = position.turn.due - after.turn.total
                finished = owed <= 0 or after.end is not None or longest(after, owed, ending=owed) >= owed
                assert (move in listed) == finished
                stranding += not finished
            if not listed:
                break
            position = GAME.apply(position, position.to_move, rng.choice(sorted(listed)), b"").position
            if position.end is not None:
                break
    assert stranding > 20


def thinned(rng: random.Random, position: Position) -> Position:
    """Return the position with only two small armies of the seat to move."""
    twos, fours, _, _ = position.armies[position.to_move]
    keep = sum(rng.sample([1 << node for node in bits(twos | fours)], 2))
    mine = (twos & keep, fours & keep, 0, 0)
    armies = [mine if seat == position.to_move else theirs for seat, theirs in enumerate(position.armies)]
    return position._replace(armies=tuple(armies))


def longest(position: Position, wanted: int, ending: int = 0) -> int:
    """Return the most steps that can still be made, by trying everything in the order of the list."""
    best = 0
    for army, source, reached in candidates(position):
        after = play(position, army, way(position, Move(source, reached.target, reached.steps))[1])[0]
        over = after.end is not None
        made = max(reached.steps, ending) if over else reached.steps + longest(after, wanted - reached.steps, ending)
        best = max(best, made)
        if best >= wanted:
            return wanted
    return best


def test_everybody_can_make_six_steps_at_the_start() -> None:
    for seats, options in TABLES:
        assert new(seats, options).turn.due == 6
