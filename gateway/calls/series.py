"""The counters of processes, read from their /metrics: the series of one process, and sums and extremes over several."""

import http.client
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

TIMEOUT_S = 2.0
BODY_BYTES = 8 * 1024 * 1024
"""More than the largest process shows."""
PROCESSES = 256
"""How many processes are asked."""

Labels = tuple[tuple[str, str], ...]
Samples = Mapping[tuple[str, Labels], float]


@dataclass(frozen=True)
class Series:
    """The series of a process at one moment."""

    address: str
    """host:port; empty for this process."""
    samples: Samples | None
    """By name and sorted labels; None if the process does not answer."""

    def select(self, name: str, **where: str) -> Iterator[tuple[Mapping[str, str], float]]:
        """Yield the labels and values of all samples of a name that have these labels."""
        for (found, labels), value in (self.samples or {}).items():
            if found == name and where.items() <= dict(labels).items():
                yield dict(labels), value


def values(processes: Iterable[Series], name: str, **where: str) -> list[float]:
    """Return the values of a name in all processes."""
    return [value for one in processes for _, value in one.select(name, **where)]


def places(addresses: str) -> list[str]:
    """Return host:port of each process behind addresses, separated by commas: a name may lead to several. Blocks.

    An address that leads nowhere is returned as it is, and will not answer.
    """
    found: list[str] = []
    for address in filter(None, (part.strip() for part in addresses.split(","))):
        host, _, port = address.rpartition(":")
        try:
            known = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except (OSError, ValueError):
            found.append(address)
            continue
        found += sorted({f"[{at[0]}]:{port}" if family == socket.AF_INET6 else f"{at[0]}:{port}" for family, *_, at in known})
    return list(dict.fromkeys(found))[:PROCESSES]


def read(address: str, prefixes: Sequence[str]) -> Series:
    """Return the series at host:port whose names begin with one of the prefixes. Blocks."""
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/metrics")
        response = connection.getresponse()
        body = response.read(BODY_BYTES)
        return Series(address, _parsed(body, prefixes) if response.status == 200 else None)
    except (OSError, ValueError, http.client.HTTPException):
        return Series(address, None)
    finally:
        connection.close()


def own(prefixes: Sequence[str]) -> Series:
    """Return those of this process."""
    return Series("", _parsed(generate_latest(), prefixes))


def _parsed(body: bytes, prefixes: Sequence[str]) -> Samples:
    # The parser takes ten microseconds for a sample, and most are of no use here.
    wanted = [row for row in body.decode(errors="replace").splitlines() if row.startswith(tuple(prefixes))]
    families = text_string_to_metric_families("\n".join([*wanted, ""]))
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples}
