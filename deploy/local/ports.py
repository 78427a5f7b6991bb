"""Which ports a deployment uses: the default ones, or free ones."""

import ipaddress
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

from deploy.local.claims import Claims
from deploy.local.launcher_error import LauncherError

DEFAULT_GRPC_PORT = 7800
_FREE = range(20_000, 32_000)  # below what systems use for outgoing connections, which would take a free port away again
_INNER = (
    "redis",
    "rules",
    "session",
    "ai",
    "players",
    "prometheus",
    *(f"{process}_metrics" for process in ("rules", "session", "ai", "players", "worker", "statistics", "gateway")),
    *(f"{process}_health" for process in ("rules", "session", "ai", "players", "gateway")),
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
    rules_health: int
    session_health: int
    ai_health: int
    players_health: int
    gateway_health: int
    prometheus: int
    claims: Claims = field(repr=False, compare=False)

    def __iter__(self) -> Iterator[int]:
        """Go through the ports."""
        return (getattr(self, name) for name in ("web", "grpc", *_INNER))


def is_free(host: str, port: int) -> bool:
    """Return whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def preferred_or_free(preferred: int, host: str = "127.0.0.1") -> int:
    """Return a port, or one that is free now when that is taken."""
    if is_free(host, preferred):
        return preferred
    with socket.socket() as found:
        found.bind((host, 0))
        return int(found.getsockname()[1])


def free_ports(host: str, claims: Claims) -> Iterator[int]:
    """Go through ports that are free now, in any order; those that were gone through are claimed."""
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
    try:
        socket.getaddrinfo(host, None)
    except OSError:
        raise LauncherError(f"{host} is not an address of this machine; choose another with --host") from None
    if web and web == grpc:
        raise LauncherError(f"--port and --grpc-port are both {web}; they must differ")
    claims = Claims()
    free = free_ports(host, claims)
    for number, option in ((web, "--port"), (grpc, "--grpc-port")):
        if number and not _has_claimed(host, number, claims):
            raise LauncherError(f"port {number} of {host} is taken or not allowed; choose another with {option} NUMBER")
    if grpc is None:
        grpc = DEFAULT_GRPC_PORT if web != DEFAULT_GRPC_PORT and _has_claimed(host, DEFAULT_GRPC_PORT, claims) else 0
    inner = free_ports("127.0.0.1", claims)

    def take(numbers: Iterator[int]) -> int:
        for number in numbers:
            return number
        raise LauncherError("no free port is left on this machine")

    return Ports(web=web or take(free), grpc=grpc or take(free), **{name: take(inner) for name in _INNER}, claims=claims)


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
    """Return this machine's address in the local network; 127.0.0.1 when it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1, RFC 5737: only the route is looked up
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address
