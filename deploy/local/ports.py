"""Which ports a deployment uses: the default ones, or free ones."""

import contextlib
import ipaddress
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

from deploy.local.claims import Claims
from deploy.local.launcher_error import LauncherError
from services.runtime.server_socket import bind

DEFAULT_GRPC_PORT = 7800
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
"""All addresses of this machine: of IPv4, or of both families."""
_FREE = range(20_000, 32_000)  # below what systems use for outgoing connections, which would take a free port away again
_INNER = (
    "redis",
    "rules",
    "session",
    "ai",
    "players",
    "prometheus",
    *(f"{process}_metrics" for process in ("rules", "session", "ai", "players", "worker", "statistics", "gateway")),
)


@dataclass(frozen=True, slots=True)
class Ports:
    """A port for every endpoint of a deployment. `web` and `grpc` are for clients, the others for the processes among themselves.

    As long as this object lives, no other deployment of this user chooses one of them.
    """

    web: int
    grpc: int
    redis: int
    rules: int
    session: int
    ai: int
    players: int
    rules_metrics: int
    session_metrics: int
    ai_metrics: int
    players_metrics: int
    worker_metrics: int
    statistics_metrics: int
    gateway_metrics: int
    prometheus: int
    host: str
    """Where clients find `web` and `grpc`."""
    loopback: str
    """The address at which the processes reach each other: 127.0.0.1, or ::1 on a machine without IPv4."""
    claims: Claims = field(repr=False, compare=False)

    @property
    def near(self) -> str:
        """The address under which this machine reaches the endpoints for clients."""
        return self.loopback if self.host in EVERYWHERE else self.host

    def __iter__(self) -> Iterator[int]:
        """Go through the ports."""
        return (getattr(self, name) for name in ("web", "grpc", *_INNER))


def is_free(host: str, port: int) -> bool:
    """Return whether a server could listen there now."""
    try:
        bind(join(host, port)).close()
    except OSError:
        return False
    return True


def loopback() -> str:
    """Return the address of this machine that only it can reach. Raises LauncherError where there is none."""
    for host in ("127.0.0.1", "::1"):
        if is_free(host, 0):
            return host
    raise LauncherError("this machine has neither 127.0.0.1 nor ::1: bring its loopback interface up (ip link set lo up)")


def preferred_or_free(preferred: int, host: str) -> int:
    """Return a port, or one that is free now when that is taken."""
    if is_free(host, preferred):
        return preferred
    with bind(join(host, 0)) as found:
        return int(found.getsockname()[1])


def free_ports(host: str, claims: Claims) -> Iterator[int]:
    """Yield ports that are free now, in any order; those that were yielded are claimed."""
    numbers = random.SystemRandom().sample(_FREE, len(_FREE))
    return (number for number in numbers if _has_claimed(host, number, claims))


def _has_claimed(host: str, port: int, claims: Claims) -> bool:
    """Claim a port that is free; return False when it is taken or claimed."""
    if not claims.take(port):
        return False
    if is_free(host, port):
        return True
    claims.give_back()
    return False


def choose(host: str = "127.0.0.1", web: int = 0, grpc: int | None = 0) -> Ports:
    """Return ports that are free now, and claimed: 0 means any, None for `grpc` the default one if it is free.

    Raises LauncherError, naming the option to change, for a port that was asked for and is taken or not allowed.
    """
    if not is_free(host, 0):
        raise LauncherError(f"{host} is not an address of this machine; choose another with --host")
    inner_host = loopback()
    if web and web == grpc:
        raise LauncherError(f"--port and --grpc-port are both {web}; they must differ")
    claims = Claims()
    free = free_ports(host, claims)
    for number, option in ((web, "--port"), (grpc, "--grpc-port")):
        if number and not _has_claimed(host, number, claims):
            raise LauncherError(f"port {number} of {host} is taken or not allowed; choose another with {option} NUMBER")
    if grpc is None:
        grpc = DEFAULT_GRPC_PORT if web != DEFAULT_GRPC_PORT and _has_claimed(host, DEFAULT_GRPC_PORT, claims) else 0
    inner = free_ports(inner_host, claims)

    def take(numbers: Iterator[int]) -> int:
        for number in numbers:
            return number
        raise LauncherError("no free port is left on this machine")

    numbers = {name: take(inner) for name in _INNER}
    return Ports(web=web or take(free), grpc=grpc or take(free), **numbers, host=host, loopback=inner_host, claims=claims)


def join(host: str, port: int) -> str:
    """Return host:port, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def name_in(host: str) -> str:
    """Return a host if it is a name, nothing if it is an address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host
    return ""


def lan_address() -> str:
    """Return this machine's address in the local network, of IPv4 if it has one; empty for none. Nothing is sent."""
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):  # RFC 5737, RFC 3849
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))  # only the route is looked up
            address: str = probe.getsockname()[0]
            return address
    return ""
