"""Where messages may go.

A browser names its push service by a URL, and a player a webhook, so a stranger could name any: only hosts that the operator
allows are called, by https, and what is allowed by a pattern must have public addresses when it is called.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore2

from services.runtime.refusal import malformed


class AllowedHosts:
    """The hosts that the operator allows."""

    def __init__(self, listed: str, setting: str = "BRETTWERK_PUSH_HOSTS", field: str = "endpoint") -> None:
        """Take names by commas: of hosts (push.example.org, push.example.org:8443), patterns (*.example.org), or * for any.

        `setting`: what lists them; `field`: of requests, that names a URL. A host of webhooks can be listed with http:// before
        it, and is then called without TLS. Raises ValueError for what is none.
        """
        names = {name.strip().lower() for name in listed.split(",") if name.strip()}
        self._setting, self._field = setting, field
        plain = {name for name in names if name.startswith("http://")} if field == "url" else set()
        self._plain = {with_port(name.removeprefix("http://"), 80) for name in plain}
        self._names = names - plain
        for name in self._names | self._plain:
            if "/" in name or "*" in name.removeprefix("*.").removeprefix("*"):
                raise ValueError(f"{setting}: {name!r} is no host name, and no pattern like *.example.org")

    @property
    def is_empty(self) -> bool:
        """Whether nothing is allowed."""
        return not self._names and not self._plain

    def check(self, endpoint: str) -> None:
        """Return when messages may go to an endpoint. Raises Refused (MALFORMED)."""
        try:
            parts = urlsplit(endpoint)
            host, port = parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)
        except ValueError:
            raise malformed(self._field, "this is not a URL") from None
        is_plain = parts.scheme == "http" and f"{host}:{port}" in self._plain
        if not host or parts.username is not None or parts.fragment or not endpoint.isascii() or not endpoint.isprintable():
            raise malformed(self._field, "this is not a URL that can be called")
        if is_plain:
            return
        if parts.scheme != "https":
            raise malformed(self._field, f"the {self._field} is a URL that begins with https://")
        if not self._is_named(host, port) and not (port == 443 and self._fits(host)):
            raise malformed(self._field, f"this server sends nothing to that host: {self._setting} lists others")

    def trusts(self, host: str, port: int) -> bool:
        """Return whether a host is called whatever address it has: the operator has named it, and no pattern."""
        return self._is_named(host, port) or f"{host}:{port}" in self._plain

    def _is_named(self, host: str, port: int) -> bool:
        return f"{host}:{port}" in self._names or (port == 443 and host in self._names)

    def _fits(self, host: str) -> bool:
        if "*" in self._names:
            return True
        return any(name.startswith("*.") and host.endswith(name[1:]) for name in self._names)


class PublicBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections to public addresses only, unless the operator trusts the host.

    It looks a name up once and connects to what it was told, so that a name cannot mean another address a moment later.
    """

    def __init__(self, hosts: AllowedHosts) -> None:
        self._hosts = hosts
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Return a connection to a host that the operator trusts, or to a public address of it.

        Raises httpcore2.ConnectError where nothing public answers to the name, httpcore2.ConnectTimeout after `timeout` seconds.
        """
        if self._hosts.trusts(host, port):
            return await self._plain.connect_tcp(host, port, timeout, local_address, socket_options)
        try:
            async with asyncio.timeout(timeout):
                found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, TimeoutError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"{host} is not found") from error
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        if not addresses or not all(is_public(one) for one in addresses):
            raise httpcore2.ConnectError(f"{host} has no public address")
        failed: Exception = httpcore2.ConnectError(f"{host} does not answer")
        for address in addresses[:3]:
            try:
                return await self._plain.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
        raise failed

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._plain.sleep(seconds)


def is_public(address: str) -> bool:
    """Return whether an IP address is public; of an IPv6 address that carries an IPv4 one, that one counts."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if parsed in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed.is_global and not parsed.is_multicast


def with_port(name: str, port: int) -> str:
    """Return the name of a host with its port, which is `port` where it names none."""
    return name if ":" in name else f"{name}:{port}"


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
