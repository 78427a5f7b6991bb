"""Lets very many moves be wanted that nobody thinks about, and measures what keeping them costs.

The one worker that there is has one place, and sleeps on each move for as long as the level allows: it lives, and does next to
nothing. The broker is a Redis of its own, so that what the scheduler does there can be told from the store of the sessions.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from loadtests.computers.guest import Guest
from loadtests.computers.mix import Company, Kind
from loadtests.computers.notes import Notes, now
from loadtests.computers.system import BROKER, System
from loadtests.computers.tables import Table
from loadtests.crowd.endpoints import Endpoints
from loadtests.markdown import table

SCHEDULER = ("ai", BROKER)
SCHEDULER_CORES = 0.05
KIND = Kind("einstein", "depth", 2, Company.NOBODY, 1)
"""The level that thinks longest."""
TABLES_OF_A_FOUNDER = 100
"""A player may have twice as many."""
NOTED_S = 120.0
"""How long it may take until all are noted."""


@dataclass(slots=True)
class Outcome:
    """The findings of a run."""

    conditions: Mapping[str, str]
    tables: int = 0
    wanted: int = 0
    """As the AI service says."""
    created_per_s: float = 0.0
    idle_cores: Mapping[str, float] = field(default_factory=dict)
    """CPU seconds a second of each process before there was any table."""
    cores: Mapping[str, float] = field(default_factory=dict)
    """With all of them wanted."""
    noted_per_s: float = 0.0
    """As the services count."""

    def kept(self) -> dict[str, Any]:
        """Return it as JSON keeps it."""
        return asdict(self)

    @property
    def scheduler_cores(self) -> float:
        """The cores that the AI service and the broker take together."""
        return sum(self.cores.get(process, 0.0) for process in SCHEDULER)

    def missed(self) -> list[str]:
        """Return a sentence for each bar that is missed."""
        said = []
        if self.scheduler_cores >= SCHEDULER_CORES:
            said.append(f"{self.tables} wants cost the scheduler {self.scheduler_cores:.3f} cores, not {SCHEDULER_CORES}")
        if self.wanted < 0.99 * self.tables:
            said.append(f"{self.wanted} of {self.tables} are wanted")
        return said

    def table(self) -> str:
        """Return it as Markdown."""
        rows = [(process, f"{self.idle_cores.get(process, 0):.3f}", f"{cores:.3f}") for process, cores in self.cores.items()]
        rows.append((f"scheduler ({' and '.join(SCHEDULER)})", "", f"{self.scheduler_cores:.3f}"))
        return (
            f"{self.wanted:,} moves of {self.tables:,} tables were wanted and not thought about; "
            f"{self.created_per_s:,.0f} tables a second were created; {self.noted_per_s:.1f} moves a second were noted.\n\n"
            + table(("process", "cores with no table", "cores"), rows)
        )


async def stand(
    system: System, tables: int, seconds: float, rest_s: float, conditions: Mapping[str, str], say: Callable[[str], None]
) -> Outcome:
    """Found so many tables and return what they cost while nothing happens."""
    outcome, notes = Outcome(conditions, tables), Notes()
    endpoints = Endpoints("websocket", system.deployment.grpc_address, system.deployment.web_address)
    await asyncio.sleep(rest_s / 10)
    outcome.idle_cores = await _cores(system, seconds / 4)
    shares = [min(TABLES_OF_A_FOUNDER, tables - first) for first in range(0, tables, TABLES_OF_A_FOUNDER)]
    hosts = [Guest(endpoints, f"Host {number}", number + 1, notes) for number in range(len(shares))]
    began = now()
    await asyncio.gather(*(_create(host, share, notes) for host, share in zip(hosts, shares, strict=True)))
    outcome.created_per_s = tables / (now() - began)
    say(f"{tables} tables, {outcome.created_per_s:.0f} a second")
    until = now() + NOTED_S
    while (wanted := await _wanted(system)) < 0.99 * tables and now() < until:  # noqa: ASYNC110 - another process counts
        await asyncio.sleep(1)
    say(f"{wanted} moves are wanted after {now() - began:.0f} s")
    await asyncio.sleep(rest_s)
    before = await system.series()
    outcome.cores = await _cores(system, seconds)
    grown = (await system.series()).minus(before)
    outcome.noted_per_s = grown.total("brettwerk_ai_attempts_total", outcome="noted") / seconds
    outcome.wanted = await _wanted(system)
    await asyncio.gather(*(host.close() for host in hosts))
    await endpoints.close()
    return outcome


async def _create(host: Guest, tables: int, notes: Notes) -> None:
    for _ in range(tables):
        await Table(host, KIND, notes).create()


async def _wanted(system: System) -> int:
    return int((await system.series("ai")).total("brettwerk_ai_wanted"))


async def _cores(system: System, seconds: float) -> dict[str, float]:
    before, began = system.cpu_s(), now()
    await asyncio.sleep(seconds)
    took = now() - began
    return {process: (spent - before.get(process, 0.0)) / took for process, spent in system.cpu_s().items()}
