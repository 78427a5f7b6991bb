"""The player's small picture of a position, against the rules: where armies go, what moves do, how turns pass on."""

import random

import pytest

from brettwerk_games.players.plateau.field import load, tools_of
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.board import Army, bits
from brettwerk_games.rules.plateau.options import Fallen, Options, Shape, Size
from brettwerk_games.rules.plateau.position import Position
from brettwerk_games.rules.plateau.reach import reach
from brettwerk_games.rules.plateau.rules import moves
from brettwerk_games.rules.plateau.terrain import terrain
from tests.brettwerk_games.rules.plateau.test_reach import TABLES, scattered
from tests.night import by_day

ALL_TABLES = [
    *TABLES,
    (3, Options(fallen=Fallen.REMOVE)),
    (4, Options(conquest_wins=True, jump_may_end=True)),
    (4, Options(alliance=True, fallen=Fallen.REMOVE)),
]
WIDTH = 272


def row_of(position: Position) -> tuple[int, ...]:
    ground = tools_of(position).ground
    load(ground, 0, position)
    return ground.dump(0)


def fewest(position: Position, army: Army, node: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for reached in reach(position.board, army, node, terrain(position, position.to_move)):
        found[reached.target] = min(reached.steps, found.get(reached.target, 99))
    return found


@pytest.mark.parametrize("number", by_day(range(len(ALL_TABLES)), 0, 5, 7))
def test_armies_reach_what_the_rules_let_them_reach_with_the_fewest_steps(number: int) -> None:
    seats, options = ALL_TABLES[number]
    rng = random.Random(number)
    for _ in range(60):
        position = scattered(rng, seats, options)
        ground = tools_of(position).ground
        load(ground, 0, position)
        for army in Army:
            for node in list(bits(position.armies[position.to_move][army]))[:2]:
                expected = fewest(position, army, node)
                assert ground.reached(0, node, 12, False) == expected
                for limit in (1, 2, 3, 5):
                    within = {target: steps for target, steps in expected.items() if steps <= limit}
                    assert ground.reached(0, node, limit, False) == within


@pytest.mark.parametrize("number", by_day(range(len(ALL_TABLES)), 3, 7))
def test_moves_and_turns_do_what_the_rules_do(number: int) -> None:
    seats, options = ALL_TABLES[number]
    rng = random.Random(50 + number)
    taken = over = fallen = 0
    for _ in range(12):
        position = begun(rng, seats, options)
        for _ in range(40):
            if position.end is not None:
                break
            action = chosen(rng, position)
            ground = tools_of(position).ground
            load(ground, 0, position)
            after = GAME.apply(position, position.to_move, action, b"").position
            if isinstance(action, Move):
                ground.played(0, WIDTH, action.source, action.target, action.steps)
            else:
                ground.ended(0, WIDTH)
            if isinstance(action, EndTurn) and (after.end is not None or after.turn.due != 6 or skipped(position, after)):
                break
            got = ground.dump(WIDTH)
            assert got == row_of(after)
            taken += sum(map(bool, got[:264])) < sum(map(bool, row_of(position)[:264]))
            fallen += len(after.fallen) > len(position.fallen)
            over += after.end is not None
            position = after
    assert taken and over
    assert fallen


def begun(rng: random.Random, seats: int, options: Options) -> Position:
    position = scattered(rng, seats, options)
    return GAME.new(options, seats, position, bytes(32)).position


def chosen(rng: random.Random, position: Position) -> EndTurn | Move:
    """Return an action: one that takes something, often, so that games come to an end."""
    listed = [*moves(position)]
    bases = {base for seat, base in enumerate(position.setup.bases) if seat != position.to_move}
    taking = [move for move in listed if terrain(position, position.to_move).ends >> move.target & 1]
    conquering = [move for move in taking if move.target in bases]
    if conquering and rng.random() < 0.5:
        return rng.choice(conquering)
    if taking and rng.random() < 0.5:
        return rng.choice(taking)
    if position.turn.total >= position.turn.due and (not listed or rng.random() < 0.5):
        return EndTurn()
    return rng.choice(listed)


def skipped(position: Position, after: Position) -> bool:
    seats = len(position.armies)
    following = ((position.to_move + step) % seats for step in range(1, seats + 1))
    return after.to_move != next(seat for seat in following if seat not in position.fallen)


def test_a_ground_is_made_for_every_board() -> None:
    sizes = {
        len(tools_of(GAME.new(Options(size=size, shape=shape), 2, None, bytes(32)).position).ground.dump(0))
        for size in (Size.ARENA, Size.FIRST)
        for shape in Shape
    }
    assert sizes == {WIDTH}
