"""Ports for servers of tests."""

import random

from deploy.local.claims import Claims
from services.runtime import server_socket

_PORTS = range(10_000, 20_000)
"""Below those that systems use for outgoing connections, which would take a free port away again, and those of deployments."""
_REFUSED_BY_BROWSERS = 10_080
"""The one of these that no page is fetched from (Fetch Standard, "bad port")."""
_claims = Claims("brettwerk-test-ports")
"""A server may be away for a while and come back at its port: no other process of tests takes it meanwhile.

They are not claimed against deployments, which are given ports of tests and claim them for themselves.
"""


def free_port() -> int:
    """Return a port at which nobody listens; no process of tests returns it again while this one lives."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        if port == _REFUSED_BY_BROWSERS or not _claims.take(port):
            continue
        try:
            server_socket.bind(f"[::]:{port}").close()
        except OSError:
            _claims.give_back()
            continue
        return port
