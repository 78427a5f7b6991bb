"""Where a position's value lies in the endgame tables: classes of sides, numbers of placements, and offsets.

A side's class is the set of its stones' numbers up to 1..6 -> 6..1, which changes no value; with one stone left the number does
not matter. A table of n stones holds, for each pair of classes with n stones together (mover first), all placements of both:
the mover's up to both symmetries, the other's up to reversal (kernels/ranks.py).
"""

from array import array
from dataclasses import dataclass
from functools import cache

from brettwerk_games.players.einstein.kernels.ranks import number_placements

MAX_STONES = 6
"""The greatest table that can be asked for."""
_LISTED = 4
"""Sides of up to so many stones are numbered by lists; one of five is its own number, since lists would be too long."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class of sides: the stones of its first member, as bits from stone 1."""

    mask: int
    stones: int
    palindromic: bool


def mirrored(mask: int) -> int:
    """Return the stones with 1..6 renumbered 6..1."""
    return int(f"{mask:06b}"[::-1], 2)


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of the placements of one count of stones, see kernels/ranks.py."""

    full: "array[int]"
    canon: "array[int]"
    full_list: "array[int]"
    canon_list: "array[int]"
    sizes: tuple[int, int]
    """How many there are up to reversal, and up to both symmetries."""


@dataclass(frozen=True)
class Layout:
    """All that a kernel needs to find a position. Arrays are flat: pairs of classes are first * len(classes) + second."""

    classes: tuple[Class, ...]
    class_of: "array[int]"
    """By mask: the class."""
    turned: "array[int]"
    """By mask: 1 where the stones must be taken in reverse order."""
    numbering: "dict[tuple[int, bool], Numbering]"
    bases: "array[int]"
    """By class: where its count's numbers begin in `full` and `canon`; -1 where a placement is its own number."""
    full: "array[int]"
    canon: "array[int]"
    full_size: "array[int]"
    canon_size: "array[int]"
    offsets: "array[int]"
    """By pair: where it begins in the table of its number of stones."""
    alone: "array[int]"
    """By mask * 6 + stone from 0: how many rolls must move that stone."""
    between: "array[int]"
    """How many rolls leave the choice between that stone and the next greater one."""
    sizes: dict[int, int]
    """By number of stones: entries of the table."""

    def pairs(self, stones: int) -> list[tuple[int, int]]:
        """Return the pairs of classes (mover, other) with so many stones together, in order."""
        count = range(len(self.classes))
        return [(a, b) for a in count for b in count if self.classes[a].stones + self.classes[b].stones == stones]

    def number(self, of: int, placement: int) -> int:
        """Return a placement's number up to reversal."""
        return placement if self.bases[of] < 0 else self.full[self.bases[of] + placement]

    def canonical(self, of: int, placement: int) -> int:
        """Return twice a placement's number up to both symmetries, plus 1 when the board must be mirrored for it."""
        return 2 * placement if self.bases[of] < 0 else self.canon[self.bases[of] + placement]

    def placements(self, of: int, *, canonical: bool = False) -> "array[int]":
        """Return a class's placements by their full number, or by their canonical one."""
        one = self.classes[of]
        if self.bases[of] < 0:
            return array("i", range(24**one.stones))
        numbering = self.numbering[one.stones, one.palindromic]
        return (numbering.canon_list if canonical else numbering.full_list)[:-1]


def _rolls() -> "tuple[array[int], array[int]]":
    alone, between = array("i", [0] * 64 * 6), array("i", [0] * 64 * 6)
    for mask in range(1, 64):
        for roll in range(6):
            lower = [stone for stone in range(roll + 1) if mask >> stone & 1][-1:]
            higher = [stone for stone in range(roll, 6) if mask >> stone & 1][:1]
            if lower == higher or not (lower and higher):
                alone[mask * 6 + (lower or higher)[0]] += 1
            else:
                between[mask * 6 + lower[0]] += 1
    return alone, between


def _numbering(stones: int, palindromic: bool) -> Numbering:
    total = int(24**stones)
    blank = array("i", [-1])
    full, canon, full_list, canon_list = blank * total, blank * total, blank * (total + 1), blank * (total + 1)
    count = number_placements(stones, palindromic, full, canon, full_list, canon_list)
    canonical = canon_list.index(-1)
    return Numbering(full, canon, full_list[: count + 1], canon_list[: canonical + 1], (count, canonical))


@cache
def layout(listed: int = _LISTED) -> Layout:
    """Return the layout, made once in a process (some 10 ms compiled); sides of more stones than `listed` have no lists."""
    masks = sorted({min(m, mirrored(m)) if m.bit_count() > 1 else 1 for m in range(1, 63)}, key=lambda m: (m.bit_count(), m))
    classes = tuple(Class(m, m.bit_count(), m == mirrored(m)) for m in masks)
    class_of, turned = array("i", [-1] * 64), array("i", [0] * 64)
    for mask in range(1, 63):
        first = min(mask, mirrored(mask)) if mask.bit_count() > 1 else 1
        class_of[mask] = masks.index(first)
        turned[mask] = int(mask.bit_count() > 1 and mask != first)
    kinds = sorted({(one.stones, one.palindromic) for one in classes if one.stones <= listed})
    numbering = {kind: _numbering(*kind) for kind in kinds}
    full, canon, begins = array("i"), array("i"), {}
    for kind in kinds:
        begins[kind] = len(full)
        full.extend(numbering[kind].full)
        canon.extend(numbering[kind].canon)
    whole = {
        one: numbering[one.stones, one.palindromic].sizes if one.stones <= listed else (24**one.stones, 24**one.stones)
        for one in classes
    }
    offsets, sizes = array("q", [-1] * len(classes) ** 2), dict.fromkeys(range(2, MAX_STONES + 1), 0)
    for a, first_class in enumerate(classes):
        for b, second in enumerate(classes):
            stones = first_class.stones + second.stones
            if stones <= MAX_STONES:
                offsets[a * len(classes) + b] = sizes[stones]
                sizes[stones] += whole[first_class][1] * whole[second][0]
    alone, between = _rolls()
    return Layout(
        classes=classes,
        class_of=class_of,
        turned=turned,
        numbering=numbering,
        bases=array("q", [begins.get((one.stones, one.palindromic), -1) for one in classes]),
        full=full,
        canon=canon,
        full_size=array("q", [whole[one][0] for one in classes]),
        canon_size=array("q", [whole[one][1] for one in classes]),
        offsets=offsets,
        alone=alone,
        between=between,
        sizes=sizes,
    )
