"""Who is calling: the address, behind proxies or not, and the player if a token proved one."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from brettwerk.internal.v1 import session_pb2
from gateway.players import Player

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

NOWHERE = "local"
"""The address of callers without one, such as those over a Unix socket."""


@dataclass(frozen=True)
class Caller:
    """Who is calling, as far as known."""

    address: str
    """The address as rate limits count it: an IPv4 address, or the /64 network of an IPv6 one."""
    player: Player | None = None
    """The player, if a token proved one."""

    def is_proved_by(self, token_id: str) -> bool:
        """Return whether this API token proved the player."""
        return self.player is not None and self.player.token_id == token_id

    @cached_property
    def message(self) -> session_pb2.Caller:
        """What the session service learns about the caller."""
        message = session_pb2.Caller(address=self.address)
        if self.player:
            message.player_id, message.name = self.player.id, self.player.name
        return message

    @cached_property
    def message_field(self) -> bytes:
        """The same, encoded as the `caller` of a CarryOutRequest."""
        return session_pb2.CarryOutRequest(caller=self.message).SerializeToString()


class Addresses:
    """Finds the address of a client, through the proxies that are trusted to state it."""

    def __init__(self, trusted: str) -> None:
        """Take the trusted networks, separated by commas. Raises ValueError if one cannot be read."""
        self._trusted: Sequence[Network] = [ipaddress.ip_network(text.strip()) for text in trusted.split(",") if text.strip()]

    def of(self, peer: str, forwarded: str = "") -> str:
        """Return the address to count for a connection from `peer` whose X-Forwarded-For is `forwarded`.

        That header is read from its end, as long as each hop is a trusted proxy; anything before that is the client's own claim.
        """
        hops = [part.strip() for part in forwarded.split(",") if part.strip()]
        address = _parse(peer)
        while address is not None and hops and any(address in network for network in self._trusted):
            address = _parse(hops.pop()) or address
        return NOWHERE if address is None else _counted(address)

    def is_proxy(self, peer: str) -> bool:
        """Return whether a connection from `peer` is a trusted proxy's."""
        address = _parse(peer)
        return address is not None and any(address in network for network in self._trusted)


def peer_address(peer: str) -> str:
    """Return the address in a peer as gRPC writes it: `ipv4:192.0.2.1:5000`, `ipv6:%5B2001:db8::1%5D:5000` or `unix:...`."""
    kind, _, rest = peer.partition(":")
    return rest.rpartition(":")[0].replace("%5B", "").replace("%5D", "").strip("[]") if kind in ("ipv4", "ipv6") else ""


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address


def _counted(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
