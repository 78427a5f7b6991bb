"""Tables of who can go where: what is reckoned anew after a move is what a whole look would find."""

import random

import pytest

from brettwerk_games.players.plateau.field import load, tools_of
from brettwerk_games.players.plateau.kernels.cover import MAX_ARMIES, Cover
from brettwerk_games.players.plateau.kernels.ground import WIDTH
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import Move
from brettwerk_games.rules.plateau.position import Position
from tests.brettwerk_games.players.plateau.kernels.test_ground import ALL_TABLES
from tests.brettwerk_games.rules.plateau.test_reach import scattered


def tables(cover: Cover, seats: int) -> list[tuple[int, ...]]:
    return [cover.table(seat) for seat in range(seats)]


def check(position: Position, seats: int) -> int:
    """Compare the tables after each move that is legal; return how many there were."""
    ground = tools_of(position).ground
    load(ground, 0, position)
    changed, whole = Cover(ground), Cover(ground)
    moves = [action for action in GAME.actions(GAME.view(position, position.to_move)) if isinstance(action, Move)]
    for move in moves:
        ground.played(0, WIDTH, move.source, move.target, move.steps)
        ground.ended(WIDTH, 2 * WIDTH)
        changed.kept_then(0, move.source, move.target, 2 * WIDTH)
        whole.looked(2 * WIDTH)
        assert tables(changed, seats) == tables(whole, seats), move
    return len(moves)


@pytest.mark.parametrize("number", range(len(ALL_TABLES)))
def test_a_move_changes_the_tables_as_a_whole_look_would(number: int) -> None:
    seats, options = ALL_TABLES[number]
    rng = random.Random(number)
    looked = 0
    while looked < 100:
        position = scattered(rng, seats, options)
        if all(any(armies) for armies in position.armies):
            looked += check(GAME.new(options, seats, position, bytes(32)).position, seats)


def test_more_armies_than_ways_are_kept_of_are_looked_at_anew() -> None:
    seats, options = ALL_TABLES[-1]
    board = scattered(random.Random(1), seats, options).board
    free = [node for node in range(len(board.names)) if board.nodes >> node & 1]
    many = sum(1 << node for node in free[1 : MAX_ARMIES + 20 : 2]), sum(1 << node for node in free[2 : MAX_ARMIES + 20 : 2])
    position = Position(options, ((many[0], 0, 0, 0), (0, many[1], 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)), 0)
    ground = tools_of(position).ground
    load(ground, 0, position)
    changed, whole = Cover(ground), Cover(ground)
    empty = free[MAX_ARMIES + 30]
    ground.played(0, WIDTH, free[1], empty, 2)
    ground.ended(WIDTH, 2 * WIDTH)
    changed.kept_then(0, free[1], empty, 2 * WIDTH)
    whole.looked(2 * WIDTH)
    assert tables(changed, seats) == tables(whole, seats)
