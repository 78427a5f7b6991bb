"""The answers to names that a cluster's services come to. Nothing here looks at the machine."""

import socket
import struct
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from deploy.cluster.settings import DOMAIN

TTL_S = 2
Names: TypeAlias = Mapping[str, Sequence[str]]
_ADDRESS_TYPE, _NO_SUCH_NAME, _POINTER_TO_NAME = 1, 3, b"\xc0\x0c"


@dataclass(frozen=True)
class Endpoint:
    """A pod behind a service."""

    address: str
    host: str = ""


def endpoints(slices: Sequence[Mapping[str, Any]]) -> Mapping[tuple[str, str], Sequence[Endpoint]]:
    """Return the ready endpoints of each service, by its namespace and name."""
    found: dict[tuple[str, str], list[Endpoint]] = defaultdict(list)
    for one in slices:
        service = one["metadata"].get("labels", {}).get("kubernetes.io/service-name", "")
        for endpoint in one.get("endpoints") or []:
            if (endpoint.get("conditions") or {}).get("ready", True):
                key = (one["metadata"]["namespace"], service)
                found[key].append(Endpoint(endpoint["addresses"][0], endpoint.get("hostname") or ""))
    return {key: sorted(those, key=lambda endpoint: endpoint.address) for key, those in found.items()}


def names(services: Sequence[Mapping[str, Any]], behind: Mapping[tuple[str, str], Sequence[Endpoint]]) -> Names:
    """Return the addresses of all names of services: of its own, or of its pods where a service has none."""
    found: dict[str, Sequence[str]] = {}
    for service in services:
        key = (service["metadata"]["namespace"], service["metadata"]["name"])
        name = f"{key[1]}.{key[0]}.svc.{DOMAIN}"
        if service["spec"].get("clusterIP") != "None":
            found[name] = [service["spec"]["clusterIP"]]
            continue
        found[name] = [endpoint.address for endpoint in behind.get(key, ())]
        found |= {f"{endpoint.host}.{name}": [endpoint.address] for endpoint in behind.get(key, ()) if endpoint.host}
    return found


def answer(query: bytes, known: Names) -> bytes:
    """Return the answer to a question for a name, as DNS has it: its IPv4 addresses, or that there is no such name.

    Raises ValueError for what is no question.
    """
    try:
        at, labels = 12, list[str]()
        while length := query[at]:
            labels.append(query[at + 1 : at + 1 + length].decode("ascii").lower())
            at += length + 1
        question, (kind,) = query[12 : at + 5], struct.unpack_from("!H", query, at + 1)
    except (IndexError, struct.error) as error:
        raise ValueError("this is no question") from error
    name = ".".join(labels)
    addresses = known.get(name, ()) if kind == _ADDRESS_TYPE else ()
    status = 0 if name in known else _NO_SUCH_NAME
    head = query[:2] + struct.pack("!HHHHH", 0x8580 | status, 1, len(addresses), 0, 0)
    records = (_POINTER_TO_NAME + struct.pack("!HHIH", 1, 1, TTL_S, 4) + socket.inet_aton(address) for address in addresses)
    return head + question + b"".join(records)
