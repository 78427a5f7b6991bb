"""What the plan has to keep, and whether it does."""

from collections.abc import Sequence
from dataclasses import dataclass

from loadtests.simulation.tally import Tally


@dataclass(frozen=True, slots=True)
class Bar:
    """One thing that was found, against what it may be at most."""

    name: str
    found: float
    most: float
    unit: str

    @property
    def is_met(self) -> bool:
        """Whether it is not more."""
        return self.found <= self.most

    def cells(self) -> tuple[str, str, str, str]:
        """Return the cells of its row."""
        return self.name, self._shown(self.found), self._shown(self.most), "met" if self.is_met else "missed"

    def _shown(self, value: float) -> str:
        if self.unit == "%":
            return f"{100 * value:.4f}".rstrip("0").rstrip(".") + " %"
        return f"{value:,.1f} {self.unit}" if self.unit else f"{value:,.0f}"


def bars(tally: Tally) -> list[Bar]:
    """Return all bars of a day."""
    game_s = tally.game_s or 1.0
    stalls = tally.stalls
    return [
        Bar("games that stop go on, 99 in 100 within", stalls.within(0.99), 10, "s"),
        Bar("games that stop go on, all within", stalls.longest, 60, "s"),
        Bar("time in which games stand still", (tally.stalled_s + tally.warming_s) / game_s, 0.0002, "%"),
        Bar("time in which actions wait more than 1 s for a full component", sum(tally.slow_s.values()) / game_s, 0.0001, "%"),
        Bar("watchers are back, 99 in 100 within", tally.reconnects.within(0.99), 30, "s"),
        Bar("computers' moves that are shortened", tally.shortened / (tally.moves or 1), 0.01, "%"),
        Bar("computers' moves without thinking", tally.unthought, 0, ""),
        Bar("acknowledged actions lost", tally.lost, 0, ""),
        Bar("new games refused", tally.refused / (tally.begun or 1), 0.0001, "%"),
        Bar("memory of a gateway", tally.gateway_memory, 0.9, "%"),
        Bar("memory of a master", tally.redis_memory, 0.8, "%"),
    ]


def table(rows: Sequence[tuple[str, ...]], head: tuple[str, ...]) -> str:
    """Return rows as a table of Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
