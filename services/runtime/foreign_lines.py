"""Lines that did not come through our logs, made into JSON like ours: those of gRPC's C-core, Celery, Valkey and Python itself.

C-core and Celery's last words go to standard error past Python's logging (`adopt_stderr`). Valkey cannot write JSON, so the
launcher does it for the files that it writes.
"""

import atexit
import contextlib
import json
import os
import re
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime

_CORE = re.compile(r"([IWEF])\d{4} [\d:.]+ +\d+ ([^ \]]+)\] ?(.*)")
"""A line of absl's log, which C-core writes: level, date, time, thread, place in the source."""
_CORE_LEVELS = {"I": "info", "W": "warning", "E": "warning", "F": "critical"}
"""It says E of much that a peer did wrong, which is no error of ours."""
_VALKEY = re.compile(r"\d+:[A-Z] .{10,30}?[\d:.]{12} ([.*#-]) (.*)")
"""A line of Valkey or Redis: process and role, date and time, level."""
_VALKEY_LEVELS = {".": "debug", "-": "info", "*": "info", "#": "warning"}
_LINE_BYTES = 16_384


def as_json(line: str, service: str) -> str:
    """Return a line as a JSON object of the shape of our logs; one that is an object already, as it is."""
    text = line.strip()
    if text.startswith("{"):
        with contextlib.suppress(ValueError):
            json.loads(text)
            return text
    event: dict[str, str] = {"event": text, "level": "info"}
    if found := _CORE.fullmatch(text):
        event = {"event": found[3], "module": "grpc", "source": found[2], "level": _CORE_LEVELS[found[1]]}
    elif found := _VALKEY.fullmatch(text):
        event = {"event": found[2], "level": _VALKEY_LEVELS[found[1]]}
    return json.dumps(event | {"service": service, "timestamp": datetime.now(UTC).isoformat().replace("+00:00", "Z")})


def adopt_stderr(service: str) -> None:
    """Write to standard output, as JSON, what is written to descriptor 2 of this process and its forks from now on.

    `sys.stderr` stays what it was: sentences for people go there. Nothing happens the second time, nor where somebody else has
    taken one of the two streams.
    """
    stdout = sys.__stdout__
    if stdout is None or sys.stdout is not stdout or sys.stderr is not sys.__stderr__:
        return
    out, own = stdout.fileno(), os.dup(2)
    sys.stderr = os.fdopen(own, "w", buffering=1, errors="backslashreplace")
    reading, writing = os.pipe()
    os.dup2(writing, 2)
    os.close(writing)
    thread = threading.Thread(target=_pass_on, args=(reading, out, service), name="standard error", daemon=True)
    thread.start()

    def give_back() -> None:
        os.dup2(own, 2)
        thread.join(0.5)  # not longer: forks may hold the other end

    atexit.register(give_back)


def _pass_on(reading: int, out: int, service: str) -> None:
    # By descriptors: a stream has a lock, which a fork would inherit, and which the end of the process cannot wait for.
    rest = b""
    while data := os.read(reading, _LINE_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) >= _LINE_BYTES:
            lines, rest = [*lines, rest], b""
        _write(out, lines, service)
    _write(out, [rest], service)


def _write(out: int, lines: Sequence[bytes], service: str) -> None:
    for line in lines:
        if text := line.decode(errors="replace").strip():
            with contextlib.suppress(OSError):  # nobody reads them; were they not taken here, who writes them would wait
                os.write(out, f"{as_json(text, service)}\n".encode())
