"""A piece that Fires or takes is revealed whatever comes first: its shot or its way out of sight (WEC-RUL-45)."""

import random

import pytest

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import rules
from brettwerk_games.rules.wec.actions import Action, EndTurn, Fire, Move
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.sampler import sample
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import SEED, Table, board
from tests.night import examples

DETECTOR = "B SHP(4,4)"


def after(position: Position, *actions: Action) -> Position:
    for action in actions:
        position = rules.apply(position, position.active, action, SEED).position
    return position


@pytest.mark.parametrize("steps_first", [True, False])
def test_firing_before_stepping_out_of_range_is_seen_like_stepping_first(steps_first: bool) -> None:
    table = Table(DETECTOR, "W AAA(7,7)", ply=2)
    if steps_first:
        table.move("AAA", "(7,7)", "(8,8)").fire("AAA", "(8,8)", "SL", (1, 0))
    else:
        table.fire("AAA", "(7,7)", "SL", (1, 0)).move("AAA", "(7,7)", "(8,8)")
    assert table.sees(0, "AAA", "(8,8)")
    assert table.end().sees(0, "AAA", "(8,8)")
    assert not table.idle().sees(0, "AAA", "(8,8)")


def test_the_option_off_nobody_is_revealed() -> None:
    table = Table(DETECTOR, "W AAA(7,7)", ply=2, reveal_on_fire=False)
    assert not table.fire("AAA", "(7,7)", "SL", (1, 0)).move("AAA", "(7,7)", "(8,8)").sees(0, "AAA", "(8,8)")


def test_the_opponent_reads_where_it_went() -> None:
    table = Table(DETECTOR, "W AAA(7,7)", ply=2, competitive=True)
    table.fire("AAA", "(7,7)", "SL", (1, 0)).move("AAA", "(7,7)", "(8,8)").end()
    assert "MV:AAA(7,7)->(8,8)" in table.received(0)


def test_a_sub_that_fires_and_dives_is_seen() -> None:
    table = Table("W SU(5,5)", ply=2).fire("SU", "(5,5)", "TL", (-1, 0)).move("SU", "(5,5)", "(5,5) Sub")
    assert table.end().sees(0, "SU", "(5,5) Sub")
    assert not table.idle().sees(0, "SU", "(5,5) Sub")


def test_a_diver_is_seen_until_the_end_of_the_next_turn() -> None:
    table = Table("W FP[SC](5,5)", ply=2).travel("FP", "(5,5)", "SC", "(2,2)").idle()
    assert table.sees(0, "FP", "(5,5) Sub")
    assert not table.idle().sees(0, "FP", "(5,5) Sub")


def test_a_piece_that_takes_out_of_sight_is_seen_like_one_that_hides_afterwards() -> None:
    table = Table("B SHP(8,4)", "W TA>[SH](7,4)", "B FP(3,4)", ply=2).move("TA", "(7,4)", "(3,4)")
    assert table.end().sees(0, "TA", "(3,4)")
    assert not table.idle().sees(0, "TA", "(3,4)")


def test_games_of_the_first_revision_go_on_as_they_began() -> None:
    table = Table(DETECTOR, "W AAA(7,7)", ply=2)
    table.position = table.position._replace(revision=1)
    table.fire("AAA", "(7,7)", "SL", (1, 0)).move("AAA", "(7,7)", "(8,8)")
    assert not table.sees(0, "AAA", "(8,8)")
    assert table.end().position.revision == 1


def test_a_piece_that_fired_in_sight_is_hidden_once_the_opponent_looks_away() -> None:
    table = Table(DETECTOR, "W AAA(7,7)", ply=2).fire("AAA", "(7,7)", "SL", (1, 0)).idle()
    assert table.sees(0, "AAA", "(7,7)")
    assert not table.move("SHP", "(4,4)", "(5,3)").sees(0, "AAA", "(7,7)")


@pytest.mark.parametrize("steps_first", [True, False])
def test_a_piece_that_steps_into_sight_and_fires_stays_seen_when_the_opponent_looks_away(steps_first: bool) -> None:
    table = Table(DETECTOR, "W AAA(8,8)", ply=2)
    if steps_first:
        table.move("AAA", "(8,8)", "(7,7)").fire("AAA", "(7,7)", "SL", (1, 0))
    else:
        table.fire("AAA", "(8,8)", "SL", (1, 0)).move("AAA", "(8,8)", "(7,7)")
    assert table.end().move("SHP", "(4,4)", "(5,3)").sees(0, "AAA", "(7,7)")


def test_its_owner_is_not_told_whether_it_was_seen() -> None:
    seen = []
    for detector in ("(4,4)", "(2,9)"):
        table = Table("W AAA(8,8)", "W FP(9,9)", f"B AAA[ASH]{detector}", ply=2)
        table.position = table.position._replace(pieces=tuple(unlocked(p) for p in table.position.pieces))
        table.move("AAA", "(8,8)", "(7,7)")
        seen.append((table.position, table.view(1)))
    assert seen[0][0].turn.emerged
    assert not seen[1][0].turn.emerged
    assert seen[0][1] == seen[1][1]


def unlocked(one: Piece) -> Piece:
    return one._replace(articles=tuple(article._replace(lock=0) for article in one.articles))


def test_the_sampler_expects_it() -> None:
    table = Table("W AAA(9,8)", ply=2).fire("AAA", "(9,8)", "SL", (-1, 0))
    number = table.find("AAA", "(9,8)").id
    guess = sample(table.view(1), SEED)
    assert view(guess, 1) == table.view(1)
    dozer = table.moving("DO", "(10,3)", "(10,4)")
    assert number in seen_by_black(guess)
    assert number in seen_by_black(after(guess, dozer, EndTurn()))


@pytest.mark.parametrize("number", range(examples(40)))
def test_the_order_of_a_fire_and_a_move_decides_nothing(number: int) -> None:
    dice = random.Random(number)

    def square() -> str:
        return f"({dice.randint(2, 9)},{dice.randint(1, 10)})"

    white = [f"W {dice.choice(('AAA', 'SU', 'SU', 'TA>[SH]', 'CL<[SH]'))}{square()}" for _ in range(4)]
    black = [f"B {dice.choice(('SHP', 'DS', 'DS[ASH]', 'SU'))}{square()}" for _ in range(3)]
    try:
        position = board(*white, *black, ply=2, stealth_detector_range=2, submergence_detector_range=2)
        actions = rules.actions(view(position, 1))
    except (Illegal, ValueError):
        pytest.skip("two stand on one square")
    shots = [action for action in actions if isinstance(action, Fire)]
    steps = [action for action in actions if isinstance(action, Move) and not action.carry]
    compared = 0
    for shot in dice.sample(shots, min(6, len(shots))):
        for step in [step for step in steps if step.piece == shot.piece][:12]:
            try:
                both = [after(position, shot, step, EndTurn()), after(position, step, shot, EndTurn())]
            except Illegal:
                continue
            if any(one.end != End.ON for one in both):
                continue  # nothing is hidden any more
            where = [next((p.place for p in one.pieces if p.id == shot.piece), None) for one in both]
            if where[0] is not None and where[0] == where[1]:
                for one in both:
                    assert (shot.piece in seen_by_black(one)) == (shot.piece in seen_by_black(both[0])), (shot, step)
                compared += 1
    assert compared or not shots


def seen_by_black(position: Position) -> set[int]:
    return {piece.id for piece in view(position, 0).pieces}
