"""Lines that libraries write past Python's logging are JSON, too."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.foreign_lines import as_json


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "E1128 10:45:54.292569   31005 ssl_transport_security.cc:1651] Handshake failed: SSL_ERROR_SSL",
            {
                "event": "Handshake failed: SSL_ERROR_SSL",
                "level": "warning",
                "module": "grpc",
                "source": "ssl_transport_security.cc:1651",
            },
        ),
        ("I1128 10:45:54.292569 31005 fork_posix.cc:71] Other threads", {"event": "Other threads", "level": "info"}),
        (
            "30963:M 28 Nov 2026 10:45:50.395 # WARNING Memory overcommit must be enabled!",
            {"event": "WARNING Memory overcommit must be enabled!", "level": "warning"},
        ),
        ("30963:M 28 Nov 2026 10:45:50.396 * Configuration loaded", {"event": "Configuration loaded", "level": "info"}),
        ("worker: Warm shutdown (MainProcess)", {"event": "worker: Warm shutdown (MainProcess)", "level": "info"}),
        ('{"half": 1', {"event": '{"half": 1'}),
        ("{half}", {"event": "{half}"}),
    ],
)
def test_a_line_has_the_shape_of_our_own(line: str, shown: dict[str, str]) -> None:
    made = json.loads(as_json(line, "players"))
    assert made["service"] == "players"
    assert made["timestamp"].endswith("Z")
    assert {name: made[name] for name in shown} == shown


def test_a_line_of_ours_stays_as_it_is() -> None:
    assert as_json('{"event": "x"}\n', "players") == '{"event": "x"}'


@given(st.text(max_size=200))
def test_any_line_is_one_object(text: str) -> None:
    made = as_json(text, "players")
    assert isinstance(json.loads(made), dict)
    assert len(made.splitlines()) == 1


PROGRAM = """
import os, sys, threading, warnings
from services.runtime import logs
logs.configure("rules")
logs.configure("rules")
os.write(2, b"E1128 10:45:54.292569 31005 a.cc:1] from C-core\\n")
if os.fork() == 0:
    os.write(2, b"from a fork\\nand half a li")
    os._exit(0)
os.wait()
print("from Celery", file=sys.__stderr__)
warnings.warn("deprecated")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start(); thread.join()
print("a sentence for people", file=sys.stderr)
raise ValueError("the end")
"""


def test_everything_that_a_process_writes_is_json_but_sentences_for_people() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == "a sentence for people\n"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {line["service"] for line in lines} == {"rules"}
    events = [line["event"] for line in lines]
    assert {"from C-core", "from a fork", "a thread ended by an exception", "ended by an exception"} <= set(events)
    assert any("from Celery" in event for event in events)
    assert any("UserWarning: deprecated" in event for event in events)
    (last,) = [line for line in lines if line["event"] == "ended by an exception"]
    assert (last["level"], "ValueError: the end" in last["exception"]) == ("critical", True)
