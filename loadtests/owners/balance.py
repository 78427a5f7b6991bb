"""How session processes share the load of very many tables: shards, actions and CPU time of each."""

import asyncio
import contextlib
import random
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.local.ports import choose
from loadtests.actions.__main__ import SETTINGS
from loadtests.actions.crowd import Crowd
from loadtests.actions.measures import GAMES
from loadtests.actions.pace import Thinking
from loadtests.actions.systems import Brettwerk
from loadtests.chaos.figures import Figures
from loadtests.chaos.system import System
from loadtests.metrics import read_all
from loadtests.processes import cpu_seconds
from loadtests.run import Say
from services.sharding.shards import SHARDS

_ACTIONS = "brettwerk_actions_total"
WITHIN = 0.15
"""How far the load of each may be from the mean."""
OWNED_WITHIN_S = 30.0
"""How long it may take at first until every shard is owned and all own alike."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How it is measured. Times in seconds."""

    sessions: Sequence[int] = (1, 2, 4)
    gateways: int = 2
    tables: int = 960
    think_s: float = 3.0
    seconds: float = 20.0
    warm_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Share:
    """The session processes' parts of the load, each by its name."""

    shards: Mapping[str, int]
    actions: Mapping[str, int]
    cpu_s: Mapping[str, float]
    accepted: int
    """Actions that were acknowledged to people in the window."""
    carried_out: int
    """Actions that session processes say they have carried out since they began."""
    acknowledged: int
    """Actions that were acknowledged to people since then."""

    def missed(self) -> list[str]:
        """Return a sentence for each bar that is missed."""
        said = []
        for what, values in (("actions", self.actions), ("CPU time", self.cpu_s)):
            if (off := furthest(list(values.values()))) > WITHIN:
                said.append(f"{len(values)} session processes: {what} of one is {off:.0%} from the mean")
        return said + self.wrong()

    def wrong(self) -> list[str]:
        """Return what must not be, however the load is shared."""
        said = []
        if sum(self.shards.values()) != SHARDS or max(self.shards.values()) - min(self.shards.values()) > 1:
            said.append(f"shards are owned by {dict(self.shards)}")
        if self.carried_out != self.acknowledged:
            said.append(f"{self.carried_out} actions were carried out, and {self.acknowledged} acknowledged")
        return said

    def text(self) -> str:
        """Return it in a line for people."""
        one_action_us = 1e6 * sum(self.cpu_s.values()) / max(1, self.accepted)
        parts = (
            f"{name} {count} shards, {self.actions[name]:,} actions, {self.cpu_s[name]:.2f} s"
            for name, count in self.shards.items()
        )
        off = f"actions within {furthest(list(self.actions.values())):.1%}, CPU within {furthest(list(self.cpu_s.values())):.1%}"
        return f"{len(self.shards)}: {'; '.join(parts)}; {off}; {one_action_us:,.0f} µs of them all an action"


@dataclass(slots=True)
class Outcome:
    """The results, by how many session processes there were."""

    shares: list[Share] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def missed(self) -> list[str]:
        """Return a sentence for each bar that is missed."""
        return [sentence for share in self.shares for sentence in share.missed()]

    def kept(self) -> dict[str, Any]:
        """Return it as JSON keeps it."""
        shares = [
            {"shards": dict(one.shards), "actions": dict(one.actions), "cpu_s": dict(one.cpu_s), "accepted": one.accepted}
            | {"actions_off": furthest(list(one.actions.values())), "cpu_off": furthest(list(one.cpu_s.values()))}
            for one in self.shares
        ]
        return {"run": "share", "shares": shares, "faults": self.faults}


def furthest(values: Sequence[float]) -> float:
    """Return how far the one that is furthest from the mean is away from it, as a share of the mean."""
    mean = statistics.mean(values)
    return max(abs(value - mean) for value in values) / mean if mean else 0.0


async def measure(plan: Plan, folder: Path, say: Say) -> Outcome:
    """Measure it with each number of session processes, one after the other."""
    outcome, figures = Outcome(), Figures()
    for number in plan.sessions:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            data, log = Path(own) / "data", Path(own) / "log"
            ports = choose()
            system = System(data, figures, {}, ports, log, sessions=number, gateways=plan.gateways, settings=SETTINGS)
            with system:
                share, faults = await _share(plan, system, say)
        outcome.shares.append(share)
        outcome.faults += [*faults, *share.wrong(), *figures.findings.get("tracebacks", [])]
        say(share.text())
    return outcome


async def _share(plan: Plan, system: System, say: Say) -> tuple[Share, list[str]]:
    until = time.monotonic() + OWNED_WITHIN_S
    shards: dict[str, float] = {}
    while sum(shards.values()) != SHARDS and time.monotonic() < until:
        shards = await _numbers(system, "brettwerk_shards_owned")
    async with contextlib.AsyncExitStack() as stack:
        crowds: list[Crowd] = []
        for number, game in enumerate(GAMES):
            endpoint = system.web_endpoints[number % len(system.web_endpoints)]
            pace = Thinking(plan.think_s, random.Random(number))
            begun = await stack.enter_async_context(
                Brettwerk(endpoint, system.pids, game).crowd(plan.tables // len(GAMES), 2, pace)
            )
            assert isinstance(begun, Crowd)
            crowds.append(begun)
        say(f"{plan.tables} tables have begun")
        for crowd in crowds:
            crowd.pace.resume()
        await asyncio.sleep(plan.warm_s)
        pids = {name: pid for name, pid in system.pids().items() if name in system.places}
        before, spent, accepted = await _numbers(system, _ACTIONS), cpu_seconds(pids), _accepted(crowds)
        await asyncio.sleep(plan.seconds)
        after, spent_then, accepted_then = await _numbers(system, _ACTIONS), cpu_seconds(pids), _accepted(crowds)
        for crowd in crowds:
            crowd.pace.pause()
        for crowd in crowds:
            await crowd.until_idle()
        share = Share(
            shards={name: int(count) for name, count in (await _numbers(system, "brettwerk_shards_owned")).items()},
            actions={name: int(after[name] - before[name]) for name in after},
            cpu_s={name: round(spent_then[name] - spent[name], 3) for name in spent},
            accepted=accepted_then - accepted,
            carried_out=int(sum((await _numbers(system, _ACTIONS)).values())),
            acknowledged=_accepted(crowds),
        )
        return share, [fault for crowd in crowds for fault in crowd.check()]


def _accepted(crowds: Sequence[Crowd]) -> int:
    return sum(crowd.score.accepted for crowd in crowds)


async def _numbers(system: System, series: str) -> dict[str, float]:
    """Return the sum of a series, whatever its labels, of each session process."""
    read = [read_all([system.places[name].metrics], series.removesuffix("_total")) for name in system.sessions()]
    return {name: found.total(series) for name, found in zip(system.sessions(), await asyncio.gather(*read), strict=True)}
