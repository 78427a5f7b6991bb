"""The caller: the address, behind proxies or not, and the player if a token proved one."""

import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from brettwerk.internal.v1 import session_pb2
from gateway.identity.players import Player

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

NOWHERE = "local"
"""The address of callers without one, such as those over a Unix socket."""
X_FORWARDED_FOR, FORWARDED = "x-forwarded-for", "forwarded"
"""The headers in which proxies state whom they serve."""
HOPS = 32
"""How many hops of a chain of proxies are read, from its end."""
_ELEMENT_CHARACTERS = 512
"""An element of Forwarded that is longer cannot be read."""
_NODE = re.compile(r"(?:\[(?P<v6>[^\]]*)\]|(?P<v4>[0-9.]+))(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?")
"""An address of IPv6 in brackets, or one of IPv4, with or without a port (RFC 7239 section 6)."""
_TCHAR = "!#$%&'*+.^_`|~0-9A-Za-z-"
"""The characters of tokens (RFC 9110 section 5.6.2)."""
_PAIR = re.compile(rf"""([{_TCHAR}]+)=(?:"((?:[^"\\]|\\.)*)"|([:\[\]{_TCHAR}]+))""")
"""A parameter of Forwarded (RFC 7239 section 4). Some proxies forget the quotes around an address and its port."""
_ELEMENT = re.compile(rf"\s*{_PAIR.pattern}(?:\s*;\s*{_PAIR.pattern})*\s*")


@dataclass(frozen=True)
class Caller:
    """The caller, as far as known."""

    address: str
    """The address as rate limits count it: an IPv4 address, or the /64 network of an IPv6 one."""
    player: Player | None = None
    """The player, if a token proved one."""

    def is_proved_by(self, token_id: str) -> bool:
        """Return whether this API token proved the player."""
        return self.player is not None and self.player.token_id == token_id

    @cached_property
    def message(self) -> session_pb2.Caller:
        """The caller as the session service learns of it."""
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

    def __init__(self, trusted: str, header: str = X_FORWARDED_FOR) -> None:
        """Take the trusted networks, separated by commas, and the header that those proxies write.

        Raises ValueError if a network cannot be read.
        """
        self._trusted: Sequence[Network] = [ipaddress.ip_network(text.strip()) for text in trusted.split(",") if text.strip()]
        self.header = header
        """The only header that counts. A proxy passes the other one on as its client wrote it."""

    def of(self, peer: str, values: Sequence[str] = ()) -> str:
        """Return the address to count for a connection from `peer`; `values` are all those of `header`, in order.

        Together they are one chain (RFC 9110 section 5.3), to which each proxy adds a hop, the address that it saw. It is read
        from its end, as long as the hop is a trusted proxy. The part before that is the client's own claim, and so is the part
        before a hop that cannot be read: then the proxy that wrote it counts.
        """
        address = _parse(peer)
        hops = _elements(values) if self.header == FORWARDED else _listed(values)
        for _ in range(HOPS):
            if address is None or not any(address in network for network in self._trusted):
                break
            stated = _parse_node(next(hops, ""))
            if stated is None:
                break
            address = stated
        return NOWHERE if address is None else _counted(address)

    def is_proxy(self, peer: str) -> bool:
        """Return whether a connection from `peer` is a trusted proxy's."""
        address = _parse(peer)
        return address is not None and any(address in network for network in self._trusted)


def peer_address(peer: str) -> str:
    """Return the address in a peer as gRPC writes it: `ipv4:192.0.2.1:5000`, `ipv6:%5B2001:db8::1%5D:5000` or `unix:...`."""
    kind, _, rest = peer.partition(":")
    return rest.rpartition(":")[0].replace("%5B", "").replace("%5D", "").strip("[]") if kind in ("ipv4", "ipv6") else ""


def _listed(values: Sequence[str]) -> Iterator[str]:
    """Yield the hops of X-Forwarded-For from the last to the first."""
    for value in reversed(values):
        rest, comma = value, ","
        while comma:
            rest, comma, hop = rest.rpartition(",")
            yield hop.strip()


def _elements(values: Sequence[str]) -> Iterator[str]:
    """Yield the nodes in Forwarded from the last to the first; the empty text where an element cannot be read.

    An element is the shortest end of the text, after a comma, that reads as one. No proxy's element has a shorter one in it, so
    nothing that a client has left open before it, such as a quotation mark, changes how it is read.
    """
    for value in reversed(values):
        end = len(value)
        while end >= 0:
            comma, element = end, None
            while element is None and comma >= 0:
                comma = value.rfind(",", 0, comma)
                if end - comma > _ELEMENT_CHARACTERS:
                    break
                element = _ELEMENT.fullmatch(value, comma + 1, end)
            yield _node(element.group()) if element else ""
            end = comma


def _node(element: str) -> str:
    """Return whom an element of Forwarded is for; the empty text unless it says so exactly once."""
    nodes = [plain or re.sub(r"\\(.)", r"\1", quoted) for name, quoted, plain in _PAIR.findall(element) if name.lower() == "for"]
    return nodes[0] if len(nodes) == 1 else ""


def _parse_node(text: str) -> IpAddress | None:
    """Return the address that a proxy states, with or without brackets and a port; None for `unknown` and all else."""
    node = _NODE.fullmatch(text)
    if node is None:
        return _parse(text)
    return _parse(node["v4"]) if node["v4"] else _parse(node["v6"]) if ":" in node["v6"] else None


def _parse(text: str) -> IpAddress | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address


def _counted(address: IpAddress) -> str:
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
