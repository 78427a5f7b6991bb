"""Ports for servers of tests."""

import fcntl
import os
import random
import tempfile
from pathlib import Path
from typing import IO

from services.runtime import server_socket

_PORTS = range(10_000, 20_000)
"""Below those that systems use for outgoing connections, which would take a free port away again, and those of deployments."""
_REFUSED_BY_BROWSERS = 10_080
"""The one of these that no page is fetched from (Fetch Standard, "bad port")."""
_FOLDER = Path(tempfile.gettempdir()) / f"brettwerk-test-ports-{os.getuid()}"
"""Not that of deployments (deploy/local/claims.py): they are given ports of tests, and claim them for themselves."""
_given: list[IO[str]] = []
"""The locks of ports that this process has: a server may be away for a while and come back at its port, and another process of
tests must not take it meanwhile."""


def free_port() -> int:
    """Return a port at which nobody listens; no process of tests returns it again while this one lives."""
    _FOLDER.mkdir(exist_ok=True)
    while True:
        port = random.SystemRandom().choice(_PORTS)
        if port == _REFUSED_BY_BROWSERS:
            continue
        lock = (_FOLDER / str(port)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            server_socket.bind(f"[::]:{port}").close()
        except OSError:
            lock.close()
            continue
        _given.append(lock)
        return port
