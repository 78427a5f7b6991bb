"""Runs in which owners move, or are hurt, while people play all four games; what was kept and seen is judged afterwards."""

import contextlib
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.local.folder import DataFolder, redis_password
from deploy.local.ports import Ports, choose
from deploy.local.redis import url
from loadtests.chaos.driver import Driver
from loadtests.chaos.faults.network import Wire
from loadtests.chaos.figures import Figures
from loadtests.chaos.system import System
from loadtests.chaos.tables import Manner
from loadtests.owners import damage
from loadtests.owners.damage import REPLACED_S, Damage
from loadtests.owners.handover import Handover
from loadtests.owners.leases import Leases
from loadtests.processes import free_port
from loadtests.run import Say

KINDS = ("move", "kill", "stop", "cut", "watchers")
CALM: Mapping[str, float] = {"move": 0.3, "watchers": 0.3}
"""How long a person thinks, in the mean, where it is not about full load."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run is made. Times in seconds; `think_s` None: as fits its kind."""

    kind: str
    seconds: float = 60.0
    sessions: int = 3
    gateways: int = 2
    tables: int = 16
    think_s: float | None = None
    pause_s: tuple[float, float] = (1.0, 4.0)
    lasts_s: tuple[float, float] = (1.0, 12.0)
    """How long an owner is stopped, or cut off: at least and at most."""
    seed: int = 1


@dataclass(slots=True)
class Outcome:
    """The results of a run."""

    plan: Plan
    figures: Figures = field(default_factory=Figures)
    moved: int = 0
    """Session processes that were added, and drained."""
    hurt: int = 0
    """Shards that were owned by those who were hurt."""
    replaced_s: list[float] = field(default_factory=list)
    """After how long others owned all that one had that was hurt."""

    def missed(self) -> list[str]:
        """Return a sentence for each bar that is missed, beside the figures that must be 0."""
        said: list[str] = []

        def must(holds: bool, sentence: str) -> None:
            if not holds:
                said.append(sentence)

        figures, kind = self.figures, self.plan.kind
        must(not figures.aheads_without_loss, f"{figures.aheads_without_loss} watchers were told of a loss that there was not")
        if kind in ("move", "watchers"):
            must(self.moved >= 2, f"{self.moved} session processes came or went")
            must(not figures.failures, f"{figures.failures.total()} calls failed")
            must(not figures.breaks, f"{figures.breaks.total()} watches broke off")
            must(not figures.gaps, f"{figures.gaps} watches began anew")
        else:
            must(bool(self.replaced_s), "nobody was hurt who owned anything, or for long enough")
            longest = max(self.replaced_s, default=0.0)
            must(longest <= REPLACED_S, f"others owned what one had who was hurt after {longest:.1f} s, not {REPLACED_S:.0f} s")
        return said

    def kept(self) -> dict[str, Any]:
        """Return it as JSON keeps it."""
        replaced = [None if math.isinf(one) else round(one, 2) for one in self.replaced_s]
        own = {"run": self.plan.kind, "moved": self.moved, "shards_hurt": self.hurt, "replaced_s": replaced}
        return own | {"figures": self.figures.shown()}

    def text(self) -> str:
        """Return it in a line for people."""
        longest = f"{max(self.replaced_s, default=0.0):.1f} of {len(self.replaced_s)}"
        return f"moved={self.moved} shards_hurt={self.hurt} longest_replaced_s={longest} {self.figures.line()}"


async def run(plan: Plan, system: System, wires: Mapping[str, Wire], figures: Figures, say: Say) -> Outcome:
    """Play and let happen what the plan says; the figures are complete afterwards."""
    outcome, dice = Outcome(plan, figures), random.Random(plan.seed)
    async with Leases(system.deployment.environment["BRETTWERK_REDIS_URL"]) as leases:
        lasts_s = plan.lasts_s
        manners = {
            "kill": damage.kill(system),
            "stop": damage.stop(system, lasts_s),
            "cut": damage.cut(wires, dice, lasts_s),
        }
        handover = Handover(system, dice)
        hurt = Damage(system, leases, dice, manners[plan.kind]) if plan.kind in manners else None
        think_s = CALM.get(plan.kind, 0.0) if plan.think_s is None else plan.think_s
        await Driver(
            system,
            figures,
            [hurt or handover],
            [],
            tables=plan.tables,
            manner=Manner(think_s=think_s, with_restless=plan.kind == "watchers"),
            seed=plan.seed,
            pause_s=plan.pause_s,
            single=True,
            say=say,
        ).run(plan.seconds)
    outcome.moved = handover.added + handover.drained
    if hurt:
        outcome.hurt, outcome.replaced_s = hurt.owned, hurt.replaced_s
    return outcome


@contextlib.contextmanager
def started(plan: Plan, folder: Path, figures: Figures) -> Iterator[tuple[System, Mapping[str, Wire]]]:
    """Start what a run needs: the system and, where it is cut, the wires from session processes to the store."""
    with contextlib.ExitStack() as undo:
        ports, data = choose(), folder / "data"
        wires, own = _wires(plan, ports, data, undo) if plan.kind == "cut" else ({}, {})
        # One place more than are there at first, so that one can come before one goes.
        places = plan.sessions + 1 if plan.kind in CALM else plan.sessions
        log = folder / "log"
        yield (
            undo.enter_context(
                System(data, figures, own, ports, log, sessions=plan.sessions, places=places, gateways=plan.gateways)
            ),
            wires,
        )


def _wires(
    plan: Plan, ports: Ports, folder: Path, undo: contextlib.ExitStack
) -> tuple[dict[str, Wire], dict[str, dict[str, str]]]:
    """Return a wire for each session process but the deployment's own, by name, and the settings that lead them over it."""
    with DataFolder(folder) as data:
        password = redis_password(data.secret_key())
    names = [f"session{number}" for number in range(2, plan.sessions + 1)]
    wires = {name: undo.enter_context(Wire(free_port(), ports.redis)) for name in names}
    return wires, {name: {"BRETTWERK_REDIS_URL": url(wire.listen, password, 0)} for name, wire in wires.items()}
