"""Builds endgame tables of a folder, once, whoever else wants to: the first holds a lock, the others wait. Deletes them, too."""

import shutil
from array import array
from collections.abc import Callable
from pathlib import Path

from brettwerk_games.players.einstein.kernels.fill import Filler, round_off
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.tables.files import MIN_STONES, Broken, files_above, new_table, open_table, size_of
from brettwerk_games.players.einstein.tables.lock import locked

FLOATS = 4
"""Tables of up to so many stones are held in memory as floats while they are built (50 MB)."""
SPARE_BYTES = 1 << 30
"""The room that must stay free on the disk."""
POSITIONS_PER_S = 8e6
"""How many positions a core fills in a second: what is said before it is measured."""
_SLICE = 1 << 21
"""Positions between two reports: a fraction of a second."""

Report = Callable[[int, int, int], None]
"""Called with the number of stones, positions filled and all positions of that table. An exception of it ends the building."""


class NoRoom(Exception):
    """The disk is too full, or tables may not take so much of it."""


def missing(folder: Path, most: int) -> list[int]:
    """Return which tables of up to `most` stones are not there or cannot be used."""
    lacking = []
    for stones in range(MIN_STONES, most + 1):
        try:
            open_table(folder, stones)
        except (OSError, Broken):
            lacking.append(stones)
    return lacking


def estimate(lacking: list[int]) -> tuple[int, float]:
    """Return how many bytes tables of these numbers of stones take, and how many seconds of a core it takes to build them."""
    return sum(map(size_of, lacking)), sum(layout().sizes[stones] for stones in lacking) / POSITIONS_PER_S


def delete(folder: Path, most: int) -> int:
    """Delete the tables of more than `most` stones and what interrupted builds have left; return how many bytes that frees.

    A process that has opened a table goes on with it, and its bytes are free when the last one has closed it. Raises Busy, and
    OSError for a folder that cannot be written to.
    """
    freed = 0
    if files_above(folder, most):
        with locked(folder, wait=False):
            for file in files_above(folder, most):
                freed += file.stat().st_size
                file.unlink()
    return freed


def room_for_more(folder: Path, bound: int) -> int:
    """Return how many bytes of new tables a folder has room for, where all may take `bound` bytes; 0: as many as the disk has.

    Raises OSError for a folder that cannot be read.
    """
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    room = shutil.disk_usage(there).free - SPARE_BYTES
    if bound:
        room = min(room, bound - sum(file.stat().st_size for file in folder.glob("*.table")))
    return max(0, room)


def build(folder: Path, most: int, report: Report, bound: int = 0) -> list[int]:
    """Build what is missing of the tables of up to `most` stones and return which that was.

    All tables of the folder may take `bound` bytes; 0: what the disk has. Raises NoRoom, and OSError for a folder that cannot be
    written to.
    """
    if not missing(folder, most):
        return []
    with locked(folder) as hold:

        def tell(stones: int, done: int, total: int) -> None:
            hold.note(stones, done, total)
            report(stones, done, total)

        lacking = missing(folder, most)
        needed, _ = estimate(lacking)
        if lacking and (room := room_for_more(folder, bound)) < needed:
            raise NoRoom(f"{needed / 1e9:.1f} GB are needed in {folder}, and there is room for {room / 1e9:.1f} GB")
        floats: array[float] | None = None
        for stones in range(MIN_STONES, min(FLOATS, max(lacking, default=0)) + 1):
            floats = _small(stones, floats, tell)
            if stones in lacking:
                with new_table(folder, stones) as entries:
                    round_off(floats, entries)
        for stones in lacking:
            if stones > FLOATS:
                _great(folder, stones, floats if stones == FLOATS + 1 else None, tell)
        return lacking


def _small(stones: int, below: "array[float] | None", report: Report) -> "array[float]":
    """Return a table in floats."""
    chances = array("f", bytes(4 * layout().sizes[stones]))
    view = memoryview(chances)
    done = 0
    for first, second in _pairs(stones):
        ours, theirs = _part(view, first, second), _part(view, second, first)
        done = _fill(
            stones, Filler(layout(), first, second, ours, theirs, below or array("f"), None), (first, second), done, report
        )
    return chances


def _great(folder: Path, stones: int, below: "array[float] | None", report: Report) -> None:
    """Write a table that is too great for the memory, pair by pair."""
    coarse = None if below is not None else open_table(folder, stones - 1)
    done = 0
    with new_table(folder, stones) as entries:
        for first, second in _pairs(stones):
            ours = array("f", bytes(4 * _size(first, second)))
            theirs = ours if first == second else array("f", bytes(4 * _size(second, first)))
            filler = Filler(layout(), first, second, ours, theirs, below, coarse)
            done = _fill(stones, filler, (first, second), done, report)
            round_off(ours, _part(entries, first, second))
            round_off(theirs, _part(entries, second, first))


def _pairs(stones: int) -> list[tuple[int, int]]:
    """Return pairs of classes of which each is filled with its reverse; the first side is the smaller one."""
    return [(first, second) for first, second in layout().pairs(stones) if first <= second]


def _size(first: int, second: int) -> int:
    return layout().canon_size[first] * layout().full_size[second]


def _part(entries: memoryview, first: int, second: int) -> memoryview:
    begin = layout().offsets[first * len(layout().classes) + second]
    return entries[begin : begin + _size(first, second)]


def _fill(stones: int, filler: Filler, pair: tuple[int, int], done: int, report: Report) -> int:
    first, second = pair
    placements = layout().placements(first, canonical=True)
    rows = max(1, _SLICE // (layout().full_size[second]))
    for high in range(len(placements), 0, -rows):
        low = max(0, high - rows)
        filler.fill(high, low, placements)
        reached = (len(placements) - low) / len(placements)
        report(stones, done + int(reached * _both(first, second)), layout().sizes[stones])
    return done + _both(first, second)


def _both(first: int, second: int) -> int:
    return _size(first, second) + (_size(second, first) if first != second else 0)
