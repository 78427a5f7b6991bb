"""A plugin of pytest that says how far a run is: a line of JSON for each event, to the program that started it.

`{"total": 8777}` once tests are collected, `{"done": 1}` after each, `{"failed": test, "said": what}` and `{"left_out": test,
"reason": why}` besides. Without such a program it says nothing.
"""

import json
import os
from typing import Any

import pytest

EVENTS = "BRETTWERK_TEST_EVENTS"
"""Names the file descriptor to which events are written."""
MAX_LINES = 12
"""How much is said of a failure at once; all of it comes at the end."""


def pytest_configure(config: pytest.Config) -> None:
    """Say something only in the process that the others of a run report to."""
    if EVENTS in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(int(os.environ.pop(EVENTS))))


class Progress:
    """Writes events."""

    def __init__(self, there: int) -> None:
        os.set_inheritable(there, False)
        self._out = os.fdopen(there, "w", buffering=1)

    def _say(self, **event: Any) -> None:
        self._out.write(json.dumps(event) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:
            self._say(total=len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Each process has collected all."""
        self._say(total=len(ids))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed(report.nodeid, report.longreprtext)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed(report.nodeid, report.longreprtext)
        elif report.skipped and isinstance(report.longrepr, tuple):
            self._say(left_out=report.nodeid, reason=report.longrepr[2].removeprefix("Skipped: "))
        if report.when == "teardown":
            self._say(done=1)

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Return no dot for a test that passes: dots say less than the count. None leaves the others to pytest."""
        return (report.outcome, "", "") if report.passed and report.when == "call" else None

    def _failed(self, test: str, text: str) -> None:
        lines = [line for line in text.splitlines() if line.startswith("E ")] or text.splitlines()
        self._say(failed=test, said="\n".join(lines[:MAX_LINES]))
