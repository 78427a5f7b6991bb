"""Whole turns by the rules alone: the slow way to find a win."""

import random

from brettwerk_games.rules.plateau.actions import Move
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.moves import candidates
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.play import play
from brettwerk_games.rules.plateau.position import Order, Position, Turn, all_of, side
from brettwerk_games.rules.plateau.rules import way
from tests.brettwerk_games.rules.plateau.boards import new


def wins(position: Position, seen: set[object] | None = None) -> bool:
    """Tell whether the seat to move can end the game in its favour within the turn, by trying every move."""
    seen = set() if seen is None else seen
    key = position.armies, position.turn, position.fallen
    if key in seen:
        return False
    seen.add(key)
    done = set()
    for army, source, reached in candidates(position):
        if (source, reached.target, reached.steps) in done:
            continue
        done.add((source, reached.target, reached.steps))
        after = play(position, army, way(position, Move(source, reached.target, reached.steps))[1])[0]
        if after.end is not None:
            if after.winner is not None and side(after, after.winner) == side(position, position.to_move):
                return True
        elif wins(after, seen):
            return True
    return False


def siege(rng: random.Random, seats: int, options: Options, most: int = 3) -> Position:
    """Return a position in which a few armies stand before the enemy bases, with some steps of the turn made."""
    position = new(seats, options)
    board, bases, _ = position.setup
    fallen = tuple(rng.sample(range(1, seats), rng.choice((0, seats - 2, seats - 2))))
    if options.alliance:
        fallen = rng.choice(((), (2,), (1,), (3,)))
    living = [seat for seat in range(seats) if seat not in fallen]
    goals = [bases[seat] for seat in living if side(position, seat) != side(position, 0)]
    near = 0
    for goal in goals:
        sphere = 1 << goal
        for _ in range(rng.choice((2, 3, 3, 4))):
            sphere |= board.spread(sphere)
        near |= sphere
    free = [node for node in range(len(board.names)) if near >> node & 1 and node not in bases]
    rng.shuffle(free)
    armies = [[0, 0, 0, 0] for _ in range(seats)]
    for _ in range(rng.randint(1, most)):
        armies[0][rng.choice((0, 0, 1, 1, 2))] |= 1 << free.pop()
    if rng.random() < 0.5:
        armies[0][Army.EMBLEM] |= 1 << (free.pop() if rng.random() < 0.8 else bases[0])
    for seat in living[1:]:
        for _ in range(rng.choice((1, 2, 3, 5, 8))):
            if free:
                armies[seat][rng.choice((0, 0, 1, 2))] |= 1 << free.pop()
        if rng.random() < 0.3:
            armies[seat][Army.EMBLEM] |= 1 << bases[seat]
    sides = tuple((twos, fours, sixes, emblem) for twos, fours, sixes, emblem in armies)
    turn = rng.choice(
        (Turn(), Turn(small=2, order=Order.SMALL), Turn(small=3, order=Order.SMALL), Turn(emblem=3, order=Order.EMBLEM))
    )
    if turn.emblem:
        turn = turn._replace(moved=sides[0][Army.EMBLEM])
    elif turn.small:
        turn = turn._replace(moved=rng.choice((0, all_of(sides[0]) & -all_of(sides[0]))))
    return position._replace(armies=sides, fallen=fallen, to_move=0, turn=turn._replace(due=0))
