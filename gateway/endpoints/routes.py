"""The addresses of the web client's pages, as its router and its build know them (clients/web/src/app/routes.json)."""

import json
from typing import Self

FILE = "routes.json"
"""Where a built client has them: patterns such as `puzzle/:game/:day?`, each with the name of its page."""


class Routes:
    """Knows which addresses have pages."""

    def __init__(self, patterns: list[list[str]]) -> None:
        """Take the parts of each pattern; those that begin with a colon stand for any, and may be missing if they end in `?`."""
        self._patterns = patterns

    @classmethod
    def of(cls, body: bytes) -> Self:
        """Return those of a file. Raises ValueError if it is not one."""
        given = json.loads(body)
        if not isinstance(given, dict):
            raise ValueError(f"{FILE} is not an object")
        return cls([_parts(pattern) for pattern in given])

    def lead_to_a_page(self, path: str) -> bool:
        """Return whether the client has a page for an address."""
        parts = _parts(path)
        return any(_fits(parts, pattern) for pattern in self._patterns)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _fits(parts: list[str], pattern: list[str]) -> bool:
    fewest = sum(not part.endswith("?") for part in pattern)
    if not fewest <= len(parts) <= len(pattern):
        return False
    return all(known.startswith(":") or known == part for part, known in zip(parts, pattern, strict=False))
