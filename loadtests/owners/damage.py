"""Owners that are hurt: killed, stopped for a while, or cut off from the store while gateways still reach them."""

import asyncio
import contextlib
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import psutil

from loadtests.chaos.faults.network import Wire
from loadtests.chaos.system import System
from loadtests.owners.leases import Leases

REPLACED_S = 5.0
"""How soon others own what a hung or disconnected owner had."""
KILLED_S = 30.0
"""How long to check whether anybody owns what a killed process had."""

Mend = Callable[[], None]
Hurt = Callable[[str], tuple[str, Mend]]
"""Hurts the session process of a name; returns in a few words how, and what makes it well again."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How, whom and for how long, in seconds."""

    name: str
    hurt: Hurt
    victims: Callable[[], Sequence[str]]
    lasts_s: tuple[float, float]


class Damage:
    """Hurts one owner at a time, and measures after how long others own all that it had."""

    def __init__(self, system: System, leases: Leases, dice: random.Random, manner: Manner) -> None:
        self.name = manner.name
        self.replaced_s: list[float] = []
        """Infinity where nobody did. What was well again before others could know is not counted."""
        self.owned = 0
        """Shards that were owned by those who were hurt."""
        self._system, self._leases, self._dice, self._manner = system, leases, dice, manner
        self._going_on: asyncio.Task[None] | None = None

    async def strike(self) -> str:
        """Hurt one, unless another one still is."""
        if self._going_on and not self._going_on.done():
            return "one is hurt already"
        victim = self._dice.choice(sorted(self._manner.victims()))
        lasts_s = self._dice.uniform(*self._manner.lasts_s)
        owned = await self._leases.owners(self._system.places[victim].other)
        how, mend = self._manner.hurt(victim)
        self._going_on = asyncio.create_task(self._follow(owned, lasts_s, mend))
        for_so_long = f" for {lasts_s:.0f} s" if lasts_s else ""
        return f"{how} {victim}, who owns {len(owned)} shards{for_so_long}"

    async def heal(self) -> None:
        """Return when nobody is hurt any more and everything runs."""
        if self._going_on:
            await self._going_on
        await asyncio.to_thread(self._system.wait_for_all)

    async def _follow(self, owned: Mapping[int, str], lasts_s: float, mend: Mend) -> None:
        began = asyncio.get_running_loop().time()
        try:
            took_s = await self._leases.others_own(owned, lasts_s or KILLED_S)
            if owned and (took_s < math.inf or lasts_s == 0 or lasts_s >= REPLACED_S):
                self.owned += len(owned)
                self.replaced_s.append(took_s)
            await asyncio.sleep(max(0.0, began + lasts_s - asyncio.get_running_loop().time()))
        finally:
            mend()


def kill(system: System) -> Manner:
    """Return kill -9 of any session process; it is started again at once."""

    def hurt(name: str) -> tuple[str, Mend]:
        system.kill(name)
        return "kill", lambda: None

    return Manner("kill", hurt, system.sessions, (0.0, 0.0))


def stop(system: System, lasts_s: tuple[float, float]) -> Manner:
    """Return SIGSTOP and, later, SIGCONT of a session process that nobody replaces for being silent."""

    def hurt(name: str) -> tuple[str, Mend]:
        process = psutil.Process(system.pids()[name])
        process.suspend()

        def go_on() -> None:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()

        return "stop", go_on

    # The deployment's own is looked after by a launcher, who kills what hangs.
    return Manner("stop", hurt, lambda: [name for name in system.sessions() if name != "session"], lasts_s)


def cut(wires: Mapping[str, Wire], dice: random.Random, lasts_s: tuple[float, float]) -> Manner:
    """Return cutting one off from the store, to which each has a wire of its own."""

    def hurt(name: str) -> tuple[str, Mend]:
        mode = dice.choice(("hold", "refuse"))
        wires[name].tell(mode)
        return f"cut off ({mode})", lambda: wires[name].tell("pass")

    return Manner("cut", hurt, lambda: sorted(wires), lasts_s)
