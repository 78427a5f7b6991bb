"""Networks that are cut: each of two session processes reaches Redis through a proxy of its own, which may let nothing pass."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Mapping
from typing import Self


class Wire:
    """A process that passes connections on to a port of this machine, or does not (proxy.py)."""

    def __init__(self, listen: int, target: int) -> None:
        command = [sys.executable, "-m", "loadtests.chaos.proxy", str(listen), str(target)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE)  # noqa: S603
        self.listen = listen

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdin
        self._process.stdin.close()

    def tell(self, mode: str) -> None:
        """Let it `pass` everything, `hold` everything, or `refuse` connections."""
        assert self._process.stdin
        self._process.stdin.write(mode.encode() + b"\n")
        self._process.stdin.flush()


class Cut:
    """Cuts one of the wires, and mends it."""

    name = "cut"

    def __init__(self, wires: Mapping[str, Wire], dice: random.Random, min_s: float = 3.0, max_s: float = 12.0) -> None:
        self._wires, self._dice = wires, dice
        self._min_s, self._max_s = min_s, max_s
        self._cut: dict[str, asyncio.Task[None]] = {}

    async def strike(self) -> str:
        """Cut one that is whole."""
        whole = [name for name in sorted(self._wires) if name not in self._cut or self._cut[name].done()]
        if len(whole) < len(self._wires):
            return "one is cut off already"
        name, mode = self._dice.choice(whole), self._dice.choice(("hold", "refuse"))
        seconds = self._dice.uniform(self._min_s, self._max_s)
        self._wires[name].tell(mode)
        self._cut[name] = asyncio.create_task(self._mend(name, seconds))
        return f"{name} is cut off from Redis for {seconds:.0f} s ({mode})"

    async def heal(self) -> None:
        """Return when nothing is cut."""
        await asyncio.gather(*self._cut.values())

    async def _mend(self, name: str, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:
            self._wires[name].tell("pass")
