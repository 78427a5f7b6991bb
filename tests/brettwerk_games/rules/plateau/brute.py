"""A second reading of the rules of movement, slow and plain: every path of an army, one node after the other, by coordinates."""

from collections.abc import Iterator
from typing import NamedTuple

Node = tuple[int, int]
"""Latitude and longitude, from 0."""


class World(NamedTuple):
    """A board with what stands on it, as a traveller finds it. `bases` are those that have not fallen, with their seats."""

    longitudes: int
    wrap: bool
    red: frozenset[Node]
    armies: dict[Node, int]
    bases: dict[Node, int]
    allies: frozenset[int]
    jump_may_end: bool

    def beside(self, node: Node, step: Node) -> Node | None:
        latitude, longitude = node[0] + step[0], node[1] + step[1]
        if self.wrap:
            longitude %= self.longitudes
        inside = 0 <= latitude < 11 and 0 <= longitude < self.longitudes
        return (latitude, longitude) if inside and (latitude, longitude) not in self.red else None


STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def paths(world: World, seat: int, mark: str, start: Node) -> Iterator[tuple[Node, ...]]:
    """Yield every legal path of an army of a seat, whatever the budget of the turn."""
    most = {"2": 2, "4": 4, "6": 6, "E": 12}[mark]
    yield from _walks(world, seat, mark, (start,), most)
    if mark == "4":
        for step in STEPS:
            over = world.beside(start, step)
            if over is None or over not in world.armies or world.bases.get(over) == seat:
                continue
            landing = world.beside(over, step)
            if landing is None:
                continue
            flight = (start, over, landing)
            if world.jump_may_end and _may_end(world, seat, mark, flight):
                yield flight
            if _may_pass(world, seat, mark, landing):
                yield from _walks(world, seat, mark, flight, most - 2)


def _walks(world: World, seat: int, mark: str, path: tuple[Node, ...], left: int) -> Iterator[tuple[Node, ...]]:
    if left == 0:
        return
    for step in STEPS:
        node = world.beside(path[-1], step)
        if node is None or node in path:
            continue
        longer = (*path, node)
        if _may_end(world, seat, mark, longer):
            yield longer
        if _may_pass(world, seat, mark, node):
            yield from _walks(world, seat, mark, longer, left - 1)


def _may_pass(world: World, seat: int, mark: str, node: Node) -> bool:
    base = world.bases.get(node)
    return node not in world.armies and (base is None or (base == seat and mark == "E"))


def _may_end(world: World, seat: int, mark: str, path: tuple[Node, ...]) -> bool:
    node = path[-1]
    base, holder = world.bases.get(node), world.armies.get(node)
    if holder in world.allies or (base != seat and base in world.allies):
        return False
    if base == seat and mark != "E":
        return False
    taken = holder is not None or (base is not None and base != seat)
    if taken and mark == "2":
        return len(path) == 3 and path[0][0] != path[2][0] and path[0][1] != path[2][1]
    return True
