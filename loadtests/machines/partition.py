"""A host that is cut off from all others for a while: what it had is taken over, and it has its share again when it is back."""

import asyncio

from loadtests.machines.cluster import Cluster
from loadtests.machines.outcome import Outcome
from loadtests.machines.people import people
from loadtests.machines.pod_counts import done, shards, until
from loadtests.machines.wires import address
from loadtests.owners.leases import Leases
from loadtests.run import Say

REPLACED_S = 10.0
BACK_S = 10.0


class Partition:
    """Cuts hosts off, one after the other."""

    name = "cut"

    def __init__(self, cluster: Cluster, outcome: Outcome, lasts_s: float, say: Say) -> None:
        self._cluster, self._outcome, self._lasts_s, self._say = cluster, outcome, lasts_s, say

    async def strike(self) -> str:
        """Do all of it."""
        for host in (3, 2):
            await self._cut(host)
        return "two hosts have been cut off and are back"

    async def heal(self) -> None:
        """Connect all hosts."""
        for host in range(1, len(self._cluster.hosts)):
            self._cluster.wire.join(host)

    async def _cut(self, host: int) -> None:
        prefix = address(host, 0).removesuffix("0")
        (session,) = (pod for pod in self._cluster.pods["session"] if pod.address.startswith(prefix))
        rules = [pod for pod in self._cluster.pods["rules"] if pod.address.startswith(prefix)]
        async with Leases(self._cluster.store_url) as leases:
            owned = await leases.owners(f"{session.address}:7812")
            self._cluster.wire.cut(host)
            replaced_s = await leases.others_own(owned, 60)
        self._say(f"host {host} is cut off; others owned its {len(owned)} shards after {replaced_s:.1f} s")
        await asyncio.sleep(max(0.0, self._lasts_s - replaced_s))
        self._cluster.wire.join(host)
        back_s = await until(lambda: shards(session) > 0, 60)
        calls = {pod.name: done(pod) for pod in rules}
        called_s = await until(lambda: all(done(pod) > calls[pod.name] for pod in rules), 60)
        self._say(
            f"host {host} is back; it owned shards again after {back_s} s, and its rules were called after {called_s} s more"
        )
        self._outcome.kept[f"host_{host}"] = {
            "shards": len(owned),
            "replaced_s": round(replaced_s, 1),
            "back_s": back_s,
            "rules_called_s": called_s,
        }
        self._outcome.must(bool(owned), f"the session process of host {host} owned nothing")
        self._outcome.must(replaced_s <= REPLACED_S, f"others owned what host {host} had after {replaced_s:.1f} s")
        self._outcome.must(back_s is not None and back_s <= BACK_S, f"host {host} owned nothing {BACK_S:.0f} s after it was back")
        self._outcome.must(called_s is not None and called_s <= BACK_S, f"rules of host {host} were not called when it was back")
        ended = [pod.name for pods in self._cluster.pods.values() for pod in pods if pod.process.poll() is not None]
        self._outcome.must(not ended, f"processes have ended: {ended}")


async def cut(cluster: Cluster, lasts_s: float, tables: int, say: Say) -> Outcome:
    """Cut hosts off while people play."""
    outcome = Outcome("cut")
    outcome.take(await people(cluster, [Partition(cluster, outcome, lasts_s, say)], 0, tables, say))
    return outcome
