"""The program of a pool's process: `python -m services.runtime.pool.child MODULE:FUNCTION PARENT_PID MEMORY_BYTES CPU_S`.

It reads requests from standard input and writes one response for each to standard output, in the frames of `frames.py`. The
function is given the request's bytes and something to ask, now and then, whether to go on; it returns the response's bytes.

It yields to the services: it runs at a lower priority, the kernel ends it first when memory is short, its memory is bounded,
and so is the CPU time of each request. It ends with its parent.
"""

import contextlib
import ctypes
import importlib
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import BinaryIO

from google.protobuf.message import EncodeError

from brettwerk.v1 import errors_pb2
from services.runtime import logs, trace
from services.runtime.pool import frames
from services.runtime.refusal import Refused, internal

NICE = 10
"""How much lower its priority is: of a core that is wanted by a service too it gets a tenth."""
RECYCLE_SHARE = 0.5
"""A process that has taken this share of its memory ends after the request, since memory once taken is seldom given back."""
_PR_SET_PDEATHSIG = 1

Work = Callable[[bytes, Callable[[], bool]], bytes]


class Budget:
    """The time that is left for a request."""

    def __init__(self, cpu_s: float) -> None:
        self._cpu_s = cpu_s
        self._until = 0.0
        self._is_abandoned = False

    def begin(self) -> None:
        """Begin with a request. Where it does not ask whether to go on, the kernel ends the process a little later."""
        self._until = time.process_time() + self._cpu_s
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(self._until + self._cpu_s) + 1, hard))
        self._is_abandoned = False

    def abandon(self) -> None:
        """Let the request end, since nobody waits for its response."""
        self._is_abandoned = True

    def go_on(self) -> bool:
        """Return whether to go on."""
        return not self._is_abandoned and time.process_time() < self._until


def main(arguments: list[str]) -> None:
    """Serve until standard input ends."""
    target, parent, memory, cpu_s = arguments
    _yield_to_services(int(parent), int(memory))
    requests = sys.stdin.buffer
    responses = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed by mistake must not stand among the responses
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl-C is for the parent, who ends us
    logs.configure(f"{target.partition(':')[0]} pool", "info")
    module, _, function = target.partition(":")
    work: Work = getattr(importlib.import_module(module), function)
    budget = Budget(float(cpu_s))
    signal.signal(signal.SIGUSR1, lambda *_: budget.abandon())
    frames.write_response(responses, frames.Response(b"", None, time.process_time(), leaves=False))  # ready
    serve(work, budget, requests, responses, int(int(memory) * RECYCLE_SHARE))


def serve(work: Work, budget: Budget, requests: BinaryIO, responses: BinaryIO, recycle_bytes: int) -> None:
    """Answer requests until there are no more, or until so much memory was taken that the process is better replaced."""
    while (request := frames.read_request(requests)) is not None:
        traceparent, data = request
        trace.begin(traceparent)
        budget.begin()
        began = time.process_time()
        refusal: errors_pb2.Refusal | None = None
        result = b""
        try:
            result = work(data, budget.go_on)
        except Refused as refused:
            refusal = refused.refusal
        except (MemoryError, EncodeError):  # protobuf says EncodeError where it has no memory for the bytes
            refusal = Refused(errors_pb2.REASON_FULL, "this needs more memory than a single request may use").refusal
        except Exception as error:  # noqa: BLE001 - the next request is another one
            logs.logger(__name__).error("request failed", exc_info=error)
            refusal = internal().refusal
        del data, request
        leaves = _memory_bytes() > recycle_bytes
        frames.write_response(responses, frames.Response(result, refusal, time.process_time() - began, leaves=leaves))
        if leaves:
            return


def _memory_bytes() -> int:
    """Return the most memory that this program had at a time."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    # Not ru_maxrss: what is started by vfork inherits there what its parent has.
    with open("/proc/self/status", "rb") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(b"VmHWM:"))


def _yield_to_services(parent: int, memory_bytes: int) -> None:
    os.nice(NICE)
    with contextlib.suppress(OSError, ValueError):  # a bound that is tighter already stays
        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)  # it ended before we had asked
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")


if __name__ == "__main__":
    main(sys.argv[1:])
