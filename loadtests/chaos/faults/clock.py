"""Clocks that jump: the wall clock of one process is minutes wrong for a while (libfaketime; monotonic clocks go on)."""

import asyncio
import glob
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

MOST_S = 600


def library() -> str:
    """Return libfaketime's file; empty when it is not installed (apt-get install libfaketime)."""
    return next(iter(sorted(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1"))), "")


def settings(file: Path) -> Mapping[str, str]:
    """Return what makes a process read the error of its clock from a file, within a second."""
    file.write_text("+0")
    return {
        "LD_PRELOAD": library(),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }


class ClockJump:
    """Lets a clock jump, and jump back."""

    name = "clock"

    def __init__(self, folder: Path, names: Iterable[str], dice: random.Random, most_s: float = 20.0) -> None:
        self._files = {name: folder / f"clock-{name}" for name in names}
        self._dice, self._most_s = dice, most_s
        self._wrong: dict[str, asyncio.Task[None]] = {}

    async def strike(self) -> str:
        """Let one jump."""
        name = self._dice.choice(sorted(self._files))
        if name in self._wrong and not self._wrong[name].done():
            return f"the clock of {name} is wrong already"
        error_s = self._dice.choice((-1, 1)) * self._dice.randint(60, MOST_S)
        seconds = self._dice.uniform(3, self._most_s)
        self._files[name].write_text(f"{error_s:+d}")
        self._wrong[name] = asyncio.create_task(self._mend(self._files[name], seconds))
        return f"the clock of {name} is {error_s:+d} s wrong for {seconds:.0f} s"

    async def heal(self) -> None:
        """Return when all clocks are right."""
        await asyncio.gather(*self._wrong.values())
        await asyncio.sleep(1)

    async def _mend(self, file: Path, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:
            file.write_text("+0")  # noqa: ASYNC240 - a few bytes
