"""The boards, the beginning, and start positions that somebody edited."""

import json
from pathlib import Path

import pytest

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.board import Board, bits, setup
from brettwerk_games.rules.plateau.options import First, Options, Shape, Size
from brettwerk_games.rules.plateau.position import COUNTS, End, Position, Turn, all_of
from brettwerk_games.rules.plateau.start import rematch_options
from brettwerk_games.rules.refusals import Illegal, Malformed
from tests.brettwerk_games.rules.kit.play import seed_of
from tests.brettwerk_games.rules.plateau.boards import SEED, begun, do, legal, new, stand, view

SETUPS = [(size, shape, seats) for size in (Size.ARENA, Size.FIRST) for shape in Shape for seats in (2, 3, 4)]
THERE = [key for key in SETUPS if setup(*key)]


@pytest.mark.parametrize(
    ("size", "shape", "seats", "nodes", "edges"),
    [
        (Size.ARENA, Shape.ROUND, 2, 176, 336),
        (Size.FIRST, Shape.ROUND, 4, 264, 504),
        (Size.ARENA, Shape.FLAT, 2, 170, 308),
        (Size.FIRST, Shape.FLAT, 4, 252, 462),
    ],
)
def test_boards_have_the_nodes_and_edges_of_the_rules(size: Size, shape: Shape, seats: int, nodes: int, edges: int) -> None:
    there = setup(size, shape, seats)
    assert there is not None
    board = there.board
    assert board.nodes.bit_count() == nodes
    assert sum(map(len, board.neighbours)) == 2 * edges
    reached = 1 << next(bits(board.nodes))
    for _ in range(60):
        reached |= board.spread(reached)
    assert reached == board.nodes


def test_round_nodes_have_three_neighbours_on_the_rims_and_four_elsewhere() -> None:
    board = new().board
    for node, others in enumerate(board.neighbours):
        assert len(others) == (3 if board.names[node][0] in "AK" else 4)


def test_sets_spread_as_nodes_do() -> None:
    for key in THERE:
        there = setup(*key)
        assert there is not None
        for node in bits(there.board.nodes):
            assert there.board.spread(1 << node) == sum(1 << other for other in there.board.neighbours[node])


def test_there_are_boards_for_those_whom_the_rules_name() -> None:
    round_ones = {(Size.ARENA, 2), (Size.FIRST, 2), (Size.FIRST, 3), (Size.FIRST, 4)}
    flat_ones = {(Size.ARENA, 2), (Size.FIRST, 2), (Size.FIRST, 4)}
    assert {(size, seats) for size, shape, seats in THERE if shape == Shape.ROUND} == round_ones
    assert {(size, seats) for size, shape, seats in THERE if shape == Shape.FLAT} == flat_ones


@pytest.mark.parametrize("key", THERE)
def test_every_empire_has_nineteen_armies_and_its_emblem_on_its_base(key: tuple[Size, Shape, int]) -> None:
    there = setup(*key)
    assert there is not None
    everything = 0
    for base, armies in zip(there.bases, there.armies, strict=True):
        assert tuple(nodes.bit_count() for nodes in armies) == COUNTS
        assert armies[3] == 1 << base
        assert not everything & all_of(armies)
        everything |= all_of(armies)
        assert all(all_of(armies) >> node & 1 for node in there.board.neighbours[base])
    assert not everything & ~there.board.nodes


@pytest.mark.parametrize("key", [key for key in THERE if key[1] == Shape.ROUND])
def test_turning_the_round_board_by_a_seat_and_mirroring_it_changes_nothing(key: tuple[Size, Shape, int]) -> None:
    there = setup(*key)
    assert there is not None
    board, seats = there.board, len(there.bases)
    turned = [tuple(_turned(board, nodes, board.longitudes // seats) for nodes in armies) for armies in there.armies]
    assert turned == [there.armies[(seat + 1) % seats] for seat in range(seats)]
    mirrored = [tuple(_mirrored(board, nodes) for nodes in armies) for armies in there.armies]
    assert mirrored == [there.armies[-seat % seats] for seat in range(seats)]


def _turned(board: Board, nodes: int, by: int) -> int:
    width = board.longitudes
    return sum(1 << (node // width * width + (node % width + by) % width) for node in bits(nodes))


def _mirrored(board: Board, nodes: int) -> int:
    width = board.longitudes
    return sum(1 << (node // width * width + -node % width) for node in bits(nodes))


def test_the_data_names_every_board_once() -> None:
    raw = json.loads((Path(GAME.facts.folder) / "boards.json").read_text(encoding="utf-8"))
    keys = [(each["board"], each["shape"], each["seats"]) for each in raw["setups"]]
    assert len(set(keys)) == len(keys) == len(THERE)


def test_the_lot_decides_who_begins_and_the_options_may() -> None:
    for seats in (2, 3, 4):
        drawn = {new(seats, seed=seed_of(number)).to_move for number in range(60)}
        assert drawn == set(range(seats))
        for seat in range(seats):
            assert new(seats, Options(first=First(seat + First.BABYLON))).to_move == seat


@pytest.mark.parametrize(
    ("options", "seats", "rule"),
    [
        (Options(size=Size.ARENA), 3, "EP-BOARD-2"),
        (Options(shape=Shape.FLAT), 3, "EP-BOARD-9"),
        (Options(alliance=True), 2, "EP-MULTI-8"),
        (Options(first=First.GREECE), 2, "EP-TURN-1"),
    ],
)
def test_options_that_do_not_fit_the_players_are_refused(options: Options, seats: int, rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.new(options, seats, None, SEED)
    assert refused.value.rule == rule


def test_two_to_four_play() -> None:
    for seats in (1, 5):
        with pytest.raises(Malformed):
            GAME.new(Options(), seats, None, SEED)


def test_a_start_position_begins_its_turn_anew() -> None:
    middle = do(new(2, Options(first=First.MEDIA_PERSIA)), "A10-A11-A12")
    step = GAME.new(Options(), 2, middle, SEED)
    assert (step.position.to_move, step.position.turn, step.position.armies) == (1, Turn(), middle.armies)
    assert len(step.position.history) == 1


def test_a_start_position_may_have_seats_that_are_out() -> None:
    start = stand("E@A1 2@C3", "", "E@A17 4@D4", fallen=(1,))
    step = GAME.new(Options(), 3, start, SEED)
    assert GAME.to_act(step.position) == (0,)
    assert legal(step.position)


@pytest.mark.parametrize(
    "start",
    [
        begun("E@A1", "E@A9")._replace(end=End.REPETITION),
        begun("E@A1", "E@A9", "E@A17"),
        begun("E@A1", "E@A13", options=Options(size=Size.FIRST)),
        stand("", ""),
    ],
)
def test_other_start_positions_are_refused(start: Position) -> None:
    with pytest.raises(Illegal):
        GAME.new(Options(), 2, start, SEED)


def test_a_small_army_on_its_own_base_cannot_be_sent() -> None:
    with pytest.raises(Malformed):
        GAME.codec.decode(Kind.POSITION, GAME.codec.encode(Kind.POSITION, stand("2@A1", "E@A9")))
    with pytest.raises(Malformed):
        GAME.codec.decode(Kind.POSITION, GAME.codec.encode(Kind.POSITION, stand("2@A9", "E@A10")))


def test_no_base_can_be_conquered_in_the_first_turn() -> None:
    for number in range(40):
        position = new(2 + number % 3, seed=seed_of(number))
        for ply in range(8):
            listed = legal(position)
            assert not [action for action in listed if "#" in GAME.write(view(position), action)]
            position = GAME.apply(position, position.to_move, listed[seed_of(number, ply)[0] % len(listed)], SEED).position
            if position.turn == Turn():
                break


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_rematch_begins_with_the_seat_that_the_lot_chose_and_leaves_a_choice_as_it_is(seats: int) -> None:
    """Rule EP-TURN-1: everybody sits one seat further on, so somebody else begins."""
    options = Options()
    for number in range(12):
        first = GAME.new(options, seats, None, seed_of(str(number))).position
        again = rematch_options(options, first)
        assert again == options._replace(first=First(First.BABYLON + first.to_move))
        for other in range(4):
            assert GAME.new(again, seats, None, seed_of(str(other))).position.to_move == first.to_move
        assert rematch_options(again, first) == again
