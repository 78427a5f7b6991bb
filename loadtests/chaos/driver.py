"""One run: tables play, faults strike, everything heals, games end, and what was kept and seen is judged."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from loadtests.chaos import audit
from loadtests.chaos.clients import Clients, NoAnswer, Refused
from loadtests.chaos.evidence import Evidence
from loadtests.chaos.faults.fault import Fault
from loadtests.chaos.figures import Figures
from loadtests.chaos.judgement import Loss, judge, stalls, waits
from loadtests.chaos.ledger import Ledger
from loadtests.chaos.tables import Manner, Sitting, Table

BEGIN_S = 60.0
"""How long the first games may take to begin."""
CALM_S = 10.0
"""How soon after the last fault something must have happened at every table."""
END_S = 150.0
"""How long games may take to end when everybody gives up."""
ARCHIVE_S = 200.0
"""How long a finished game may take to be in the archive: the session service tries again after half a minute, and a clock that
was wrong when a game ended puts it off by as much."""
AUDITORS = 2
KNOWN_WITHIN_S = 10.0
"""How soon after a power cut every watcher knows what was lost."""


class Played(Protocol):
    """The system that is played on."""

    @property
    def endpoints(self) -> list[str]:
        """The gRPC targets of its gateways."""
        ...

    def archived(self) -> set[str]:
        """Return the sessions that its archive has."""
        ...


class Driver:
    """A run on a system that is there."""

    def __init__(
        self,
        system: Played,
        figures: Figures,
        faults: Sequence[Fault],
        losses: Sequence[Loss],
        *,
        tables: int,
        manner: Manner,
        seed: int,
        pause_s: tuple[float, float],
        single: bool,
        say: Callable[[str], None],
    ) -> None:
        self._system, self._figures, self._faults, self._losses = system, figures, faults, losses
        self._dice = random.Random(seed)
        self._pause_s, self._single, self._say = pause_s, single, say
        self._is_closing = False
        self._began_s = time.monotonic()
        self._played: asyncio.Queue[Sitting] = asyncio.Queue()
        self._finished: dict[str, float] = {}
        self._stalls: list[tuple[float, float, str]] = []
        self._struck: list[tuple[float, str]] = []
        self._clients = Clients(system.endpoints, figures)
        self._tables = [
            Table(number, self._clients, manner, lambda: self._is_closing, self._may_return, self._played.put_nowait, seed)
            for number in range(tables)
        ]

    async def run(self, seconds: float) -> None:
        """Play and hurt for some seconds; the figures are complete afterwards."""
        playing = [asyncio.create_task(table.play_on()) for table in self._tables]
        auditing = [asyncio.create_task(self._audit_on()) for _ in range(AUDITORS)]
        began = time.monotonic()
        while not all(self._is_playing(table) for table in self._tables):
            await asyncio.sleep(0.2)
            for task in playing:
                if task.done():
                    task.result()
            if time.monotonic() > began + BEGIN_S:
                break
        await self._hurt(time.monotonic() + seconds)
        await self._look_for_stuck_tables()
        self._is_closing = True
        _, late = await asyncio.wait(playing, timeout=END_S)
        for task, table in zip(playing, self._tables, strict=True):
            if task in late:
                assert table.sitting
                self._figures.add("stuck_at_end", f"{_name(table.sitting)}: {table.sitting.refusals[-3:]}")
                task.cancel()
        for result in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        await self._played.join()
        for task in auditing:
            task.cancel()
        await asyncio.gather(*auditing, return_exceptions=True)
        missing = await audit.not_archived(self._system.archived, self._finished.keys(), ARCHIVE_S)
        for session in missing:
            self._figures.add("not_archived", session)
        await self._clients.close()
        self._tell_stalls()

    async def _hurt(self, until_s: float) -> None:
        while self._faults and time.monotonic() < until_s:
            await asyncio.sleep(self._dice.uniform(*self._pause_s))
            fault = self._dice.choice(self._faults)
            how = await fault.strike()
            self._figures.faults += 1
            self._struck.append((time.monotonic(), how))
            self._say(how)
            if self._single:
                await fault.heal()
        await asyncio.sleep(max(0.0, until_s - time.monotonic()))
        for fault in self._faults:
            await fault.heal()
        self._say("all is healed")

    async def _look_for_stuck_tables(self) -> None:
        healed = time.monotonic()
        before = {id(table): table.sitting for table in self._tables}

        def has_gone_on(table: Table) -> bool:
            sitting = before[id(table)]
            return table.sitting is not sitting or (sitting is not None and _last_s(sitting) >= healed)

        while time.monotonic() < healed + CALM_S:
            if all(map(has_gone_on, self._tables)):
                return
            await asyncio.sleep(0.1)
        for table in self._tables:
            sitting = before[id(table)]
            if not has_gone_on(table) and (sitting is None or sitting.ledger.over_at_s is None):
                self._figures.add("stuck_10s_after", _name(sitting) if sitting else "a table without a game")

    def _is_playing(self, table: Table) -> bool:
        return table.sitting is not None and table.sitting.ledger.running_since_s is not None

    def _may_return(self, at_s: float) -> bool:
        """Return whether a power cut may take back what was seen at a time, and that is not known yet."""
        return any(loss.end_s >= at_s - 1 and time.monotonic() < loss.end_s + KNOWN_WITHIN_S for loss in self._losses)

    async def _audit_on(self) -> None:
        while True:
            sitting = await self._played.get()
            try:
                await self._audit(sitting)
            finally:
                self._played.task_done()

    async def _audit(self, sitting: Sitting) -> None:
        ledger, name = sitting.ledger, _name(sitting)
        try:
            evidence = await audit.evidence_of(self._clients, sitting)
        except NoAnswer as error:
            self._figures.add("gave_up", f"{name}: {error}")
            return
        except Refused as refused:
            if refused.reason == "REASON_UNKNOWN" and any(
                loss.begin_s <= ledger.created_at_s <= loss.end_s + 1 for loss in self._losses
            ):
                self._figures.lost_as_promised += 1
            else:
                self._figures.add("lost", f"{name}: {refused}; before: {sitting.refusals[-3:]}")
            return
        figures = judge(ledger, evidence, self._losses)
        figures.longest_wait_s = waits(ledger)
        for at_s, length_s in stalls(ledger, time.monotonic())[:3]:
            figures.longest_stall_s = max(figures.longest_stall_s, length_s)
            self._stalls.append((length_s, at_s, name + _until(ledger, evidence, at_s + length_s)))
        for watcher in sitting.watchers:
            if watcher.ended:
                figures.note(f"{name}: the watch of {watcher.watched.audience} ended: {watcher.ended}")
        self._finished[ledger.session_id] = time.monotonic()
        self._figures.include(figures)

    def _tell_stalls(self) -> None:
        for length_s, at_s, name in sorted(self._stalls, reverse=True)[:5]:
            meanwhile = [how for struck_s, how in self._struck if at_s - 15 <= struck_s <= at_s + length_s]
            after_s = at_s - self._began_s
            self._figures.note(
                f"{name} stood still for {length_s:.1f} s after {after_s:.1f} s: {'; '.join(meanwhile) or 'no fault'}"
            )


def _until(ledger: Ledger, evidence: Evidence, at_s: float) -> str:
    """Return in words what was noticed first at a time, or after it."""
    later = ((noticed_s, version) for version, noticed_s in ledger.noticed_at_s.items() if noticed_s >= at_s)
    _, version = min(later, default=(at_s, 0))
    entry = next((one for one in evidence.entries if one.version == version), None)
    return "" if entry is None else f", until version {version} of {f'seat {entry.actor - 1}' if entry.actor else 'nobody'},"


def _last_s(sitting: Sitting) -> float:
    return max(sitting.ledger.noticed_at_s.values(), default=0.0)


def _name(sitting: Sitting) -> str:
    computers = f" with {sitting.computers} computer" if sitting.computers else ""
    return f"{sitting.ledger.game} {sitting.ledger.session_id}{computers}"
