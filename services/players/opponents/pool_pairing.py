"""The pairs of a pool. Pure.

A seeker who has waited for t seconds is ready to meet opponents whose ratings are up to

    W(t) = 50 + 5 t    points away, and from 120 seconds on anybody.

Two seekers are paired when their ratings are no further apart than W of the one plus W of the other: who has waited long meets
who has just come. Neither is known to be less reliable than the other asks for; players of whom nothing is known suit everybody.
The seeker who has waited longest, in all, goes first; among equals the nearer ratings do. Where games count for ratings the two
who have just played each other are paired again only when both have waited for 30 seconds, and nobody else would do.
"""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass

FIRST_WINDOW = 50.0
"""Rating points, for one who has just come."""
WINDOW_PER_S = 5.0
ANYBODY_S = 120.0
REPEAT_S = 30.0
NEIGHBOURS = 40
"""How many of those next in rating are looked at for each seeker, on either side."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """One who waits."""

    player_id: str
    rating: float
    waited_s: float
    last_opponent: str = ""
    """The player whom they have just played, where that counts; empty for nobody."""
    reliability: int | None = None
    """How reliably they finish games, in percent (conduct/reliability.py); None where that is not known."""
    least_reliability: int = 0
    """How reliable an opponent is to be, where that is known."""


def window(waited_s: float) -> float:
    """Return W: how many rating points an opponent may be away, infinite for any number."""
    return math.inf if waited_s >= ANYBODY_S else FIRST_WINDOW + WINDOW_PER_S * max(0.0, waited_s)


def shown_window(waited_s: float) -> int:
    """Return how far the rating of one who comes now may be away; 0 for as far as it may be."""
    reach = window(waited_s) + FIRST_WINDOW
    return 0 if math.isinf(reach) else round(reach)


def may_meet(one: Seeker, other: Seeker, blocked: Set[tuple[str, str]]) -> bool:
    """Return whether two may be paired. `blocked`: who has blocked whom."""
    if one.player_id == other.player_id:
        return False
    if (one.player_id, other.player_id) in blocked or (other.player_id, one.player_id) in blocked:
        return False
    if not (_suits(one, other) and _suits(other, one)):
        return False
    if _is_repeat(one, other) and min(one.waited_s, other.waited_s) < REPEAT_S:
        return False
    return abs(one.rating - other.rating) <= window(one.waited_s) + window(other.waited_s)


def pairs(seekers: Sequence[Seeker], blocked: Set[tuple[str, str]] = frozenset()) -> list[tuple[Seeker, Seeker]]:
    """Return who is paired now. Nobody is in two pairs; who may meet nobody who is left is in none."""
    ordered = sorted(seekers, key=lambda one: (one.rating, one.player_id))
    possible = [
        (one, other)
        for number, one in enumerate(ordered)
        for other in ordered[number + 1 : number + 1 + NEIGHBOURS]
        if may_meet(one, other, blocked)
    ]
    possible.sort(key=_order)
    taken: set[str] = set()
    found = []
    for one, other in possible:
        if taken.isdisjoint((one.player_id, other.player_id)):
            taken.update((one.player_id, other.player_id))
            found.append((one, other))
    return found


def _suits(one: Seeker, other: Seeker) -> bool:
    """Return whether one is reliable enough for the other."""
    return one.reliability is None or one.reliability >= other.least_reliability


def _is_repeat(one: Seeker, other: Seeker) -> bool:
    return one.last_opponent == other.player_id or other.last_opponent == one.player_id


def _order(pair: tuple[Seeker, Seeker]) -> tuple[bool, float, float, str]:
    one, other = pair
    gap = abs(one.rating - other.rating)
    return _is_repeat(one, other), gap - WINDOW_PER_S * (one.waited_s + other.waited_s), gap, one.player_id
