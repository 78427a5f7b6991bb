"""The patterns that clients get lead where the rules let pieces go: from every square, for both sides, for all movements."""

from collections.abc import Callable, Iterator

import pytest

from brettwerk_games.rules.board import Board
from brettwerk_games.rules.wec import paths
from brettwerk_games.rules.wec.board import BLACK, DIRECTIONS, NEXT, OFF, SQUARES, WHITE
from brettwerk_games.rules.wec.kinds import WEAPONS, Hand
from brettwerk_games.rules.wec.options import Movement, Options, PawnVariant
from brettwerk_games.rules.wec.patterns import board_of
from brettwerk_games.rules.wec.weapons import reach_of

Reached = set[tuple[int, ...]]
OPTIONS = [
    Options(),
    Options(movement=Movement.STANDARD_CHESS, panzer_range=6, queen_cleric_range=8, flame_range=2),
    Options(
        movement=Movement.MASS_DESTRUCTION, pawn_variant=PawnVariant.ALL_FORWARD, cleric_range=8, stun_range=2, flame_range=2
    ),
]
SIDES = (BLACK, WHITE)


def led(board: Board, name: str, seat: int, number: int) -> Iterator[tuple[int, ...]]:
    """Yield the places along each line of a pattern, from a place up to the edge."""
    at = {(place.x, place.y): place.number for place in board.places}
    x, y = next((place.x, place.y) for place in board.places if place.number == number)
    assert x is not None
    assert y is not None
    for pattern in board.patterns:
        if pattern.id == name and seat in pattern.seats:
            for line in pattern.lines:
                found: list[int] = []
                for right, down in line:
                    near = at.get((x + right, y + down))
                    if near is None:
                        break
                    found.append(near)
                if found:
                    yield tuple(found)


def ends(lines: tuple[paths.Line, ...]) -> Reached:
    return {line[-1][1] for line in lines}


MOVES: dict[str, Callable[[Options, int, int], Reached]] = {
    "panzer_left": lambda options, square, seat: ends(paths.panzer(options, Hand.LEFT, square, seat)),
    "panzer_right": lambda options, square, seat: ends(paths.panzer(options, Hand.RIGHT, square, seat)),
    "cleric_left": lambda options, square, seat: ends(paths.cleric(options, Hand.LEFT, square, seat)),
    "cleric_right": lambda options, square, seat: ends(paths.cleric(options, Hand.RIGHT, square, seat)),
    "secondary": lambda options, square, seat: ends(paths.secondary(options, square, seat)),
    "chopper_left": lambda options, square, seat: {c[0][-1:] for c in paths.hops(options.movement, Hand.LEFT, square, seat)},
    "chopper_right": lambda options, square, seat: {c[0][-1:] for c in paths.hops(options.movement, Hand.RIGHT, square, seat)},
    "pawn": lambda options, square, seat: {(to,) for to in paths.pawn(options.movement, options.pawn_variant, square, seat)[0]},
    "pawn_attack": lambda options, square, seat: {
        (to,) for to in paths.pawn(options.movement, options.pawn_variant, square, seat)[1]
    },
    "pawn_from_origin": lambda options, square, seat: set(paths.pawn(options.movement, options.pawn_variant, square, seat)[2]),
    "jet_in_air": lambda options, square, seat: set(paths.jet(square, seat)),
    "step": lambda options, square, seat: {(near,) for near in paths.steps(square, seat)},
}


@pytest.mark.parametrize("options", OPTIONS, ids=["weaponized", "standard chess", "mass destruction"])
@pytest.mark.parametrize("name", MOVES)
def test_pieces_go_where_their_pattern_leads(name: str, options: Options) -> None:
    board = board_of(options, 2)
    for seat in SIDES:
        for square in range(SQUARES):
            found = set(led(board, name, seat, square))
            wanted = MOVES[name](options, square, seat)
            # Two squares from the origin count as a whole only.
            assert found - wanted == {line for line in found - wanted if name == "pawn_from_origin" and len(line) < 2}
            assert wanted <= found, (name, seat, square)


@pytest.mark.parametrize("options", OPTIONS, ids=["weaponized", "standard chess", "mass destruction"])
def test_weapons_hit_in_eight_directions_within_their_reach(options: Options) -> None:
    board = board_of(options, 2)
    for weapon in WEAPONS:
        for seat in SIDES:
            found = set(led(board, weapon.name.lower(), seat, 44))
            assert len(found) == len(DIRECTIONS)
            for line in found:
                direction = NEXT[44].index(line[0])
                square, wanted = 44, list[int]()
                while (square := NEXT[square][direction]) != OFF and len(wanted) < reach_of(weapon, options):
                    wanted.append(square)
                assert line == tuple(wanted)


def test_no_pattern_leads_to_another_level() -> None:
    board = board_of(Options(), 2)
    for pattern in board.patterns:
        for seat in pattern.seats:
            for number in range(SQUARES, 2 * SQUARES):
                assert all(place // SQUARES == 1 for line in led(board, pattern.id, seat, number) for place in line)
