"""The common part of machines of hypothesis at a table of the session service: two processes on one store, and one session."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from services.runtime.refusal import Refused
from services.session.domain.state import State
from services.session.store import store
from tests.night import examples
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.running import running_rules
from tests.services.session.table import Table

T = TypeVar("T")
_NO_OUTAGE_MS = 100 * 86_400_000


class TableMachine(RuleBasedStateMachine):
    """A machine whose first rule creates `session`. In the end the session's state is what its log says."""

    redis_url = ""
    folder = ""
    session: str

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.run(self._open())

    def run(self, work: "Coroutine[Any, Any, T]") -> T:
        return self.runner.run(work)

    def teardown(self) -> None:
        self.run(self._close())
        self.runner.close()

    async def _open(self) -> None:
        self.rules_process = running_rules()
        self.table = Table(self.redis_url, await self.rules_process.__aenter__(), f"sqlite:///{self.folder}/archive.sqlite3")
        await self.table.open()
        await self.table.another_process()

    async def _close(self) -> None:
        await check_rebuilt(self.table, self.session)
        await self.table.close()
        await self.rules_process.__aexit__(None, None, None)

    async def _state(self) -> State:
        return (await self.table.owner(self.session).session_cache.newest(self.session)).state

    def _attempt(self, work: "Coroutine[Any, Any, object]") -> bool:
        """Do what may be refused, and return whether it was done."""
        try:
            self.run(work)
        except Refused:
            return False
        return True


def check_machine(
    machine: type[TableMachine], redis_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, steps: int
) -> None:
    """Run a machine in which time passes without an outage that clocks would be stopped for."""
    monkeypatch.setattr(store, "OUTAGE_MS", _NO_OUTAGE_MS)
    monkeypatch.setattr(machine, "redis_url", redis_url)
    monkeypatch.setattr(machine, "folder", str(folder))
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(24),
            stateful_step_count=steps,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
