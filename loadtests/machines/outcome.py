"""The outcome of one trial of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loadtests.chaos.figures import MUST_BE_ZERO, Figures


@dataclass(slots=True)
class Outcome:
    """Figures to keep, and what is not as it must be."""

    trial: str
    kept: dict[str, Any] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    """A sentence for each bar that was missed."""

    def must(self, holds: bool, sentence: str) -> None:
        """Note a bar that is missed unless something holds."""
        if not holds:
            self.missed.append(sentence)

    def take(self, figures: Figures) -> None:
        """Keep the figures of people who played; what must be 0 is a bar."""
        self.kept["figures"] = figures.shown()
        self.kept["failures"] = dict(figures.failures)
        self.kept["breaks"] = dict(figures.breaks)
        for name, what in MUST_BE_ZERO.items():
            findings = figures.findings.get(name, [])
            self.must(not figures.wrong[name], f"{name}={figures.wrong[name]} ({what}): {findings[:3]}")

    def shown(self) -> Mapping[str, Any]:
        """Return it as JSON keeps it."""
        return {"trial": self.trial, **self.kept, "missed": self.missed}
