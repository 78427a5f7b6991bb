"""Errors in logs are kept with their tracebacks, and nothing else is."""

import pytest

from loadtests.log_faults import TRACEBACK, LogFaults


@pytest.mark.parametrize(
    ("line", "is_heard"),
    [
        ('{"event": "call failed", "level": "error", "exception": "Traceback (most recent call last)..."}', True),
        ("Traceback (most recent call last):", True),
        ("[2026-11-23 00:00:00,000: CRITICAL/MainProcess] gone", True),
        ('{"event": "committed", "level": "info"}', False),
        ('{"event": "the error of a client", "level": "warning"}', False),
    ],
)
def test_errors_in_the_log_of_any_process_are_heard(line: str, is_heard: bool) -> None:
    logs = LogFaults()
    logs.hear("session", line)
    assert bool(logs.lines) == is_heard


def test_a_traceback_is_kept_as_far_as_it_goes_and_without_what_other_processes_say() -> None:
    logs = LogFaults()
    for process, line in (("gateway", "Traceback (most recent call last):"), ("rules", "a step"), ("gateway", "KeyError: 1")):
        logs.hear(process, line)
    assert str(logs) == "errors in the logs:\n  gateway: Traceback (most recent call last):\n  gateway: KeyError: 1"
    for _ in range(2 * TRACEBACK):
        logs.hear("gateway", "another line")
    assert len(logs.lines) == 1 + TRACEBACK
