"""Pods that come and go in order while people play: a new one has something to do soon, a drained one nothing."""

import asyncio
import time
from collections.abc import Callable

from loadtests.chaos.figures import Figures
from loadtests.machines.cluster import Cluster
from loadtests.machines.outcome import Outcome
from loadtests.machines.people import people
from loadtests.machines.pod_counts import done, shards, until
from loadtests.machines.pods import Pod
from loadtests.run import Say

SOON_S = 10.0
"""How soon a new pod has something to do, and a drained one nothing."""
AUDITS = ("VerifySession", "ExportSession", "ListUpdates")
"""Calls that nobody who plays waits for. They replay whole games at a low priority, which may take long on a busy machine."""


class PodChanges:
    """Adds one pod after the other, and ends an older one for each."""

    name = "move"

    def __init__(self, cluster: Cluster, outcome: Outcome, say: Say) -> None:
        self._cluster, self._outcome, self._say = cluster, outcome, say

    async def strike(self) -> str:
        """Do all of it."""
        await self._add("session", 2, lambda pod: shards(pod) > 0 and done(pod) > 0)
        await self._add("rules", 1, lambda pod: done(pod) > 0)
        await self._drain(self._cluster.pods["session"][1], lambda pod: shards(pod) == 0)
        await self._drain(self._cluster.pods["rules"][0], _is_quiet())
        # Clients stay at a gateway until it goes.
        await asyncio.to_thread(self._cluster.add, "gateway", 3)
        await self._drain(self._cluster.pods["gateway"][1], lambda pod: pod.series("brettwerk_watch_streams") == 0)
        return "a pod of each service has come, and one has gone"

    async def heal(self) -> None:
        """Nothing is left to do."""

    async def _add(self, service: str, host: int, has_some: Callable[[Pod], bool]) -> None:
        """How much is its share shows when there is steady load (balance.py)."""
        pod = await asyncio.to_thread(self._cluster.add, service, host)
        took_s = await until(lambda: has_some(pod), 3 * SOON_S)
        self._say(f"{pod.name} had something after {took_s} s")
        self._outcome.kept[f"added_{service}"] = {"something_after_s": took_s}
        self._outcome.must(took_s is not None and took_s <= SOON_S, f"{pod.name} had nothing after {SOON_S:.0f} s")

    async def _drain(self, pod: Pod, has_nothing: Callable[[Pod], bool]) -> None:
        began = time.monotonic()
        ending = asyncio.create_task(asyncio.to_thread(self._cluster.drain, pod))
        empty_s = await until(lambda: pod.process.poll() is not None or has_nothing(pod), 3 * SOON_S)
        ended_s = await ending
        self._say(f"{pod.name} had nothing after {empty_s} s, and ended after {ended_s:.1f} s")
        code = pod.process.returncode
        self._outcome.kept[f"drained_{pod.service}"] = {
            "nothing_after_s": empty_s,
            "ended_after_s": round(ended_s, 1),
            "code": code,
        }
        self._outcome.must(empty_s is not None and empty_s <= SOON_S, f"{pod.name} still had something after {SOON_S:.0f} s")
        self._outcome.must(code == 0, f"{pod.name} ended with {code} after {time.monotonic() - began:.0f} s: {pod.last_words()}")


def _is_quiet() -> Callable[[Pod], bool]:
    """Return what finds out whether a pod has answered nothing since it was last asked."""
    before: list[float] = [-1.0]

    def is_quiet(pod: Pod) -> bool:
        now = done(pod)
        was, before[0] = before[0], now
        return now == was

    return is_quiet


async def move(cluster: Cluster, tables: int, say: Say) -> Outcome:
    """Let pods come and go while people play."""
    outcome = Outcome("move")
    figures: Figures = await people(cluster, [PodChanges(cluster, outcome, say)], 0, tables, say)
    outcome.take(figures)
    failed = {what: count for what, count in figures.failures.items() if not what.startswith(AUDITS)}
    outcome.must(not failed, f"calls failed: {failed}")
    return outcome
