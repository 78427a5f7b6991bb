"""Where armies can go, against a second reading of the rules, on thousands of random positions."""

import random
from itertools import pairwise, product

import pytest

from brettwerk_games.rules.plateau.actions import Action, EndTurn, Move
from brettwerk_games.rules.plateau.board import MARK, REACH, Army, Board, bits
from brettwerk_games.rules.plateau.far import longer
from brettwerk_games.rules.plateau.options import Options, Shape, Size
from brettwerk_games.rules.plateau.position import Order, Position, Turn, all_of, army_at, side
from brettwerk_games.rules.plateau.reach import reach
from brettwerk_games.rules.plateau.route import find, route
from brettwerk_games.rules.plateau.rules import way
from brettwerk_games.rules.plateau.terrain import terrain
from brettwerk_games.rules.refusals import Illegal
from tests.brettwerk_games.rules.plateau.boards import FREE, legal, new
from tests.brettwerk_games.rules.plateau.brute import Node, World, paths
from tests.night import at_night, examples

STARTS = [
    (2, Options()),
    (2, Options(size=Size.FIRST)),
    (3, Options()),
    (4, Options()),
    (2, Options(size=Size.ARENA)),
]
TABLES = [
    *STARTS,
    (2, Options(shape=Shape.FLAT)),
    (4, Options(shape=Shape.FLAT)),
    (4, Options(alliance=True)),
    (2, Options(jump_may_end=True)),
]


def node_of(position: Position, number: int) -> Node:
    return divmod(number, position.board.longitudes)


def world_of(position: Position, seat: int) -> World:
    board, bases, _ = position.setup
    armies = {node_of(position, node): owner for owner, theirs in enumerate(position.armies) for node in bits(all_of(theirs))}
    red = frozenset(node_of(position, node) for node in range(len(board.names)) if not board.nodes >> node & 1)
    allies = frozenset(other for other in range(len(position.armies)) if side(position, other) == side(position, seat))
    alive = {node_of(position, base): owner for owner, base in enumerate(bases) if owner not in position.fallen}
    return World(board.longitudes, board.wrap, red, armies, alive, allies, position.options.jump_may_end)


def scattered(rng: random.Random, seats: int, options: Options) -> Position:
    """Return a position with armies anywhere, from a few to a crowd, and some seats out."""
    position = new(seats, options)
    board, bases, _ = position.setup
    fallen = tuple(rng.sample(range(seats), rng.randrange(seats - 1)))
    free = [node for node in bits(board.nodes) if node not in bases]
    rng.shuffle(free)
    crowd = rng.choice((4, 12, 30, 19 * seats))
    armies = [[0, 0, 0, 0] for _ in range(seats)]
    for seat in set(range(seats)) - set(fallen):
        for army, count in zip(Army, (12, 4, 2, 1), strict=True):
            for _ in range(count):
                if rng.random() < crowd / (19 * seats) or army == Army.FOUR:
                    armies[seat][army] |= 1 << free.pop()
        if armies[seat][Army.EMBLEM] and rng.random() < 0.4:
            armies[seat][Army.EMBLEM] = 1 << bases[seat]
    sides = tuple((twos, fours, sixes, emblem) for twos, fours, sixes, emblem in armies)
    mover = next(seat for seat in range(seats) if seat not in fallen)
    return position._replace(armies=sides, fallen=fallen, to_move=mover, turn=FREE)


def brute(position: Position, seat: int, army: Army, node: int) -> dict[tuple[int, int], set[tuple[int, ...]]]:
    found: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    width = position.board.longitudes
    for path in paths(world_of(position, seat), seat, MARK[army], node_of(position, node)):
        numbers = tuple(latitude * width + longitude for latitude, longitude in path)
        found.setdefault((numbers[-1], len(numbers) - 1), set()).add(numbers)
    return found


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_small_armies_reach_what_a_plain_search_finds(number: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(number)
    for _ in range(examples(100)):
        position = scattered(rng, seats, options)
        seat = position.to_move
        ground = terrain(position, seat)
        for army in (Army.TWO, Army.FOUR, Army.SIX):
            for node in list(bits(position.armies[seat][army]))[:2]:
                expected = brute(position, seat, army, node)
                reached = reach(position.board, army, node, ground)
                assert [(each.target, each.steps) for each in reached] == sorted(expected)
                for each in rng.sample(reached, min(len(reached), 8)):
                    path = route(position.board, army, node, each.target, each.steps, ground)
                    assert path in expected[each.target, each.steps]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_all_that_small_armies_may_do_is_listed_in_order_whatever_they_have_done(number: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(300 + number)
    for _ in range(examples(60)):
        position = scattered(rng, seats, options)
        seat = position.to_move
        made = rng.randint(0, 6)
        own = [node for node in bits(all_of(position.armies[seat])) if node != position.setup.bases[seat]]
        moved = sum(1 << node for node in own if made and rng.random() < 0.3)
        turn = Turn(small=made, order=Order.SMALL if made else Order.NONE, moved=moved, due=0)
        position = position._replace(turn=turn)
        expected: list[Action] = [EndTurn()]
        for army in (Army.TWO, Army.FOUR, Army.SIX):
            for node in bits(position.armies[seat][army] & ~moved):
                ways = sorted(brute(position, seat, army, node))
                expected += [Move(node, target, steps) for target, steps in ways if steps <= 6 - made]
        listed = [action for action in legal(position) if isinstance(action, EndTurn) or not is_emblem(position, action)]
        assert listed == expected


def is_emblem(position: Position, move: Move) -> bool:
    return army_at(position.armies[position.to_move], move.source) == Army.EMBLEM


def test_a_path_is_made_longer_over_free_nodes_beside_it() -> None:
    rng = random.Random(12)
    made = 0
    for _ in range(examples(1500)):
        board = new(2, Options(shape=rng.choice(list(Shape)))).board
        nodes = list(bits(board.nodes))
        free = sum(1 << node for node in nodes if rng.random() < rng.choice((0.3, 0.5, 0.8)))
        source = rng.choice(nodes)
        target = rng.choice(list(bits(board.within[Army.FOUR][source] & ~(1 << source))))
        free &= ~(1 << source)
        path = find(board, source, target, rng.randint(1, 8), free)
        if path is None:
            continue
        grown = longer(board, path, free)
        if grown is None:
            assert not any(
                beside(board, one, other) & free & ~sum(1 << node for node in path) == beside(board, one, other) != 0
                for one, other in pairwise(path)
            )
            continue
        made += 1
        assert (grown[0], grown[-1], len(grown), len(set(grown))) == (source, target, len(path) + 2, len(path) + 2)
        assert all(other in board.neighbours[one] for one, other in pairwise(grown))
        assert all(free >> node & 1 for node in grown[1:-1])
    assert made > examples(1500) // 15


def beside(board: Board, one: int, other: int) -> int:
    """Return the two nodes of a square that has both nodes on a side; 0 where there is none, the first of several."""
    for step in board.neighbours[one]:
        for back in board.neighbours[step]:
            if step != other and back != one and other in board.neighbours[back]:
                return 1 << step | 1 << back
    return 0


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(len(TABLES)))
def test_the_emblem_reaches_what_a_plain_search_finds(number: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(100 + number)
    compared = 0
    while compared < 6:
        position = scattered(rng, seats, options)
        seat = position.to_move
        if not position.armies[seat][Army.EMBLEM] or sum(map(int.bit_count, map(all_of, position.armies))) < 30:
            continue
        (node,) = bits(position.armies[seat][Army.EMBLEM])
        expected = brute(position, seat, Army.EMBLEM, node)
        reached = reach(position.board, Army.EMBLEM, node, terrain(position, seat))
        assert [(each.target, each.steps) for each in reached] == sorted(expected)
        compared += 1


def test_an_emblem_in_the_open_has_589_targets_and_steps() -> None:
    position = new()
    board = position.board
    alone = position._replace(armies=((0, 0, 0, 1 << board.number_of["F5"]), (0, 0, 0, 0)), fallen=(1,), turn=FREE)
    reached = reach(board, Army.EMBLEM, board.number_of["F5"], terrain(alone, 0))
    assert len(reached) == 589


@pytest.mark.parametrize(("seats", "options"), STARTS[:4])
def test_the_start_has_214_moves_by_target_and_steps_and_768_by_path(seats: int, options: Options) -> None:
    position = new(seats, options)
    listed = [action for action in legal(position) if isinstance(action, Move)]
    kinds = [army_at(position.armies[position.to_move], move.source) for move in listed]
    assert [kinds.count(army) for army in Army] == [50, 62, 102, 0]
    by_path = sum(
        len(walks)
        for army in Army
        for node in bits(position.armies[position.to_move][army])
        for walks in brute(position, position.to_move, army, node).values()
    )
    assert by_path == 768


@pytest.mark.parametrize(("seats", "options"), [STARTS[0], *(at_night(*start) for start in STARTS[1:4])])
def test_of_all_walks_from_the_start_exactly_768_are_accepted_as_paths(seats: int, options: Options) -> None:
    position = new(seats, options)
    board, seat = position.board, position.to_move
    accepted = 0
    for army in Army:
        for node in bits(position.armies[seat][army]):
            for steps in range(1, min(REACH[army], 6) + 1):
                for turns in product(range(4), repeat=steps):
                    path = [node]
                    for turn in turns:
                        others = board.neighbours[path[-1]]
                        if turn < len(others):
                            path.append(others[turn])
                    if len(path) == steps + 1:
                        accepted += accepts(position, Move(node, path[-1], steps, tuple(path)))
    assert accepted == 768


def accepts(position: Position, move: Move) -> bool:
    try:
        way(position, move)
    except Illegal as refusal:
        return refusal.rule == ""
    return True


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_given_path_is_accepted_exactly_when_a_plain_search_finds_it(number: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(200 + number)
    for _ in range(examples(60)):
        position = scattered(rng, seats, options)
        seat = position.to_move
        for army in (Army.TWO, Army.FOUR, Army.SIX):
            for node in list(bits(position.armies[seat][army]))[:1]:
                legal_paths = {path for walks in brute(position, seat, army, node).values() for path in walks}
                for _ in range(25):
                    path = [node]
                    for _ in range(rng.randint(1, min(4, REACH[army]))):
                        path.append(rng.choice(position.board.neighbours[path[-1]]))
                    given = tuple(path)
                    assert accepts(position, Move(node, given[-1], len(given) - 1, given)) == (given in legal_paths)


def test_the_quick_and_the_thorough_search_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(9)
    asked = []
    for _ in range(examples(400)):
        board = new(2, Options(shape=rng.choice(list(Shape)))).board
        nodes = list(bits(board.nodes))
        passable = sum(1 << node for node in nodes if rng.random() < rng.choice((0.5, 0.7, 0.9)))
        source, target = rng.sample(nodes, 2)
        steps = rng.randint(1, 12)
        asked.append((board, source, target, steps, passable, find(board, source, target, steps, passable)))
    monkeypatch.setattr("brettwerk_games.rules.plateau.route.MAX_NODES", 0)
    for board, source, target, steps, passable, quick in asked:
        thorough = find(board, source, target, steps, passable)
        assert (thorough is None) == (quick is None)
        for path in (quick, thorough):
            if path is not None:
                assert (path[0], path[-1], len(set(path))) == (source, target, steps + 1)
                assert all(board.neighbours[one].count(other) for one, other in pairwise(path))
                assert all(passable >> node & 1 for node in path[1:-1])
    assert len(asked) // 20 < sum(quick is not None for *_, quick in asked) < len(asked) * 19 // 20
