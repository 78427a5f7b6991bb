"""What the simulation assumes: every number with where it comes from, in `parameters.json`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("parameters.json")
ORIGINS = ("measured", "setting", "assumed")
"""How a source begins: a run that somebody made, a value of the code or of the plan, or a guess."""


class Parameters:
    """Numbers by name. Raises KeyError for a name that the file does not have."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> float:
        return float(self._values[name])

    def row(self, name: str) -> list[float]:
        """Return a list of numbers."""
        return [float(value) for value in self._values[name]]

    def span(self, name: str) -> tuple[float, float]:
        """Return the least and the most of something that is spread evenly between them."""
        least, most = self.row(name)
        return least, most

    def table(self, name: str) -> dict[str, Any]:
        """Return values by name, such as those of each game."""
        return dict(self._values[name])

    def replaced(self, **values: Any) -> "Parameters":
        """Return these with other values. Raises KeyError for names that there are not."""
        if unknown := values.keys() - self._values.keys():
            raise KeyError(*unknown)
        return Parameters(self._values | values)


def read_parameters(file: Path = FILE) -> Parameters:
    """Return what the file says."""
    return Parameters({name: entry["value"] for name, entry in json.loads(file.read_text(encoding="utf-8")).items()})
