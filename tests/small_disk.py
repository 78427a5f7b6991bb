"""A disk of a few megabytes for tests that fill it: a tmpfs of its own, which nobody else notices."""

import contextlib
import errno
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.surroundings import lacking

_BLOCK = bytes(64 * 1024)


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Yield a folder on a disk of that size. Only root may mount one: for others the test is skipped."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if os.geteuid():
        lacking("only root may mount a disk", "run it as root", optional=True)
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        lacking(f"no disk can be mounted: {mounted.stderr.strip()}", "in a container: --cap-add SYS_ADMIN", optional=True)
    try:
        yield folder
    finally:
        for _ in range(100):
            if subprocess.run(["umount", str(folder)], capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.1)  # a process that was killed still lets go of its files
        else:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Fill a disk to the last byte; returns the file that does, which a test removes to make room again."""
    file = folder / "filling"
    with file.open("ab", buffering=0) as writer:
        for size in (len(_BLOCK), 512, 1):
            with contextlib.suppress(_Full):
                while True:
                    _write(writer.fileno(), _BLOCK[:size])
    return file


class _Full(Exception):
    """The disk is full."""


def _write(descriptor: int, data: bytes) -> None:
    try:
        if os.write(descriptor, data) < len(data):
            raise _Full
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise _Full from None
