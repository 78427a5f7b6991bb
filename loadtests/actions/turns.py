"""Measures a game: windows of the system, of its yardstick, and of what it is compared with, in turns."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from loadtests.actions.figures import Result, Window
from loadtests.actions.measures import Measure
from loadtests.actions.pace import Pace
from loadtests.actions.systems import System, Windows


@dataclass(frozen=True, slots=True)
class Timing:
    """How many windows there are and how long they take, in seconds."""

    windows: int
    seconds: float
    warm_up: float


async def measure(
    game: str, measure: Measure, system: System, yardstick: System | None, timing: Timing, say: Callable[[str], None]
) -> Result:
    """Return a measure of a game. Raises TimeoutError when the tables cannot begin."""
    own: list[Window] = []
    base: list[Window] = []
    other: list[Window] = []
    faults: list[str] = []
    async with contextlib.AsyncExitStack() as stack:
        if measure.idle:
            empty = await stack.enter_async_context(system.crowd(0, measure.watchers, Pace()))
            base = [await empty.rest(timing.seconds) for _ in range(timing.windows)]
        sides: list[tuple[list[Window], Windows]] = []
        if yardstick is not None:
            begun = await stack.enter_async_context(yardstick.crowd(measure.tables, measure.watchers, measure.pace()))
            sides.append((other, begun))
        if measure.base_watchers:
            begun = await stack.enter_async_context(system.crowd(measure.tables, measure.base_watchers, measure.pace()))
            sides.append((base, begun))
        begun = await stack.enter_async_context(system.crowd(measure.tables, measure.watchers, measure.pace()))
        sides.append((own, begun))
        if not measure.idle:
            for _, side in sides:  # nothing is compiled or cached at first
                await side.window(timing.seconds, 0.0)
        for number in range(timing.windows):
            for windows, side in sides:
                if measure.idle:
                    windows.append(await side.rest(timing.seconds))
                else:
                    windows.append(await side.window(timing.seconds, timing.warm_up))
            done = ", ".join(f"{windows[-1].per_s:,.0f}/s, {windows[-1].per_cpu_s:,.0f} per CPU second" for windows, _ in sides)
            say(f"{game}, {measure.name}, window {number + 1} of {timing.windows}: {done}")
        for _, side in sides:
            faults += side.check()
    more = measure.watchers - measure.base_watchers if measure.base_watchers else 0
    return Result(game, measure.name, measure.what, own, other, base, more, faults)
