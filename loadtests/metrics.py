"""The figures of services at /metrics, added up over all of them."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import httpx
from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]
_ANSWER_S = 10


@dataclass(frozen=True, slots=True)
class Series:
    """Values of series by name and labels."""

    values: Mapping[tuple[str, Labels], float] = field(default_factory=dict)

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of the series of a name that have these labels, whatever others they have."""
        wanted = set(labels.items())
        return sum(value for (one, has), value in self.values.items() if one == name and wanted <= has)

    def minus(self, before: "Series") -> "Series":
        """Return how much every series has grown; one that is smaller began anew meanwhile."""
        grown = {}
        for key, value in self.values.items():
            earlier = before.values.get(key, 0.0)
            grown[key] = value - earlier if value >= earlier else value
        return Series(grown)


def read(addresses: Iterable[str], prefix: str) -> Series:
    """Return the series whose names begin so, of all processes (host:port each). Those that do not answer are left out."""
    values: dict[tuple[str, Labels], float] = {}
    for address in addresses:
        try:
            text = httpx.get(f"http://{address}/metrics", timeout=_ANSWER_S).text
        except httpx.HTTPError:
            continue
        for family in text_string_to_metric_families(text):
            for sample in family.samples if family.name.startswith(prefix) else ():
                key = sample.name, frozenset(sample.labels.items())
                values[key] = values.get(key, 0.0) + sample.value
    return Series(values)


async def read_all(addresses: Iterable[str], prefix: str) -> Series:
    """Return what `read` returns, read by another thread."""
    return await asyncio.to_thread(read, addresses, prefix)
