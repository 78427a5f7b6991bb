"""Positions before the roll in which nobody has won, for properties; and the source of a kernel run as it is."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from unittest import mock

from hypothesis import strategies as st

import brettwerk_games.players.einstein.kernels as kernels
from brettwerk_games.rules.einstein.board import BLACK, SQUARES, WHITE
from brettwerk_games.rules.einstein.position import ALL_GONE, GONE, Position, Side, needs_roll

STONES = 6


def stones(text: str) -> Side:
    """Read '1@D4 6@A1' as the squares of a side."""
    side = list(ALL_GONE)
    for stone in text.split():
        number, _, square = stone.partition("@")
        side[int(number) - 1] = SQUARES.index(square)
    return tuple(side)


@st.composite
def positions(draw, least=1, most=STONES):
    """Positions with so many stones a side."""
    free = draw(st.permutations(range(25)))
    counts = draw(st.integers(least, most)), draw(st.integers(least, most))
    sides, taken = [], iter(free)
    for seat, goal in ((WHITE, 0), (BLACK, 24)):
        numbers = draw(st.permutations(range(STONES)))[: counts[seat]]
        side = list(ALL_GONE)
        for number in numbers:
            square = next(taken)
            side[number] = square if square != goal else next(taken)
        sides.append(tuple(side))
    return Position((sides[0], sides[1]), draw(st.sampled_from((WHITE, BLACK))))


@st.composite
def rolled(draw, /, **bounds):
    """Positions with a roll, where one is needed."""
    position = draw(positions(**bounds))
    return position._replace(roll=draw(st.integers(1, 6)) if needs_roll(position.stones[position.to_move]) else 0)


def count(position: Position) -> int:
    return 2 * STONES - sum(side.count(GONE) for side in position.stones)


def mirrored(side: Side) -> Side:
    return tuple(GONE if s == GONE else s % 5 * 5 + s // 5 for s in side)


def turned(side: Side) -> Side:
    return tuple(GONE if s == GONE else 24 - s for s in side)


def as_it_is(name: str, *needed: str) -> ModuleType:
    """Return a kernel that is not compiled, and neither are those it needs (in the order in which they need each other)."""
    if needed:
        plain = {f"{kernels.__name__}.{one}": as_it_is(one, *needed[:i]) for i, one in enumerate(needed)}
        with mock.patch.dict(sys.modules, plain):
            return as_it_is(name)
    loader = SourceFileLoader(f"plain_{name}", str(Path(kernels.__path__[0]) / f"{name}.py"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
