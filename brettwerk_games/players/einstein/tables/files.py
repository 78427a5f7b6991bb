"""The files of the endgame tables: one for each number of stones, a header and then the chances, mapped into memory.

All processes of a machine that open a file share its pages. A file gets its name when it is complete.
"""

import contextlib
import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from brettwerk_games.players.einstein.layout import MAX_STONES, layout

VERSION = 2
"""Of what is in the files and in which order. The table of six stones of version 1 was wrong where one stands against five."""
MIN_STONES = 2
UNFINISHED = ".part"
"""How the name of a table ends that is being written."""
_MAGIC = 0x4E5745_5742
_HEADER = struct.Struct("=QIIQI")
"""Magic number, version, stones, entries, CRC-32 of all entries; in the machine's byte order, so another one's is no table."""
BEGIN = 64
"""Where the entries begin."""
_CHUNK = 1 << 22


class Broken(Exception):
    """A file is not a table that can be used."""


def path_of(folder: Path, stones: int) -> Path:
    """Return where the table of so many stones is."""
    return folder / f"einstein-{stones}.table"


def size_of(stones: int) -> int:
    """Return the bytes of a table's file."""
    return BEGIN + 2 * layout().sizes[stones]


def files_above(folder: Path, stones: int) -> list[Path]:
    """Return the tables of more stones than that, of whatever version, and those that nobody has finished."""
    above = {path_of(folder, more) for more in range(max(stones + 1, MIN_STONES), MAX_STONES + 1)}
    unfinished = {path_of(folder, any_of).with_suffix(UNFINISHED) for any_of in range(MIN_STONES, MAX_STONES + 1)}
    return sorted(file for file in above | unfinished if file.exists())


def open_table(folder: Path, stones: int) -> memoryview:
    """Return the chances of a table as 16-bit numbers, read-only. Raises FileNotFoundError, Broken, or another OSError."""
    path = path_of(folder, stones)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size != size_of(stones):
            raise Broken(f"{path} has a wrong size")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    magic, version, count, entries, _ = _HEADER.unpack_from(mapped)
    if (magic, version, count, entries) != (_MAGIC, VERSION, stones, layout().sizes[stones]):
        raise Broken(f"{path} is no table of version {VERSION}")
    return memoryview(mapped)[BEGIN:].cast("H")


def open_tables(folder: Path) -> dict[int, memoryview]:
    """Return the tables of a folder by number of stones, from two on without a gap; what cannot be used ends the row."""
    tables: dict[int, memoryview] = {}
    for stones in range(MIN_STONES, MAX_STONES + 1):
        try:
            tables[stones] = open_table(folder, stones)
        except (OSError, Broken):
            break
    return tables


def check(folder: Path, stones: int) -> None:
    """Read all of a table. Raises Broken when its sum is wrong, and what open_table raises."""
    path = path_of(folder, stones)
    open_table(folder, stones)
    with path.open("rb") as file:
        wanted = _HEADER.unpack(file.read(_HEADER.size))[-1]
        file.seek(BEGIN)
        found = 0
        while chunk := file.read(_CHUNK):
            found = zlib.crc32(chunk, found)
    if found != wanted:
        raise Broken(f"{path} is damaged")


@contextlib.contextmanager
def new_table(folder: Path, stones: int) -> Iterator[memoryview]:
    """Yield the entries of a table that is to be written, under another name; it has its own when the context ends well.

    However else it ends, nothing of it is left. Raises OSError where there is no room or no right to write.
    """
    path = path_of(folder, stones)
    unfinished = path.with_suffix(UNFINISHED)
    try:
        with unfinished.open("w+b") as file:
            os.posix_fallocate(file.fileno(), 0, size_of(stones))  # an interrupt may come as early as here
            written = mmap.mmap(file.fileno(), 0)
            entries = memoryview(written)[BEGIN:].cast("H")
            yield entries
            crc = 0
            for begin in range(0, len(entries), _CHUNK):
                crc = zlib.crc32(entries[begin : begin + _CHUNK], crc)
            _HEADER.pack_into(written, 0, _MAGIC, VERSION, stones, len(entries), crc)
            written.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
