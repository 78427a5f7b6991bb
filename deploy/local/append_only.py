"""The append-only file of a store, read without a server: which files it consists of, and up to which byte they are whole.

A manifest names a base (a snapshot with a checksum, or writes) and any number of increments after it, in this order. Writes are
commands in RESP, whole transactions, and lines that begin with "#" (Redis 7: src/aof.c). Redis itself says only that a file is
bad, takes a damaged length for a write that was cut off, and then drops everything that follows.
"""

import mmap
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
Commands: TypeAlias = Mapping[bytes, int]
"""The commands that a server knows, in capitals, with their arity as `COMMAND` says it."""
IsSound: TypeAlias = Callable[[Sequence[bytes]], bool]
"""Whether a command, with its arguments, can be what was once written."""

_NAME = re.compile(r"appendonly\.aof\.(\d+)\.(base\.(?:rdb|aof)|incr\.aof)")
_LINE = re.compile(r"file (\S+) seq (\d+) type ([bih])(?: startoffset \d+)?(?: endoffset \d+)?")
_SNAPSHOTS = (b"REDIS", b"VALKEY")
_BEGINS = re.compile(rb"\*[1-9]\d{0,6}\r\n\$[1-9]\d{0,3}\r\n[A-Za-z]")
_NUMBER_BYTES = 12
_ZEROS = 64
"""So many zeros at the end of a file were written by nobody."""
ZERO_BLOCK = bytes(4096)
"""A block of a disk that was never written to. No value has so many zeros side by side."""
_NO_WRITES = (b"SELECT", b"MULTI", b"EXEC")


@dataclass(frozen=True, slots=True)
class Files:
    """The files of an append-only file."""

    base: Path | None
    increments: tuple[Path, ...]

    @property
    def all(self) -> tuple[Path, ...]:
        """All files, in the order in which a server reads them."""
        return ((self.base,) if self.base else ()) + self.increments


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage, and the writes that are lost when it is mended: everything after `whole`."""

    file: Path
    what: str
    """Goes on with the sentence "appendonly.aof.1.incr.aof ..."."""
    whole: int = 0
    """The bytes at the beginning of the file that are sound."""
    lost_bytes: int = 0
    """Of this file and those after it."""
    lost_writes: int = 0
    """Commands that can still be recognised among them; they build on what is not there."""
    is_cut: bool = False
    """Whether only the last write is not all there: what a server leaves that ends while it writes."""
    kept: Files | None = None
    """The files that are left when it is mended; None when nothing can be mended."""

    @property
    def sentence(self) -> str:
        """The damage, and the loss by mending it, without a full stop."""
        said = f"{self.file.name} {self.what}"
        if self.kept is None:
            return f"{said}: nothing of it can be mended, restore a backup"
        if not self.lost_bytes:
            return f"{said}; mending it loses nothing"
        number = f"{self.lost_writes:,}" if self.lost_writes else "no"
        writes = "whole write" if self.lost_writes < 2 else "whole writes"
        return f"{said}; mending it loses these {self.lost_bytes:,} bytes, with {number} {writes} among them"


class _Fault(Exception):
    """Where reading ends: what begins at `at` is no write, or `is_short`, not all of one."""

    def __init__(self, at: int, what: str, *, is_short: bool = False) -> None:
        self.at, self.what, self.is_short = at, what, is_short


class _Command(NamedTuple):
    arguments: list[bytes]
    end: int


def find_damage(folder: Path, commands: Commands, is_sound: IsSound = lambda _: True) -> Damage | None:
    """Return the first damage of the files in a store's folder, or None. Raises OSError when they cannot be read.

    A base that is a snapshot is not read: its checksum is for a server to find right.
    """
    files = named_files(folder)
    if isinstance(files, Damage):
        return files
    for at, file in enumerate(files.all):
        if damage := _damage_of(file, files, at, commands, is_sound):
            return damage
    return None


def named_files(folder: Path) -> Files | Damage:
    """Return the files that the manifest in a store's folder names, all of which are there; or what is wrong with it."""
    manifest = folder / FOLDER / MANIFEST
    there = _files_there(manifest.parent)
    text = manifest.read_text(errors="replace") if manifest.exists() else ""
    if not manifest.exists() and not there.all:
        return there
    named = [_LINE.fullmatch(line) for line in text.splitlines() if not line.startswith("#")]
    if not all(named) or not any(named):
        what = "is damaged" if text.strip("\0 \n") else "is empty" if manifest.exists() else "is missing"
        return Damage(manifest, what, kept=there if there.base else None)
    listed = sorted((int(line[2]), line[1], line[3]) for line in named if line and line[3] != "h")
    bases = [manifest.with_name(name) for _, name, kind in listed if kind == "b"]
    increments = [manifest.with_name(name) for _, name, kind in listed if kind == "i"]
    if any(not base.exists() for base in bases):
        return Damage(manifest, f"names {bases[0].name}, which is not there", kept=None)
    files = Files(bases[0] if bases else None, tuple(increments))
    for at, file in enumerate(increments):
        if not file.exists():
            rest = [later for later in increments[at:] if later.exists()]
            kept = Files(files.base, tuple(increments[:at]))
            return Damage(manifest, f"names {file.name}, which is not there", lost_bytes=_size_of(rest), kept=kept)
    return files


def mend(damage: Damage) -> None:
    """Cut off what is damaged, and have the manifest name what is left. Raises ValueError when nothing can be mended."""
    if damage.kept is None:
        raise ValueError(damage.sentence)
    if damage.file.name != MANIFEST:
        with damage.file.open("r+b") as damaged:
            damaged.truncate(damage.whole)
            os.fsync(damaged.fileno())
    folder = damage.file.parent
    lines = []
    for file in damage.kept.all:
        match = _NAME.fullmatch(file.name)
        number, kind = (match[1], match[2][0]) if match else ("1", "b" if file == damage.kept.base else "i")
        lines.append(f"file {file.name} seq {number} type {kind}\n")
    fresh = folder / f"temp-{MANIFEST}"
    with fresh.open("w") as writer:
        writer.write("".join(lines))
        writer.flush()
        os.fsync(writer.fileno())
    fresh.replace(folder / MANIFEST)
    for file in folder.iterdir():
        if _NAME.fullmatch(file.name) and file not in damage.kept.all:
            file.unlink()


def _files_there(folder: Path) -> Files:
    """Return the files that belong together, by their names alone.

    A base that was written anew replaces all increments but the last, which was begun with it.
    """
    files = folder.iterdir() if folder.is_dir() else ()
    found = [(int(match[1]), match[2], file) for file in files if (match := _NAME.fullmatch(file.name))]
    bases = sorted((number, file) for number, kind, file in found if kind.startswith("base"))
    increments = [file for _, file in sorted((number, file) for number, kind, file in found if kind.startswith("incr"))]
    if len(bases) > 1:
        increments = increments[-1:]
    return Files(bases[-1][1] if bases else None, tuple(increments))


def _damage_of(file: Path, files: Files, at: int, commands: Commands, is_sound: IsSound) -> Damage | None:
    later = files.all[at + 1 :]
    with _bytes_of(file) as data:
        if file == files.base and bytes(data[: max(map(len, _SNAPSHOTS))]).startswith(_SNAPSHOTS):
            return None
        whole, fault = _read(data, commands, is_sound)
        if fault is None:
            return None
        size = len(data)
        zeros = _zeros_at_end(data, whole)
        writes = sum(1 for _ in _writes_after(data, fault.at + 1, commands, is_sound))
    is_zeros = zeros >= _ZEROS or whole + zeros == size
    is_cut = fault.is_short and not is_zeros and not writes and not later
    what = "holds only zeros" if is_zeros and whole + zeros == size else "ends in zeros" if is_zeros else fault.what
    for other in later:
        with _bytes_of(other) as data:
            writes += sum(1 for _ in _writes_after(data, 0, commands, is_sound))
    return Damage(
        file,
        f"{what} from byte {whole:,} of {size:,}",
        whole,
        size - whole + _size_of(later),
        writes,
        is_cut,
        Files(files.base, tuple(increment for increment in files.increments if increment not in later)),
    )


def _read(data: mmap.mmap | bytes, commands: Commands, is_sound: IsSound) -> tuple[int, _Fault | None]:
    """Return up to where all writes are whole, and what is wrong with the next; None at the end of the file."""
    at = whole = 0
    in_transaction = False
    try:
        while at < len(data):
            if data[at] == ord("#"):
                end = data.find(b"\r\n", at, at + 1024)
                if end < 0:
                    raise _Fault(at, "is damaged", is_short=len(data) - at < 1024)
                at = end + 2
            else:
                command = _command(data, at)
                name = command.arguments[0].upper()
                if not _can_be_written(command.arguments, commands, is_sound):
                    raise _Fault(at, "is damaged")
                in_transaction = (in_transaction or name == b"MULTI") and name != b"EXEC"
                at = command.end
            if not in_transaction:
                whole = at
        if in_transaction:
            raise _Fault(at, "ends in the middle of a write", is_short=True)
    except _Fault as fault:
        return whole, fault
    return whole, None


def _can_be_written(arguments: Sequence[bytes], commands: Commands, is_sound: IsSound) -> bool:
    arity = commands.get(arguments[0].upper(), 0)
    is_known = len(arguments) == arity if arity > 0 else bool(arity) and len(arguments) >= -arity
    return is_known and not any(ZERO_BLOCK in argument for argument in arguments) and is_sound(arguments)


def _command(data: mmap.mmap | bytes, at: int) -> _Command:
    """Return the command that begins there. Raises _Fault when there is none, or not all of one."""
    count, place = _number(data, at, at, ord("*"))
    if not count:
        raise _Fault(at, "is damaged")
    arguments = []
    for _ in range(count):
        length, place = _number(data, at, place, ord("$"))
        end = place + length
        if data[end : end + 2] != b"\r\n":
            if end + 2 > len(data) and data[end:].startswith(b"\r"[: len(data) - end]):
                raise _Fault(at, "ends in the middle of a write", is_short=True)
            raise _Fault(at, "is damaged")
        arguments.append(data[place:end])
        place = end + 2
    return _Command(arguments, place)


def _number(data: mmap.mmap | bytes, begin: int, at: int, mark: int) -> tuple[int, int]:
    """Return the number of a line that begins with a mark, and where the next one begins."""
    if at >= len(data):
        raise _Fault(begin, "ends in the middle of a write", is_short=True)
    end = data.find(b"\r\n", at, at + _NUMBER_BYTES)
    digits = data[at + 1 : end] if end >= 0 else b""
    if data[at] != mark or (end >= 0 and not digits.isdigit()):
        raise _Fault(begin, "is damaged")
    if end < 0:
        rest = data[at + 1 :].rstrip(b"\r") if len(data) - at < _NUMBER_BYTES else b"?"
        if rest and not rest.isdigit():
            raise _Fault(begin, "is damaged")
        raise _Fault(begin, "ends in the middle of a write", is_short=True)
    return int(digits), end + 2


def _writes_after(data: mmap.mmap | bytes, at: int, commands: Commands, is_sound: IsSound) -> Iterator[int]:
    """Yield where whole writes begin that can be recognised, whatever stands between them."""
    while match := _BEGINS.search(data, at):
        at = match.start()
        try:
            command = _command(data, at)
        except _Fault:
            at += 1
            continue
        if not _can_be_written(command.arguments, commands, is_sound):
            at += 1
            continue
        if command.arguments[0].upper() not in _NO_WRITES:
            yield at
        at = command.end


def _zeros_at_end(data: mmap.mmap | bytes, after: int) -> int:
    """Return how many zeros a file ends with, at most all that come after a byte."""
    at, step = len(data), 65536
    while at > after:
        block = data[max(after, at - step) : at]
        left = len(block.rstrip(b"\0"))
        if left:
            return len(data) - at + len(block) - left
        at -= len(block)
    return len(data) - after


def _size_of(files: Sequence[Path]) -> int:
    return sum(file.stat().st_size for file in files)


@contextmanager
def _bytes_of(file: Path) -> Iterator[mmap.mmap | bytes]:
    with file.open("rb") as reader:
        if not os.fstat(reader.fileno()).st_size:
            yield b""
            return
        with mmap.mmap(reader.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data
