"""The boards as data: nodes, the lines that join them, bases and start formations (EP-BOARD, boards.json).

A node is a number: latitude * longitudes + longitude - 1, so A1 is 0. A set of nodes is an int with a bit for each, and a
step of the whole set along a line is a shift.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from brettwerk_games.rules.plateau.options import Shape, Size


class Army(IntEnum):
    """The kinds of army (EP-ARMY-1), in the order in which they are listed."""

    TWO = 0
    FOUR = 1
    SIX = 2
    EMBLEM = 3


ARMIES = tuple(Army)
"""All of them: an enumeration is slow to count and to go through."""
REACH = (2, 4, 6, 12)
"""By army: the most steps of a turn (EP-ARMY-2)."""
MARK = "246E"
"""By army: how it is written."""
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""The four directions as latitude and longitude: clockwise, back, inward, outward (EP-BOARD-6)."""

_DATA: dict[str, Any] = json.loads((Path(__file__).parent / "boards.json").read_text(encoding="utf-8"))
LATITUDES: str = _DATA["latitudes"]
"""The letters of the rings, from the rim inwards (EP-BOARD-5)."""
MAX_NODES = 264
"""Nodes of the largest board."""


class Corner(NamedTuple):
    """Half an L: over `corner` to `target`, one step along a ring and one along a spoke (EP-MOVE-2S-2)."""

    corner: int
    target: int


class Jump(NamedTuple):
    """A straight line of two steps: over `over` to `landing` (EP-MOVE-4S-3)."""

    over: int
    landing: int


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A graph of nodes. `nodes` are those that there are; on a flat board the red area has numbers and no nodes."""

    longitudes: int
    wrap: bool
    nodes: int
    names: tuple[str, ...]
    number_of: Mapping[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    joined: tuple[int, ...]
    """By node: its neighbours as a set."""
    corners: tuple[tuple[Corner, ...], ...]
    jumps: tuple[tuple[Jump, ...], ...]
    within: tuple[tuple[int, ...], ...]
    """By army and node: the nodes that it could reach on an empty board."""
    inner: int
    """Nodes that have a next longitude without going around."""
    outer: int
    """Nodes that have a previous longitude without going around."""

    def shift(self, nodes: int, direction: int) -> int:
        """Return the set moved by one step in a direction of STEPS; what leaves the board is dropped."""
        width = self.longitudes
        if direction == 2:
            return nodes << width & self.nodes
        if direction == 3:
            return nodes >> width & self.nodes
        if direction == 0:
            moved = (nodes & self.inner) << 1
            return (moved | (nodes & ~self.inner) >> width - 1 if self.wrap else moved) & self.nodes
        moved = (nodes & self.outer) >> 1
        return (moved | (nodes & ~self.outer) << width - 1 if self.wrap else moved) & self.nodes

    def spread(self, nodes: int) -> int:
        """Return all nodes that are joined to one of the set."""
        width = self.longitudes
        joined = (nodes & self.inner) << 1 | (nodes & self.outer) >> 1 | nodes << width | nodes >> width
        if self.wrap:
            joined |= (nodes & ~self.inner) >> (width - 1) | (nodes & ~self.outer) << (width - 1)
        return joined & self.nodes


class Setup(NamedTuple):
    """A board with the bases and the start formation of each seat, a set of nodes for each army."""

    board: Board
    bases: tuple[int, ...]
    armies: tuple[tuple[int, int, int, int], ...]


def bits(nodes: int) -> Iterator[int]:
    """Yield the nodes of a set in order."""
    while nodes:
        low = nodes & -nodes
        yield low.bit_length() - 1
        nodes ^= low


_FEW = 10
"""Up to how many nodes, a set is read bit by bit sooner than byte by byte."""


class _Octets(dict[int, tuple[int, ...]]):
    """The nodes of a byte of a set, by place and value of the byte: 8,000 small tuples at most."""

    def __missing__(self, key: int) -> tuple[int, ...]:
        place, octet = divmod(key, 256)
        nodes = self[key] = tuple(8 * place + bit for bit in range(8) if octet >> bit & 1)
        return nodes


_OCTETS = _Octets()


def nodes_of(nodes: int) -> list[int]:
    """Return the nodes of a set in order, as `bits` yields them: quicker, where many are wanted at once."""
    found: list[int] = []
    if nodes.bit_count() <= _FEW:
        while nodes:
            low = nodes & -nodes
            found.append(low.bit_length() - 1)
            nodes ^= low
        return found
    for key, octet in zip(range(0, MAX_NODES * 256 // 8, 256), nodes.to_bytes(MAX_NODES // 8, "little"), strict=True):
        if octet:
            found += _OCTETS[key + octet]
    return found


def _beside(node: int, step: tuple[int, int], longitudes: int, wrap: bool, nodes: int) -> int | None:
    latitude, longitude = divmod(node, longitudes)
    latitude, longitude = latitude + step[0], longitude + step[1]
    if wrap:
        longitude %= longitudes
    if not (0 <= latitude < len(LATITUDES) and 0 <= longitude < longitudes):
        return None
    beside = latitude * longitudes + longitude
    return beside if nodes >> beside & 1 else None


def _spheres(neighbours: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    spheres = [tuple(1 << node for node in range(len(neighbours)))]
    for _ in range(max(REACH)):
        last = spheres[-1]
        grown = [last[node] for node in range(len(neighbours))]
        for node, others in enumerate(neighbours):
            for other in others:
                grown[node] |= last[other]
        spheres.append(tuple(grown))
    return tuple(spheres[reach] for reach in REACH)


def _node_set(names: str, number_of: Mapping[str, int]) -> int:
    return sum(1 << number_of[name] for name in names.split())


@cache
def board(longitudes: int, wrap: bool, red: str) -> Board:
    """Return the board of so many longitudes. `red` names the places in the middle that have no nodes (EP-BOARD-3)."""
    count = longitudes * len(LATITUDES)
    names = tuple(f"{letter}{longitude}" for letter in LATITUDES for longitude in range(1, longitudes + 1))
    number_of = {name: number for number, name in enumerate(names)}
    nodes = (1 << count) - 1 & ~_node_set(red, number_of)
    beside = [
        [_beside(node, step, longitudes, wrap, nodes) if nodes >> node & 1 else None for step in STEPS] for node in range(count)
    ]
    neighbours = tuple(tuple(other for other in others if other is not None) for others in beside)
    corners: list[tuple[Corner, ...]] = []
    jumps: list[tuple[Jump, ...]] = []
    for node in range(count):
        found = []
        for direction, corner in enumerate(beside[node]):
            turns = (2, 3) if direction < 2 else (0, 1)
            targets = [] if corner is None else [beside[corner][turn] for turn in turns]
            found += [Corner(corner, target) for target in targets if corner is not None and target is not None]
        corners.append(tuple(found))
        straight = [(over, beside[over][way]) for way, over in enumerate(beside[node]) if over is not None]
        jumps.append(tuple(Jump(over, landing) for over, landing in straight if landing is not None))
    last = sum(1 << node for node in range(longitudes - 1, count, longitudes))
    everywhere = (1 << count) - 1
    return Board(
        longitudes=longitudes,
        wrap=wrap,
        nodes=nodes,
        names=names,
        number_of={name: number for name, number in number_of.items() if nodes >> number & 1},
        neighbours=neighbours,
        joined=tuple(sum(1 << other for other in others) for others in neighbours),
        corners=tuple(corners),
        jumps=tuple(jumps),
        within=_spheres(neighbours),
        inner=everywhere & ~last,
        outer=everywhere & ~(last >> (longitudes - 1)),
    )


@cache
def setup(size: Size, shape: Shape, seats: int) -> Setup | None:
    """Return the board and formation for that many seats, or None where there is none (EP-BOARD-2, EP-BOARD-9)."""
    if size == Size.FITTING:
        size = Size.ARENA if seats == 2 else Size.FIRST
    wanted = (size.name.lower(), shape.name.lower(), seats)
    for raw in _DATA["setups"]:
        if (raw["board"], raw["shape"], raw["seats"]) == wanted:
            graph = board(raw["longitudes"], raw["wrap"], raw["red"])
            armies = [tuple(_node_set(side[mark], graph.number_of) for mark in MARK) for side in raw["armies"]]
            sides = tuple((twos, fours, sixes, emblem) for twos, fours, sixes, emblem in armies)
            return Setup(graph, tuple(graph.number_of[name] for name in raw["bases"]), sides)
    return None
