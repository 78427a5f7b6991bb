"""Where servers listen: a socket for host:port, at one address or at all addresses of both families.

`[::]:9000` is for IPv4 and IPv6, and for IPv4 alone on a host without IPv6; `0.0.0.0:9000` is for IPv4 alone, but at gRPC's ports
(endpoint.py), where it is for both.
"""

import contextlib
import os
import socket
from collections.abc import Iterator

from services.runtime.cannot_start import cannot_start

EVERYWHERE = "::"
"""All addresses of this host."""
_IPV4 = "0.0.0.0"  # noqa: S104 - all addresses of a host without IPv6
PATH_BYTES = 107
"""The maximum length of a Unix socket's path (unix(7)): 108 with the zero at its end."""
BACKLOG = 2048
"""Connections that wait to be taken."""


def split(address: str) -> tuple[str, int]:
    """Return the host, without brackets, and the port of host:port. Raises ValueError, with a sentence, for anything else."""
    host, _, port = address.rpartition(":")
    is_plain = ":" not in host or (host.startswith("[") and host.endswith("]"))
    if not host or not is_plain or not (port.isascii() and port.isdecimal()) or int(port) > 65_535:
        raise ValueError(f"{address} is no address: host:port, with brackets around an IPv6 address")
    return host.strip("[]"), int(port)


def bind(address: str) -> socket.socket:
    """Return a socket that listens at host:port; a name stands for the first of its addresses that is ours.

    Raises ValueError for what is no address, OSError if the port is taken or the address is not ours.
    """
    host, port = split(address)
    failed: OSError | None = None
    for family, place in _places(host, port):
        try:
            return socket.create_server(
                place, family=family, backlog=BACKLOG, dualstack_ipv6=host == EVERYWHERE and family == socket.AF_INET6
            )
        except OSError as error:
            failed = failed or error
    raise failed or OSError(f"{host} has no address")


def bind_path(path: str) -> socket.socket:
    """Return a Unix socket that listens at a path, for this user only. Raises OSError if that is taken, or no place for one."""
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(path)
    os.chmod(path, 0o600)
    bound.listen(BACKLOG)
    return bound


def bind_or_exit(address: str) -> socket.socket:
    """Return the same. Exits with 2 and a sentence where nothing can listen there."""
    with exit_unless_free(address):
        return bind(address)


@contextlib.contextmanager
def exit_unless_free(address: str) -> Iterator[None]:
    """Return a block in which something is bound to an address; exits with 2 and a sentence if it cannot be.

    gRPC raises RuntimeError then.
    """
    try:
        yield
    except (OSError, RuntimeError):
        raise cannot_start(f"cannot listen on {address}: the port is taken or the address is not ours") from None
    except ValueError as error:
        raise cannot_start(str(error)) from None


def _places(host: str, port: int) -> Iterator[tuple[socket.AddressFamily, tuple[str, int]]]:
    if host == EVERYWHERE:
        if socket.has_dualstack_ipv6():
            yield socket.AF_INET6, (EVERYWHERE, port)
        yield socket.AF_INET, (_IPV4, port)
        return
    for family, *_, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        yield family, (str(place[0]), port)
