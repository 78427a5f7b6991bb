"""A server that somebody else wrote, for as long as a test needs it."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx

from tests.e2e.stranger import eventually


@contextmanager
def served(command: Sequence[str], url: str) -> Iterator[None]:
    """Run a server, from when it answers at a URL until the block ends."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def answers() -> bool:
        try:
            return httpx.get(url, timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    try:
        eventually(answers, within_s=60)
        yield
    finally:
        process.terminate()
        process.wait()
