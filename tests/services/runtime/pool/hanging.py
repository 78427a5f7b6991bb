"""A target that never is ready."""

import time
from collections.abc import Callable


def work(data: bytes, go_on: Callable[[], bool]) -> bytes:
    """Do nothing."""
    return data


while True:
    time.sleep(1)  # it never ends: this is the fault
