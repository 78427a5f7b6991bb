"""Ports for servers of tests."""

import random

from services.runtime import server_socket

_PORTS = range(10_000, 20_000)
"""Below those that systems use for outgoing connections, which would take a free port away again, and those of deployments."""
_REFUSED_BY_BROWSERS = 10_080
"""The one of these that no page is fetched from (Fetch Standard, "bad port")."""
_given: set[int] = set()
"""Somebody who asks for two before anything listens at the first gets two."""


def free_port() -> int:
    """Return a port at which nobody listens, and that this process has not returned before."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        if port in _given or port == _REFUSED_BY_BROWSERS:
            continue
        try:
            server_socket.bind(f"[::]:{port}").close()
        except OSError:
            continue
        _given.add(port)
        return port
