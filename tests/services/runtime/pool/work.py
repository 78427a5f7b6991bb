"""The work that pools of tests run in their processes."""

import os
import signal
import time
from collections.abc import Callable

from services.runtime.refusal import malformed

TARGET = "tests.services.runtime.pool.work:work"


def work(data: bytes, go_on: Callable[[], bool]) -> bytes:
    """Do what the request says."""
    match data.split(b" "):
        case [b"echo", rest]:
            return rest
        case [b"pid"]:
            return str(os.getpid()).encode()
        case [b"refuse"]:
            raise malformed("moves.x", "that is not right")
        case [b"fail"]:
            raise ZeroDivisionError
        case [b"print"]:
            print("a word that is no response", flush=True)
            return b"quiet"
        case [b"burn"]:
            while go_on():
                sum(range(1000))
            return b"burnt"
        case [b"sleep"]:
            while True:
                time.sleep(1)  # it never ends: this is the fault
        case [b"deaf"]:
            while True:
                sum(range(1000))
        case [b"die"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case [b"hoard", size]:
            return str(len(bytearray(int(size)))).encode()
        case [b"wait", path]:
            while go_on() and not os.path.exists(path):
                time.sleep(0.01)
            return b"waited"
    raise AssertionError(data)
