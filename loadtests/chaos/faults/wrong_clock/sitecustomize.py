"""Python imports this by its name when a process starts that has this folder on its PYTHONPATH.

Its wall clock (`time.time`) is then as many seconds wrong as a file says, from one call to the next. Monotonic clocks go on as
they are, and so do sleeps and deadlines below Python: a library that is loaded before libc would make those wrong in ways in
which no clock that jumps does. For the same reason gRPC keeps the right clock: it reckons what is left of a call's time as the
difference of a time that its core read and one that Python reads, and both would be of one clock on a machine whose clock jumps.
"""

import mmap
import os
import struct
import sys
import time
import types

_GRPC = "grpc._cython.cygrpc"


def begin(file: str) -> None:
    """Let the clock be wrong from now on, as the first 8 bytes of the file say."""
    with open(file, "r+b") as opened:
        seconds = mmap.mmap(opened.fileno(), 8)
    real, real_ns = time.time, time.time_ns

    right = types.SimpleNamespace(**vars(time))

    def error_s() -> int:
        grpc = sys.modules.get(_GRPC)
        if grpc is not None and getattr(grpc, "time", right) is not right:
            grpc.time = right  # type: ignore[attr-defined]
        (found,) = struct.unpack("<q", seconds[:8])
        return int(found)

    time.time = lambda: real() + error_s()
    time.time_ns = lambda: real_ns() + error_s() * 1_000_000_000


if file := os.environ.get("CHAOS_CLOCK"):
    begin(file)
