"""Session processes that come and go in order, while people play: shards move, and nobody may notice."""

import asyncio
import random

from loadtests.chaos.system import System

MIN_RUNNING = 1


class Handover:
    """Adds a session process at a place that is free, or ends one by SIGTERM; one of them at least stays."""

    name = "move"

    def __init__(self, system: System, dice: random.Random) -> None:
        self._system, self._dice = system, dice
        self.added = self.drained = 0

    async def strike(self) -> str:
        """Add one, or let one go; return when that is done."""
        running = self._system.sessions()
        free = [name for name in self._system.places if name not in running]
        if free and (len(running) <= MIN_RUNNING or self._dice.random() < 0.5):
            name = self._dice.choice(free)
            self._system.start(name)
            await asyncio.to_thread(self._system.wait, name)
            self.added += 1
            return f"add {name}: {len(running) + 1}"
        name = self._dice.choice(running)
        await asyncio.to_thread(self._system.end, name)
        self.drained += 1
        if name in self._system.sessions():  # the deployment's own comes back by itself
            await asyncio.to_thread(self._system.wait, name)
            self.added += 1
        return f"drain {name}: {len(self._system.sessions())}"

    async def heal(self) -> None:
        """Return when everything runs."""
        await asyncio.to_thread(self._system.wait_for_all)
