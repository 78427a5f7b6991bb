"""The guide that boards get beside the position: the count, what may still move, odd ways, and dangers."""

import random

from brettwerk.v1 import plateau_pb2 as pb
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import Move, Moved
from brettwerk_games.rules.plateau.board import Army, bits
from brettwerk_games.rules.plateau.danger import threats
from brettwerk_games.rules.plateau.guide import outlook, tally
from brettwerk_games.rules.plateau.options import First, Options, Shape
from brettwerk_games.rules.plateau.position import Position, Turn, all_of, living, side
from brettwerk_games.rules.refusals import Illegal
from tests.brettwerk_games.rules.plateau.boards import SEED, begun, do, legal, new, stand, view


def names(position: Position, ways: tuple[tuple[int, ...], ...]) -> set[str]:
    return {"-".join(position.board.names[node] for node in way) for way in ways}


def test_the_count_is_shown_as_it_is_called() -> None:
    position = begun("E@A4 6@C1 2@H8", "E@A9 2@D8")
    assert tally(position)._asdict() == {
        "called": 0,
        "owed": 6,
        "small_left": 6,
        "emblem_left": 12,
        "emblem_closes": False,
    }
    position = do(position, "C1-C2-C3")
    assert tally(position)._asdict() == {
        "called": 2,
        "owed": 4,
        "small_left": 4,
        "emblem_left": 10,
        "emblem_closes": True,
    }
    afresh = do(begun("E@A4 6@C1 2@H8", "E@A9 2@D8"), "A4-A5-A6-A7", "C1-C2-C3")
    assert (tally(afresh).called, tally(afresh).emblem_left, tally(afresh).small_left) == (2, 0, 4)


def test_steps_are_free_only_for_armies_that_have_somewhere_to_go() -> None:
    """The first turn of the arena: once a six has made six steps, nothing can move, and the emblem is walled in."""
    begins = new(2, Options(first=First.BABYLON))
    assert (tally(begins).small_left, tally(begins).emblem_left) == (6, 0)
    position = do(begins, "G1-H1-H2-H3-H4-H5-H6")
    assert not [action for action in legal(position) if isinstance(action, Move)]
    assert (tally(position).owed, tally(position).small_left, tally(position).emblem_left) == (0, 0, 0)
    assert not tally(position).emblem_closes
    walled = begun("4@A2 E@A1 4@B1 4@A16", "E@A9 2@A3 2@B2 2@C1 2@B16 2@A15 2@C2")
    assert tally(walled).emblem_left == 0
    assert tally(walled).small_left == 6, "fours take, and jump"
    rng = random.Random(3)
    for _ in range(3):
        position = new(2, seed=rng.randbytes(32))
        for _ in range(80):
            if position.end is not None:
                break
            moves = [action for action in legal(position) if isinstance(action, Move)]
            emblem = position.armies[position.to_move][Army.EMBLEM]
            movers = {bool(emblem >> move.source & 1) for move in moves}
            assert tally(position).emblem_left or True not in movers
            assert tally(position).small_left or False not in movers
            position = GAME.apply(position, position.to_move, rng.choice(legal(position)), SEED).position


def test_armies_that_may_still_move_are_ready_and_only_the_mover_is_told() -> None:
    position = do(begun("E@A4 6@C1 2@H8", "E@A9 2@D8"), "C1-C2-C3")
    prospect = outlook(view(position))
    assert prospect is not None
    assert [position.board.names[node] for node in prospect.ready] == ["A4", "H8"]
    assert outlook(GAME.view(position, 1)) is None
    assert outlook(GAME.view(position, None)) is None


def test_the_l_of_a_two_and_the_jump_of_a_four_are_shown() -> None:
    position = stand("2@D4", "6@E5 6@D5 2@D6 E@A9")
    prospect = outlook(view(position))
    assert prospect is not None
    assert names(position, prospect.ways) == {"D4-E4-E5"}
    jumper = outlook(view(stand("4@D4 2@D5", "2@E4 6@F4 E@A9")))
    assert jumper is not None
    assert names(position, jumper.ways) == {"D4-D5-D6", "D5-E5-E4"}


def test_every_legal_move_walks_over_open_nodes_or_begins_with_a_way_that_was_shown() -> None:
    rng = random.Random(5)
    for _ in range(4):
        position = new(2, seed=rng.randbytes(32))
        for _ in range(60):
            if position.end is not None:
                break
            prospect = outlook(view(position))
            assert prospect is not None
            for action in rng.sample(legal(position), min(6, len(legal(position)))):
                if not isinstance(action, Move):
                    continue
                assert action.source in prospect.ready
                moved = GAME.apply(position, position.to_move, action, SEED).events[0]
                assert isinstance(moved, Moved)
                path = moved.path
                received = any(path[:3] == way for way in prospect.ways)
                emblem = position.armies[position.to_move][Army.EMBLEM] >> action.source & 1
                free = prospect.passable if emblem else prospect.passable & ~prospect.home
                assert received or all(free >> node & 1 for node in path[1:-1])
            position = GAME.apply(position, position.to_move, rng.choice(legal(position)), SEED).position


def test_the_opened_ring_of_the_arena_is_a_danger() -> None:
    position = do(new(2, Options(first=First.BABYLON)), "A2-A3-B3")
    assert names(position, threats(position, 0)) == {"A9-A8-A7-A6-A5-A4-A3-A2-A1"}
    assert not threats(new(), 0)


def test_a_two_in_an_l_and_a_four_that_jumps_are_dangers() -> None:
    bent = stand("E@A8", "2@B2 E@A9")
    assert names(bent, threats(bent, 0)) & {"B2-B1-A1", "B2-A2-A1"}
    jumps = stand("2@B1 2@A2 E@H1", "4@A4 2@A3 E@K9")
    assert not threats(jumps, 0)
    jumps = stand("2@B1 2@B2 E@H1", "4@A4 6@A3 E@K9")
    assert "A4-A3-A2-A1" in names(jumps, threats(jumps, 0))


def conquers(position: Position, enemy: int, way: tuple[int, ...]) -> bool:
    """Tell whether the way can be gone after the armies in it have stepped aside somewhere: all their moves are tried."""
    blockers = [node for node in way[1:-1] if all_of(position.armies[enemy]) >> node & 1]
    if not blockers:
        move = Move(way[0], way[-1], len(way) - 1, way if len(way) > 2 else ())
        try:
            moved = GAME.apply(position, enemy, move, SEED).events[0]
            return isinstance(moved, Moved) and moved.conquered is not None
        except Illegal:
            return False
    asides = [move for move in legal(position) if isinstance(move, Move) and move.source == blockers[0]]
    return any(
        conquers(after._replace(turn=after.turn._replace(due=0)), enemy, way)
        for after in (GAME.apply(position, enemy, move, SEED).position for move in asides if move.target not in way)
        if after.end is None
    )


def test_every_danger_that_is_shown_is_one() -> None:
    rng = random.Random(11)
    seen = 0
    for seats in (2, 4):
        for _ in range(3):
            position = new(seats, seed=rng.randbytes(32))
            for _ in range(150):
                if position.end is not None:
                    break
                seat = position.to_move
                for way in threats(position, seat):
                    [enemy] = [each for each in living(position) if all_of(position.armies[each]) >> way[0] & 1]
                    assert side(position, enemy) != side(position, seat)
                    assert way[-1] == position.setup.bases[seat]
                    assert conquers(position._replace(to_move=enemy, turn=Turn(due=0)), enemy, way)
                    seen += 1
                position = GAME.apply(position, seat, rng.choice(legal(position)), SEED).position
    assert seen > 50


def test_the_guide_is_sent_and_not_read_back() -> None:
    position = new()
    message = pb.PlateauView.FromString(GAME.codec.encode(Kind.VIEW, view(position)))
    assert list(message.guide.bases) == [0, 8]
    assert len(message.guide.open) == 22
    assert {node for node in range(176) if message.guide.open[node // 8] >> node % 8 & 1} == {
        node for node in bits(position.board.nodes) if message.position.nodes[node] == 0
    }
    message.guide.Clear()
    assert GAME.codec.decode(Kind.VIEW, message.SerializeToString()) == view(position)
    flat = new(2, Options(shape=Shape.FLAT))
    red = pb.PlateauView.FromString(GAME.codec.encode(Kind.VIEW, GAME.view(flat, None))).guide.red
    assert {flat.board.names[node] for node in red} == {"E8", "E9", "F8", "F9", "G8", "G9"}
