"""The needs of a run with certain kinds of faults: where its data lies, the settings of its processes, and the faults."""

import contextlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.local.folder import DataFolder, redis_password
from deploy.local.ports import Ports, choose
from deploy.local.redis import url
from loadtests.chaos.faults import clock
from loadtests.chaos.faults.disk import FullDisk, small_disk
from loadtests.chaos.faults.fault import Fault
from loadtests.chaos.faults.network import Cut, Wire
from loadtests.chaos.faults.power import PowerCut
from loadtests.chaos.faults.processes import Hang, Kill
from loadtests.chaos.judgement import Loss
from loadtests.chaos.system import SECOND, System
from loadtests.processes import free_port

KINDS = ("kill", "hang", "power", "disk", "clock", "cut")
CLOCKS = ("rules", "session", "ai", "worker", "gateway")
"""The processes whose clocks can jump."""


@dataclass(slots=True)
class Planned:
    """Preparations to start a system that certain faults can strike."""

    kinds: Sequence[str]
    folder: Path
    ports: Ports
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    wires: Mapping[str, Wire] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    """Grows as the power is cut, and as Redis ends while the disk is full."""

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    @property
    def two_sessions(self) -> bool:
        """Whether there are two session processes."""
        return "cut" in self.kinds

    def begin(self, system: System, dice: random.Random) -> list[Fault]:
        """Return the faults for a system that runs."""
        clocks = (*CLOCKS, SECOND) if self.two_sessions else CLOCKS
        made: Mapping[str, Callable[[], Fault]] = {
            "kill": lambda: Kill(system, dice),
            "hang": lambda: Hang(system, dice),
            "power": lambda: PowerCut(system, dice, self.losses),
            "disk": lambda: FullDisk(self.data, dice, lambda: system.deployment.pids().get("redis", 0), self.losses),
            "clock": lambda: clock.ClockJump(self.folder, clocks, dice),
            "cut": lambda: Cut(self.wires, dice),
        }
        return [made[kind]() for kind in self.kinds]


@contextlib.contextmanager
def planned(kinds: Sequence[str], folder: Path, seconds: float, say: Callable[[str], None]) -> Iterator[Planned]:
    """Make everything ready for a run. Kinds that this machine cannot do are left out, and that is said."""
    folder.mkdir(parents=True, exist_ok=True)
    able = list(kinds)
    with contextlib.ExitStack() as undo:
        if "disk" in able and (reason := undo.enter_context(small_disk(folder / "data", seconds))):
            say(f"left out: disk ({reason})")
            able.remove("disk")
        plan = Planned(able, folder, choose())
        if plan.two_sessions:
            with DataFolder(plan.data) as data:
                password = redis_password(data.secret_key())
            plan.wires = {name: undo.enter_context(Wire(free_port(), plan.ports.redis)) for name in ("session", SECOND)}
            for name, wire in plan.wires.items():
                plan.own.setdefault(name, {})["BRETTWERK_REDIS_URL"] = url(wire.listen, password, 0)
        if "clock" in able:
            for name in (*CLOCKS, SECOND):
                plan.own.setdefault(name, {}).update(clock.settings(folder / f"clock-{name}"))
        yield plan
