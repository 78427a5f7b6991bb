"""Processes by what stands in their command lines."""

import contextlib
from collections.abc import Iterable

import psutil


def running(words: str, processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Return those with these words in their command lines; one that has ended, or ends while it is asked, has none."""
    found = []
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if words in " ".join(process.cmdline()):
                found.append(process)
    return found
