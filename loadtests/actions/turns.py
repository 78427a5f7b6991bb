"""Measures a game: windows of the system, of its yardsticks, and of what it is compared with, in turns."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loadtests.actions.figures import Result, Window
from loadtests.actions.measures import Measure
from loadtests.actions.pace import Pace
from loadtests.actions.systems import System, Windows

Side = tuple[list[Window], Windows]
"""A crowd that is measured in turns with others, and where its windows go."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How many windows there are and how long they take, in seconds."""

    windows: int
    seconds: float
    warm_up: float

    def cut(self, slices: int) -> "Timing":
        """Return so many times as many windows that take as long together."""
        return Timing(self.windows * slices, self.seconds / slices, self.warm_up / slices)


IDLE_TIMES = 5
"""Windows in which nobody acts are so many times as long: what happens then happens every this many seconds."""


async def measure(
    game: str,
    measure: Measure,
    system: System,
    yardsticks: Sequence[System],
    timing: Timing,
    say: Callable[[str], None],
) -> Result:
    """Return a measure of a game. Raises RuntimeError when the tables cannot begin."""
    own: list[Window] = []
    base: list[Window] = []
    others: dict[str, list[Window]] = {}
    faults: list[str] = []
    async with contextlib.AsyncExitStack() as stack:
        if measure.idle:
            empty = await stack.enter_async_context(system.crowd(0, measure.watchers, Pace()))
            await _rest([(base, empty)], timing, say)
        sides: list[Side] = []
        for yardstick in yardsticks:
            begun = await stack.enter_async_context(yardstick.crowd(measure.tables, measure.watchers, measure.pace()))
            sides.append((others.setdefault(yardstick.name, []), begun))
        if measure.base_watchers:
            begun = await stack.enter_async_context(system.crowd(measure.tables, measure.base_watchers, measure.pace()))
            sides.append((base, begun))
        own_crowd = system.crowd(measure.tables, measure.watchers, measure.pace(), rated=measure.rated)
        begun = await stack.enter_async_context(own_crowd)
        sides.append((own, begun))
        if measure.idle:
            await _rest(sides, timing, say)
        else:
            await _take_turns(sides, timing.cut(measure.slices), lambda line: say(f"{game}, {measure.name}, {line}"))
        for _, side in sides:
            faults += side.check()
    more = measure.watchers - measure.base_watchers if measure.base_watchers else 0
    return Result(game, measure.name, measure.what, own, others, base, more, faults)


async def _take_turns(sides: Sequence[Side], timing: Timing, say: Callable[[str], None]) -> None:
    """Fill the windows of each side, one after the other in every round, the last one being the first of the next."""
    for _, side in sides:  # nothing is compiled or cached at first
        await side.window(timing.seconds, 0.0)
    for number in range(timing.windows):
        for windows, side in sides if number % 2 == 0 else sides[::-1]:
            windows.append(await side.window(timing.seconds, timing.warm_up))
        done = ", ".join(f"{windows[-1].per_s:,.0f}/s, {windows[-1].per_cpu_s:,.0f} per CPU second" for windows, _ in sides)
        say(f"window {number + 1} of {timing.windows}: {done}")


async def _rest(sides: Sequence[Side], timing: Timing, say: Callable[[str], None]) -> None:
    """Fill the windows of all sides at the same time: who rests disturbs nobody."""
    seconds = IDLE_TIMES * timing.seconds
    await asyncio.sleep(timing.seconds)  # what beginning left to be done
    for number in range(timing.windows):
        for (windows, _), made in zip(sides, await asyncio.gather(*(side.rest(seconds) for _, side in sides)), strict=True):
            windows.append(made)
        loads = ", ".join(f"{100 * windows[-1].cores:.1f} % of a core" for windows, _ in sides)
        say(f"at rest, window {number + 1} of {timing.windows}: {loads}")
