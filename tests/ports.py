"""Ports for servers of tests."""

import random
import socket

_PORTS = range(10_000, 20_000)
"""Below those that systems use for outgoing connections, which would take a free port away again, and those of deployments."""


def free_port() -> int:
    """Return a port at which nobody listens."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
