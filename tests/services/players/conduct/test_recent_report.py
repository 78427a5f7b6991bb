"""The report that is kept in memory."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from services.archive.access import Access
from services.players.conduct import recent_report
from services.players.conduct.recent_report import KEPT_MS, RecentReport
from services.players.conduct.report import LeftOut, Report

START_MS = 1_000_000


class Store:
    """A store whose work can fail."""

    def __init__(self) -> None:
        self.is_away = False

    async def run(self, work: Callable[[Any], Report]) -> Report:
        """Return what `work` returns, after others had their turn."""
        await asyncio.sleep(0)
        if self.is_away:
            raise ConnectionError
        return work(None)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the times at which reports are made."""
    times: list[int] = []

    def report(_connection: object, now_ms: int) -> Report:
        times.append(now_ms)
        return Report([], [], [], 0, LeftOut(0, 0, 0))

    monkeypatch.setattr(recent_report, "report", report)
    return times


def test_a_report_is_made_once_in_ten_minutes(made: list[int]) -> None:
    now = [START_MS]

    async def ask() -> None:
        recent = RecentReport(cast(Access, Store()), lambda: now[0])
        found = await asyncio.gather(*(recent.get() for _ in range(5)))
        assert {one.made_at_ms for one in found} == {START_MS}
        now[0] += KEPT_MS - 1
        assert (await recent.get()).made_at_ms == START_MS
        now[0] += 1
        assert (await recent.get()).made_at_ms == START_MS + KEPT_MS

    asyncio.run(ask())
    assert made == [START_MS, START_MS + KEPT_MS]


def test_a_report_that_failed_is_made_when_it_is_asked_for_again(made: list[int]) -> None:
    store = Store()

    async def ask() -> None:
        recent = RecentReport(cast(Access, store), lambda: START_MS)
        store.is_away = True
        with pytest.raises(ConnectionError):
            await recent.get()
        store.is_away = False
        assert (await recent.get()).made_at_ms == START_MS

    asyncio.run(ask())
    assert made == [START_MS]


def test_a_call_that_is_cancelled_leaves_the_report_to_the_others(made: list[int]) -> None:
    async def ask() -> None:
        recent = RecentReport(cast(Access, Store()), lambda: START_MS)
        first, second = asyncio.create_task(recent.get()), asyncio.create_task(recent.get())
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).made_at_ms == START_MS
        assert first.cancelled()

    asyncio.run(ask())
    assert made == [START_MS]
