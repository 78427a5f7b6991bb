"""The figures of a run: those that must be 0, those for information, and the line that shows them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

MUST_BE_ZERO: Mapping[str, str] = {
    "lost": "acknowledged, and not in the log (beyond what the store's setting promises of a power cut)",
    "doubled": "in the log, and never acknowledged to the seat that is said to have done it",
    "holes": "logs whose versions are not 1, 2, 3, ...",
    "disordered": "messages of a watch out of order, or a new beginning without a reason",
    "disagreements": "updates that a watcher was sent and ListUpdates has otherwise, or not at all",
    "missed": "updates that a watcher was never sent",
    "unequal": "updates that two watchers of the same seat, or two spectators, were sent as different bytes",
    "unverified": "games whose check finds a fault",
    "stuck_10s_after": "tables at which nothing happened for 10 s after the last fault was over",
    "stuck_at_end": "games that could not be brought to an end",
    "not_archived": "finished games that the archive does not have",
    "gave_up": "calls that got no answer, however often they were repeated",
    "tracebacks": "in the logs of all processes",
    "internal": "answers with INTERNAL",
}
MAX_FINDINGS = 40
"""Sentences that are kept of each figure."""


@dataclass(slots=True)
class Figures:
    """The figures of a session, or of many added up."""

    wrong: Counter[str] = field(default_factory=Counter)
    findings: dict[str, list[str]] = field(default_factory=dict)
    """Sentences about the wrong things, by figure."""
    notes: list[str] = field(default_factory=list)
    """Remarks on what is worth knowing and not wrong in itself."""
    longest_stall_s: float = 0.0
    longest_wait_s: float = 0.0
    """Longest time between the first who knew of a version and a watcher who was sent it."""
    longest_call_s: float = 0.0
    """Longest time until a call of those who play was answered, however often it was repeated."""
    failures: Counter[str] = field(default_factory=Counter)
    """Calls that got no answer and were repeated, by what was said of it."""
    breaks: Counter[str] = field(default_factory=Counter)
    """Watches that broke off and were taken up again, by why."""
    fallbacks: int = 0
    """Moves that the session service made for a computer player."""
    aheads_without_loss: int = 0
    """Watchers who were told that their version was lost, which it was not."""
    gaps: int = 0
    lost_as_promised: int = 0
    """Acknowledged so shortly before a power cut that the store's setting allows that they are lost."""
    not_created: int = 0
    faults: int = 0
    games: int = 0
    actions: int = 0

    def add(self, figure: str, finding: str) -> None:
        """Count something wrong, and say what."""
        assert figure in MUST_BE_ZERO
        self.wrong[figure] += 1
        said = self.findings.setdefault(figure, [])
        if len(said) < MAX_FINDINGS:
            said.append(finding)

    def note(self, sentence: str) -> None:
        """Keep a sentence for the reader of the run."""
        if len(self.notes) < MAX_FINDINGS:
            self.notes.append(sentence)

    def include(self, other: "Figures") -> None:
        """Add another's figures to these."""
        self.wrong.update(other.wrong)
        for figure, findings in other.findings.items():
            said = self.findings.setdefault(figure, [])
            said.extend(findings[: MAX_FINDINGS - len(said)])
        for sentence in other.notes:
            self.note(sentence)
        self.longest_stall_s = max(self.longest_stall_s, other.longest_stall_s)
        self.longest_wait_s = max(self.longest_wait_s, other.longest_wait_s)
        self.longest_call_s = max(self.longest_call_s, other.longest_call_s)
        self.failures.update(other.failures)
        self.breaks.update(other.breaks)
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def is_good(self) -> bool:
        """Whether everything that must be 0 is."""
        return not self.wrong.total()

    def line(self) -> str:
        """Return all figures in one line: `name=value`, those first that must be 0."""
        return " ".join(f"{name}={value}" for name, value in self.shown().items())

    def shown(self) -> dict[str, float]:
        """Return all figures by their names, those first that must be 0."""
        shown: dict[str, float] = {name: self.wrong[name] for name in MUST_BE_ZERO}
        shown |= {name: round(getattr(self, name), 1) for name in ("longest_stall_s", "longest_wait_s", "longest_call_s")}
        shown |= {"failed": self.failures.total(), "breaks": self.breaks.total()}
        return shown | {name: getattr(self, name) for name in _COUNTS}

    def sentences(self) -> list[str]:
        """Return, line by line, what is wrong, what failed and what is worth knowing."""
        said = []
        for name, findings in self.findings.items():
            said += [f"{name}: {self.wrong[name]} ({MUST_BE_ZERO[name]})", *(f"    {finding}" for finding in findings)]
        said += [f"failed {times} times: {what}" for what, times in self.failures.most_common(10)]
        said += [f"{times} watches broke off: {why}" for why, times in self.breaks.most_common(10)]
        return said + [f"note: {note}" for note in self.notes]


_COUNTS = (
    "fallbacks",
    "aheads_without_loss",
    "gaps",
    "lost_as_promised",
    "not_created",
    "faults",
    "games",
    "actions",
)
