"""Logs are set up once in a process, so these tests read what a process of its own writes."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.night import by_day

PROGRAM = """
import logging, sys, warnings
from services.runtime import logs, trace
early = logs.logger("early")
logs.configure("rules", {level!r})
log = logs.logger("services.rules")
{body}
"""


def lines_of(body: str, level: str = "info") -> list[dict[str, Any]]:
    command = [sys.executable, "-c", PROGRAM.format(body=body, level=level)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_event_is_a_line_of_json_that_names_service_module_and_trace() -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    (line,) = lines_of(f"trace.begin({trace!r}); log.warning('a\\nb', port=7801)")
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "a\nb",
        "level": "warning",
        "port": 7801,
        "module": "services.rules",
        "service": "rules",
        "trace_id": "0af7651916cd43dd8448eb211c80319c",
    }


def test_outside_of_a_trace_there_is_no_trace_id() -> None:
    (line,) = lines_of("log.info('x')")
    assert "trace_id" not in line


def test_a_logger_that_was_made_before_the_set_up_follows_it() -> None:
    (line,) = lines_of("early.info('x')")
    assert (line["module"], line["service"]) == ("early", "rules")


def test_the_service_is_named_from_any_thread() -> None:
    (line,) = lines_of("import threading; t = threading.Thread(target=log.info, args=('x',)); t.start(); t.join()")
    assert line["service"] == "rules"


def test_a_store_that_a_library_cannot_reach_or_write_is_named_without_a_traceback() -> None:
    body = """
import redis
there = "nobody there"
for error in (ConnectionRefusedError(there), redis.ConnectionError(there), redis.ResponseError("MISCONF " + there)):
    try:
        raise error
    except Exception:
        logging.getLogger("kombu").critical("gone", exc_info=True)
"""
    lines = lines_of(body)
    assert [line["event"] for line in lines] == ["gone"] * 3
    for line in lines:
        assert line["cause"].endswith("nobody there")
        assert "exception" not in line


def test_an_exception_is_part_of_its_line() -> None:
    (line,) = lines_of("try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    log.error('bad', exc_info=error)")
    assert "ZeroDivisionError" in line["exception"]
    assert "Traceback" in line["exception"]


def test_libraries_log_in_the_same_shape() -> None:
    (line,) = lines_of("logging.getLogger('redis').warning('lost %s', 'it', extra={'n': 1})")
    assert (line["event"], line["level"], line["service"], line["n"]) == ("lost it", "warning", "rules", 1)
    assert "timestamp" in line


@pytest.mark.parametrize(("level", "count"), by_day([("debug", 4), ("info", 3), ("warning", 2), ("error", 1)], ("warning", 2)))
def test_less_than_the_level_is_not_written(level: str, count: int) -> None:
    assert len(lines_of("log.debug('1'); log.info('2'); log.warning('3'); log.error('4')", level)) == count


def test_values_that_json_does_not_know_are_written_all_the_same() -> None:
    (line,) = lines_of("log.info('x', thing=object(), data=b'\\xff', text='\\ud800')")
    assert {"thing", "data", "text"} <= set(line)


def test_lines_of_a_busy_moment_are_written_together_and_a_warning_brings_them_along() -> None:
    body = """
import asyncio
async def work():
    sys.stdout.write = written.append
    log.info("1"); log.info("2")
    before = list(written)
    log.warning("3")
    at_warning = [line.count("\\n") for line in written]
    log.info("4")
    del sys.stdout.write
    print(json.dumps({"before": before, "at_warning": at_warning}))
import json
written = []
asyncio.run(work())
"""
    seen, late = lines_of(body)
    assert seen == {"before": [], "at_warning": [3]}
    assert late["event"] == "4"


def test_a_line_that_waits_is_written_though_nothing_comes_after_it() -> None:
    body = """
import asyncio, os
async def work():
    written, write = asyncio.Event(), sys.stdout.write
    sys.stdout.write = lambda text: (write(text), written.set())
    log.info("x")
    await asyncio.wait_for(written.wait(), 30)
    os._exit(0)
asyncio.run(work())
"""
    (line,) = lines_of(body)
    assert line["event"] == "x"


@pytest.mark.parametrize("out", ["a pipe that nobody reads", "a disk that is full"])
def test_lines_that_cannot_be_written_are_lost_and_nothing_else(out: str) -> None:
    body = """
import os
for number in range(2000):
    log.warning("line", number=number)
    os.write(2, b"a library says something " + b"." * 100)
    os.write(2, bytes([10]))
log.info("the last one")
os._exit(7)"""
    reading, writing = os.pipe()
    os.close(reading)
    full = os.open("/dev/full", os.O_WRONLY)
    command = [sys.executable, "-c", PROGRAM.format(body=body, level="info")]
    done = subprocess.run(
        command, stdout=full if "disk" in out else writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    for descriptor in (writing, full):
        os.close(descriptor)
    assert (done.returncode, done.stderr) == (7, "")
