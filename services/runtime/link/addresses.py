"""Where links lead: `unix:/path` within a host, `host:port` (also as dns:///host:port) to every server behind a name.

Several are separated by commas.
"""

import asyncio
import contextlib
import ipaddress
import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path

from services.runtime.server_socket import PATH_BYTES


@dataclass(frozen=True, slots=True)
class Place:
    """One server: a path, or an address and a port, and the name that its certificate must have."""

    path: str = ""
    host: str = ""
    port: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a setting: paths, names and addresses as places. Names lead to any number of servers."""

    given: tuple[Place, ...]

    @property
    def authority(self) -> str:
        """The destination in a request."""
        first = self.given[0]
        return "localhost" if first.path else f"{f'[{first.host}]' if ':' in first.host else first.host}:{first.port}"

    @property
    def is_fixed(self) -> bool:
        """Whether it contains no names, and so always leads to the same places."""
        return all(place.path or _is_number(place.host) for place in self.given)

    async def places(self) -> list[Place]:
        """Return all current servers. Raises OSError if no name can be resolved."""
        found: dict[Place, None] = {}
        error: OSError | None = None
        for place in self.given:
            try:
                found.update(dict.fromkeys(await _behind(place)))
            except OSError as unknown:
                error = unknown
        if error is not None and not found:
            raise error
        return list(found)


async def _behind(given: Place) -> list[Place]:
    if given.path:
        return [given]
    names = await asyncio.get_running_loop().getaddrinfo(given.host, given.port, type=socket.SOCK_STREAM)
    return [Place(host=str(name[0]), port=given.port, name=given.host) for *_, name in names]


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def parse(address: str) -> Address:
    """Return an address, or several separated by commas, as places. Raises ValueError, with a sentence, if one is invalid."""
    return Address(tuple(_parse(one.strip()) for one in address.split(",")))


def _parse(address: str) -> Place:
    if address.startswith("unix:"):
        path = address.removeprefix("unix:")
        path = path.removeprefix("//") if path.startswith("///") else path
        if not path.startswith("/") or len(os.fsencode(path)) > PATH_BYTES:
            raise ValueError(f"{address}: a Unix socket has an absolute path of at most {PATH_BYTES} bytes")
        return Place(path=path)
    host, _, port = address.removeprefix("dns:///").rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise ValueError(f"{address} is no address: host:port or unix:/path")
    return Place(host=host.strip("[]"), port=int(port))


def remove_stale(path: str) -> None:
    """Remove the socket left behind by a server that did not shut down gracefully."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            Path(path).unlink()
