"""Pairing in an arena: of those who have no game, neighbours in the standings meet, by a matching of least cost. Pure.

What comes first here outweighs any amount of what comes after it:

1. As many as can be are paired: of an odd number one waits.
2. Nobody meets the opponent of their last game again. Two who could only meet each other wait for somebody else, until one of
   them has waited for REPEAT_AFTER_MS, or nobody else takes part.
3. Those who wait on have waited the shortest.
4. Two who meet are as near in points as can be: the differences of all pairs together; then as near in the order, in which those
   of equal points stand by their rating.

The matching is found by one sweep over the order: everybody is put aside for somebody further down, meets one of at most OPEN who
are, or waits on. Of the ways to come so far the KEPT best are kept, so that the time is linear in the number of players. With no
more than EXACT players none is left out, and there is no better matching.
"""

from collections.abc import Sequence
from dataclasses import dataclass

OPEN = 4
"""Players put aside at the same time."""
EXACT = 8
KEPT, KEPT_EXACT = 16, 1000
"""Ways that are kept for each number of players who wait on."""
REPEAT_AFTER_MS = 20_000
_ALONE_MAX = 2
"""Numbers of players who wait on that are told apart: as many or more."""
_WAITED_S = 3600
"""Waiting longer than that counts as that."""
_POINT = 1 << 12
"""The cost of a difference of half a point: more than all that the order can cost in a sweep over a thousand players."""
_SECOND = _POINT << 32
_REPEAT = _SECOND << 24
_ALONE = _REPEAT << 16


@dataclass(frozen=True, slots=True)
class Waiting:
    """One who has no game."""

    number: int
    points: int
    """In halves."""
    rating: float
    last: int | None = None
    """The opponent of the last game."""
    since_ms: int = 0
    seats: int = 0
    """How many more times they had the first seat than the second one."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to have come so far: its cost, and what was decided last."""

    cost: int
    pair: tuple[int, int] | None = None
    before: "_Way | None" = None


def pairs(waiting: Sequence[Waiting], now_ms: int, *, are_all: bool) -> list[tuple[Waiting, Waiting]]:
    """Return who meets whom, the best first, and in each pair the one at the first seat first.

    `are_all`: whether nobody else takes part, so that there is nobody to wait for.
    """
    order = sorted(waiting, key=lambda one: (-one.points, -one.rating, one.number))
    kept = KEPT_EXACT if len(order) <= EXACT else KEPT
    ways: dict[tuple[tuple[int, ...], int], _Way] = {((), 0): _Way(0)}
    for place, one in enumerate(order):
        step = _POINT * (order[place - 1].points - one.points) + 1 if place else 0
        found: dict[tuple[tuple[int, ...], int], _Way] = {}
        for (aside, alone), so_far in ways.items():
            cost = so_far.cost + step * len(aside)
            if len(aside) < OPEN:
                _keep(found, (*aside, place), alone, _Way(cost, None, so_far))
            _keep(found, aside, alone + 1, _Way(cost + _alone(one, now_ms), None, so_far))
            for index, other in enumerate(aside):
                met = _meeting(order[other], one, now_ms, are_all=are_all)
                if met is not None:
                    _keep(found, aside[:index] + aside[index + 1 :], alone, _Way(cost + met, (other, place), so_far))
        ways = _best(found, kept)
    ended = min(ways, key=lambda key: ways[key].cost + sum(_alone(order[place], now_ms) for place in key[0]))
    made = []
    way: _Way | None = ways[ended]
    while way is not None:
        if way.pair is not None:
            made.append(way.pair)
        way = way.before
    return [_seated(order[one], order[other]) for one, other in sorted(made)]


def _keep(found: dict[tuple[tuple[int, ...], int], _Way], aside: tuple[int, ...], alone: int, way: _Way) -> None:
    key = aside, min(alone, _ALONE_MAX)
    if key not in found or way.cost < found[key].cost:
        found[key] = way


def _best(found: dict[tuple[tuple[int, ...], int], _Way], kept: int) -> dict[tuple[tuple[int, ...], int], _Way]:
    """Return the best ways for each number of those who wait on: otherwise the odd one would never be chosen well."""
    counts = [0] * (_ALONE_MAX + 1)
    best = {}
    for key, way in sorted(found.items(), key=lambda each: each[1].cost):
        counts[key[1]] += 1
        if counts[key[1]] <= kept:
            best[key] = way
    return best


def _alone(one: Waiting, now_ms: int) -> int:
    """Return what it costs that somebody waits on."""
    return _ALONE + _SECOND * max(0, min(_WAITED_S, (now_ms - one.since_ms) // 1000))


def _meeting(one: Waiting, other: Waiting, now_ms: int, *, are_all: bool) -> int | None:
    """Return what it costs, beside their distance, that two meet; None where they wait for somebody else."""
    if one.last != other.number and other.last != one.number:
        return 0
    has_waited = now_ms - min(one.since_ms, other.since_ms) >= REPEAT_AFTER_MS
    return _REPEAT if has_waited or are_all else None


def _seated(one: Waiting, other: Waiting) -> tuple[Waiting, Waiting]:
    """Return two who meet, the one first who had the first seat less often; among equals the one with the greater number."""
    return (one, other) if (one.seats, -one.number) < (other.seats, -other.number) else (other, one)
