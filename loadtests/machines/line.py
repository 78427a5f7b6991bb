"""The fate of packets from one host to another."""

import re
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Line:
    """The way from a host to another, in one direction."""

    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    """The delay is off by so much at most."""
    loss_percent: float = 0.0
    """How much is lost."""

    def text(self) -> str:
        """Return it as `parse` reads it, and people too."""
        return f"{self.delay_ms:g} ms ± {self.jitter_ms:g} ms, {self.loss_percent:g} % lost"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what `text` has written."""
        delay, jitter, loss = map(float, re.findall(r"[\d.]+", text))
        return cls(delay, jitter, loss)
