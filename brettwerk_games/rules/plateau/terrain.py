"""The nodes as the armies of one seat find them: where they may pass, where they may only end, what a four may jump."""

from typing import NamedTuple

from brettwerk_games.rules.plateau.position import Position, all_of, side


class Terrain(NamedTuple):
    """Sets of nodes, as the armies of a seat find them.

    `passable` are empty and no foreign base; small armies do without `home`, their own base (EP-MOVE-7). A move may end on
    `passable` or on `ends`: enemy armies, which are captured, and enemy bases, which are conquered. `jumpable` has an army on it
    and is not the own base (EP-MOVE-4S-9). `jump_may_end` is the option.
    """

    passable: int
    home: int
    ends: int
    jumpable: int
    jump_may_end: bool


def terrain(position: Position, seat: int) -> Terrain:
    """Return what the nodes are to a seat."""
    board, bases, _ = position.setup
    own = side(position, seat)
    armies = enemies = foreign_bases = 0
    for other, theirs in enumerate(position.armies):
        nodes = all_of(theirs)
        armies |= nodes
        fallen = other in position.fallen
        if other != seat and not fallen:
            foreign_bases |= 1 << bases[other]
        if side(position, other) != own:
            enemies |= nodes
            if not fallen:
                enemies |= 1 << bases[other]
    home = 0 if seat in position.fallen else 1 << bases[seat]
    return Terrain(
        board.nodes & ~armies & ~foreign_bases,
        home,
        enemies,
        armies & ~home,
        position.options.jump_may_end,
    )
