"""The movement data of `data/paths.json` on the squares of the board, by seat and hand (WEC-MOVE, part 3 of the rules)."""

import json
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

from brettwerk_games.rules.wec.board import OFF, framed, shifted
from brettwerk_games.rules.wec.kinds import Hand
from brettwerk_games.rules.wec.options import Movement, Options, PawnVariant

_DATA: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "paths.json").read_text(encoding="utf-8"))

Chain: TypeAlias = tuple[int, ...]
"""Squares in the order in which they are passed; the last one is the target."""

Outline: TypeAlias = tuple[tuple[int, int], ...]
"""Squares one after another, as columns to the owner's right and rows forward of where a piece is."""

Line: TypeAlias = tuple[tuple[int, Chain], ...]
"""The places of a path in order, each with the way to it: the places passed, itself last."""

_HANDS = {Hand.NONE: "right", Hand.LEFT: "left", Hand.RIGHT: "right"}


@cache
def slides(movement: Movement, name: str, square: int, seat: int) -> tuple[Chain, ...]:
    """Return the four paths of `name` (panzer_left ...) from a square, each up to the edge (WEC-RUL-22)."""
    found = []
    for path in _DATA["slides"][movement.name.lower()][name]:
        squares = []
        for right, forward in path:
            near = framed(square, right, forward, seat)
            if near == OFF:
                break
            squares.append(near)
        if squares:
            found.append(tuple(squares))
    return tuple(found)


def panzer(options: Options, hand: Hand, square: int, seat: int) -> tuple[Line, ...]:
    """Return the paths of a Panzer within its range."""
    return _within(options.movement, f"panzer_{_HANDS[hand]}", options.panzer_range, square, seat)


def cleric(options: Options, hand: Hand, square: int, seat: int) -> tuple[Line, ...]:
    """Return the paths of a Cleric within its range."""
    return _within(options.movement, f"cleric_{_HANDS[hand]}", options.cleric_range, square, seat)


def secondary(options: Options, square: int, seat: int) -> tuple[Line, ...]:
    """Return the paths of a secondary: of both Panzers and of both Clerics, each within its range (WEC-MOVE-QUEEN-1)."""
    return _secondary(options.movement, options.queen_panzer_range, options.queen_cleric_range, square, seat)


@cache
def _secondary(movement: Movement, panzers: int, clerics: int, square: int, seat: int) -> tuple[Line, ...]:
    found: tuple[Line, ...] = ()
    for names, reach in (("panzer", panzers), ("cleric", clerics)):
        for hand in ("left", "right"):
            found += _within(movement, f"{names}_{hand}", reach, square, seat)
    return found


@cache
def _within(movement: Movement, name: str, reach: int, square: int, seat: int) -> tuple[Line, ...]:
    return tuple(with_ways(path[:reach]) for path in slides(movement, name, square, seat))


def with_ways(chain: Chain) -> Line:
    """Return a path with the way to each of its places."""
    return tuple((place, chain[: index + 1]) for index, place in enumerate(chain))


@cache
def hops(movement: Movement, hand: Hand, square: int, seat: int) -> tuple[tuple[Chain, ...], ...]:
    """Return for each target of a Chopper its chains of king steps, in the order in which they are tried (WEC-RUL-25)."""
    found = []
    for right, forward in _DATA["hops"][movement.name.lower()][f"chopper_{_HANDS[hand]}"]:
        if framed(square, right, forward, seat) == OFF:
            continue
        sign = 1 if seat == 0 else -1
        found.append(_chains(square, sign * forward, sign * right))
    return tuple(found)


def _chains(square: int, rows: int, columns: int) -> tuple[Chain, ...]:
    steps, slanted = max(abs(rows), abs(columns)), min(abs(rows), abs(columns))
    down, across = (rows > 0) - (rows < 0), (columns > 0) - (columns < 0)
    straight = (down, 0) if abs(rows) > abs(columns) else (0, across)
    chains = []
    for slants in sorted(combinations(range(steps), slanted), reverse=True):
        at, chain = square, []
        for step in range(steps):
            at = shifted(at, down, across) if step in slants else shifted(at, *straight)
            chain.append(at)
        chains.append(tuple(chain))
    return tuple(chains)


def _pawn_steps(movement: Movement, variant: PawnVariant) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    name = movement.name.lower()
    data = _DATA["pawns"][f"{name}.{variant.name.lower()}" if movement == Movement.MASS_DESTRUCTION else name]
    both = data.get("move_or_attack", [])
    return data.get("move", both), data.get("attack", both), data.get("move_from_origin", [])


@cache
def pawn(movement: Movement, variant: PawnVariant, square: int, seat: int) -> tuple[Chain, Chain, tuple[Chain, ...]]:
    """Return a Pawn's moving squares, its attack squares, and its two-square Moves with the square passed (WEC-MOVE-PAWN)."""
    to_move, to_attack, from_origin = _pawn_steps(movement, variant)
    moves, attacks = _squares(to_move, square, seat), _squares(to_attack, square, seat)
    double = []
    for right, forward in from_origin:
        target = framed(square, right, forward, seat)
        if target != OFF:
            double.append((framed(square, right // 2, forward // 2, seat), target))
    return moves, attacks, tuple(double)


def _squares(steps: list[list[int]], square: int, seat: int) -> Chain:
    return tuple(near for right, forward in steps if (near := framed(square, right, forward, seat)) != OFF)


@cache
def steps(square: int, seat: int) -> Chain:
    """Return the neighbouring squares in the order of the data."""
    return _squares(_DATA["steps"]["primary"], square, seat)


@cache
def jet(square: int, seat: int) -> tuple[Chain, ...]:
    """Return a Jet's paths in Air: up to two squares in each direction (WEC-MOVE-JET-1)."""
    found = []
    for near, far in _DATA["steps"]["jet_air"]:
        chain = _squares([near, far], square, seat)
        if chain:
            found.append(chain)
    return tuple(found)


def outlines(options: Options) -> dict[str, tuple[Outline, ...]]:
    """Return by name how kinds of pieces Move within their ranges: a line for each path, and for each hop and step."""
    movement = options.movement.name.lower()
    slides = _DATA["slides"][movement]
    ranges = {"panzer": options.panzer_range, "cleric": options.cleric_range}
    found = {name: _outlines(path[: ranges[name.partition("_")[0]]] for path in paths) for name, paths in slides.items()}
    queens = {"panzer": options.queen_panzer_range, "cleric": options.queen_cleric_range}
    found["secondary"] = _outlines(path[: queens[name.partition("_")[0]]] for name, paths in slides.items() for path in paths)
    found |= {name: _outlines([target] for target in targets) for name, targets in _DATA["hops"][movement].items()}
    moves, attacks, doubles = _pawn_steps(options.movement, options.pawn_variant)
    found["pawn"] = _outlines([step] for step in moves)
    found["pawn_attack"] = _outlines([step] for step in attacks)
    found["pawn_from_origin"] = _outlines([[right // 2, forward // 2], [right, forward]] for right, forward in doubles)
    found["jet_in_air"] = _outlines(_DATA["steps"]["jet_air"])
    found["step"] = _outlines([step] for step in _DATA["steps"]["primary"])
    return found


def _outlines(paths: Iterable[list[list[int]]]) -> tuple[Outline, ...]:
    return tuple(tuple((right, forward) for right, forward in path) for path in paths)
