"""Clocks that jump: the wall clock of one process is minutes wrong for a while (wrong_clock/sitecustomize.py)."""

import asyncio
import os
import random
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

MAX_S = 120
"""Parts whose clocks are more than ten minutes apart do not talk to each other (services/runtime/inner_calls.py)."""
_FOLDER = Path(__file__).with_name("wrong_clock")


def settings(file: Path) -> Mapping[str, str]:
    """Return what makes a Python process read the error of its clock from a file."""
    file.write_bytes(struct.pack("<q", 0))
    path = os.pathsep.join(one for one in (str(_FOLDER), os.environ.get("PYTHONPATH", "")) if one)
    return {"PYTHONPATH": path, "CHAOS_CLOCK": str(file)}


def set_error(file: Path, seconds: int) -> None:
    """Make a clock wrong by that many seconds. The file is written in place: processes have it mapped."""
    with file.open("r+b", buffering=0) as writer:
        writer.write(struct.pack("<q", seconds))


class ClockJump:
    """Lets a clock jump, and jump back."""

    name = "clock"

    def __init__(self, folder: Path, names: Iterable[str], dice: random.Random, max_s: float = 20.0) -> None:
        self._files = {name: folder / f"clock-{name}" for name in names}
        self._dice, self._max_s = dice, max_s
        self._wrong: dict[str, asyncio.Task[None]] = {}

    async def strike(self) -> str:
        """Let one jump."""
        name = self._dice.choice(sorted(self._files))
        if name in self._wrong and not self._wrong[name].done():
            return f"the clock of {name} is wrong already"
        error_s = self._dice.choice((-1, 1)) * self._dice.randint(45, MAX_S)
        seconds = self._dice.uniform(3, self._max_s)
        set_error(self._files[name], error_s)
        self._wrong[name] = asyncio.create_task(self._mend(self._files[name], seconds))
        return f"the clock of {name} is {error_s:+d} s wrong for {seconds:.0f} s"

    async def heal(self) -> None:
        """Return when all clocks are right."""
        await asyncio.gather(*self._wrong.values())

    async def _mend(self, file: Path, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:
            set_error(file, 0)
