"""The work that pods have done: actions of session processes, calls of rules services, calls of gateways."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from loadtests.machines.pods import Pod

LOOK_S = 0.2
_LABELS: Mapping[str, Mapping[str, str]] = {"rules": {"method": "ApplyAction"}}
"""Which calls count; of other services, all do."""


def done(pod: Pod) -> float:
    """Return how much a pod has done since it began: actions of a session process, else calls that it has answered."""
    if pod.service == "session":
        return pod.series("brettwerk_actions_total")
    return pod.series("brettwerk_calls_total", **_LABELS.get(pod.service, {}))


def shards(pod: Pod) -> int:
    """Return how many shards a session process serves."""
    return int(pod.series("brettwerk_shards_owned"))


async def within(seconds: float, pods: Sequence[Pod]) -> dict[str, float]:
    """Return what each pod does within so many seconds."""
    before = await _all(pods)
    await asyncio.sleep(seconds)
    after = await _all(pods)
    return {name: after[name] - before[name] for name in after}


async def until(is_so: Callable[[], bool], within_s: float) -> float | None:
    """Return after how many seconds something was so; None when that took longer."""
    began = time.monotonic()
    while time.monotonic() - began < within_s:
        if await asyncio.to_thread(is_so):
            return round(time.monotonic() - began, 2)
        await asyncio.sleep(LOOK_S)
    return None


async def _all(pods: Sequence[Pod]) -> dict[str, float]:
    counts = await asyncio.gather(*(asyncio.to_thread(done, pod) for pod in pods))
    return {pod.name: count for pod, count in zip(pods, counts, strict=True)}
