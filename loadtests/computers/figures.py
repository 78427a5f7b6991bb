"""Figures of a stretch of time in which the demand was about the same, of what came after it, and how they are shown."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from loadtests import markdown
from loadtests.computers.mix import Company, Level
from loadtests.computers.moves import Story
from loadtests.computers.notes import Notes
from loadtests.metrics import Series

EASY = "easy"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some time with the same tables: `k` times the demand that workers can serve. Times in seconds since 1970."""

    k: float
    tables: int
    people: int
    slots: int
    begin: float
    end: float
    grown: Series
    """By how much the series have grown."""
    cpu_s: Mapping[str, float]
    open_waits_s: Sequence[float]
    """How long people had been waiting for a computer at its end, at the easy level."""

    @property
    def seconds(self) -> float:
        """How long it was."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class Capacity:
    """The capacity of workers when there is always something to think about and nobody waits: measured, not reckoned."""

    slots: int
    """Places of all workers together."""
    cost_s: Mapping[Level, float]
    """For how long a move keeps a place busy when there is time: thinking, and what comes with it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a stretch. Times in seconds; NaN where nothing was measured."""

    k: float
    tables: int
    people: int
    seconds: float
    moves_per_s: float
    of_capacity: float
    """Moves a second, each counted by how long it keeps a place busy when there is time, as a share of all places."""
    fallbacks: int
    easy_moves: int
    easy_p50_s: float
    easy_p95_s: float
    easy_longest_s: float
    other_p95_s: float
    """Of persons' tables at other levels."""
    in_turn_p95_s: float
    """Of moves of persons' computers that do not begin a turn."""
    hints: int
    hints_failed: int
    hint_p50_s: float
    hint_p95_s: float
    longest_wait_s: Mapping[str, float]
    """By who waits."""
    share_of_thinking: Mapping[str, float]
    """Thinking time that was granted, as a share of what levels name, by who waits."""
    busy: float
    """Thinking as a share of the time of all places."""
    wasted: float
    """Thinking that was not played, as a share of all."""
    cores: Mapping[str, float]
    """CPU seconds a second, by process."""


@dataclass(slots=True)
class Outcome:
    """Everything that a run found out."""

    conditions: Mapping[str, str]
    cost_s: Mapping[str, float] = field(default_factory=dict)
    """For how long a move of a game and level keeps a place busy when there is time."""
    stretches: list[Figures] = field(default_factory=list)
    recovered_s: float = math.nan
    """From the end of overload until waits were as at k = 1."""
    recovered_by_workers_s: float = math.nan
    """From when added workers were ready until then."""
    stuck: int = 0
    fallbacks: int = 0
    waits_shown: int = 0
    refusals: Mapping[str, int] = field(default_factory=dict)
    tracebacks: int = 0

    def kept(self) -> dict[str, Any]:
        """Return it as JSON keeps it: what was not measured is null."""
        whole: dict[str, Any] = _without_nan(asdict(self))
        return whole


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of all are; NaN of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


def cost_s(story: Story, begin: float, end: float, slots: int, named_s: float) -> float:
    """Return for how long a move keeps a place busy, by how many were made while there was always one to think about.

    `named_s`: what it is taken to be where none was made.
    """
    made = len(story.made(begin, end))
    return slots * (end - begin) / made if made else named_s


def figures(stretch: Stretch, story: Story, notes: Notes, able: Capacity, easy_bar_s: float) -> Figures:
    """Return the figures of a stretch. Who has been waiting for longer than `easy_bar_s` at its end counts, too."""
    begin, end = stretch.begin, stretch.end
    made = story.made(begin, end)
    waits = [wait for wait in notes.waits if begin <= wait.at < end]
    easy = [wait.seconds for wait in waits if wait.opens and wait.kind.level == EASY]
    easy += [seconds for seconds in stretch.open_waits_s if seconds > easy_bar_s]
    hints = [hint for hint in notes.hints if begin <= hint.at < end]
    taken = [hint.seconds for hint in hints if not hint.refused]
    worth = sum(able.cost_s[move.kind.at] for move in made) / stretch.seconds
    thought = stretch.grown.total("brettwerk_ai_thought_seconds_total")
    used = sum(stretch.grown.total("brettwerk_ai_thought_seconds_total", outcome=outcome) for outcome in ("played", "reviewed"))
    return Figures(
        k=stretch.k,
        tables=stretch.tables,
        people=stretch.people,
        seconds=stretch.seconds,
        moves_per_s=len(made) / stretch.seconds,
        of_capacity=worth / able.slots,
        fallbacks=sum(move.is_fallback for move in made),
        easy_moves=len(easy),
        easy_p50_s=percentile(easy, 0.5),
        easy_p95_s=percentile(easy, 0.95),
        easy_longest_s=max(easy, default=math.nan),
        other_p95_s=percentile([wait.seconds for wait in waits if wait.opens and wait.kind.level != EASY], 0.95),
        in_turn_p95_s=percentile([wait.seconds for wait in waits if not wait.opens], 0.95),
        hints=len(hints),
        hints_failed=len(hints) - len(taken),
        hint_p50_s=percentile(taken, 0.5),
        hint_p95_s=percentile(taken, 0.95),
        longest_wait_s={company.value: story.longest_wait_s(company, begin, end) for company in Company},
        share_of_thinking=_shares(stretch.grown),
        busy=thought / (stretch.slots * stretch.seconds),
        wasted=1 - used / thought if thought else math.nan,
        cores={process: spent / stretch.seconds for process, spent in stretch.cpu_s.items()},
    )


def recovered_s(story: Story, end_of_overload: float, until: float, usual_s: Mapping[Company, float]) -> float:
    """Return after how many seconds waits are as usual and stay so for three seconds; infinite when they never are until then.

    `usual_s`: what nine in ten waits are within, by who waits. Moves are counted in the second in which they are made, and waits
    that are not over in every second.
    """
    calm = 0
    seconds = int(until - end_of_overload)
    for second in range(seconds):
        begin = end_of_overload + second
        now = [move for move in (*story.moves, *story.unanswered) if move.wanted_at < begin + 1 and move.at >= begin]
        late = sum(min(move.at, begin + 1) - move.wanted_at > usual_s[move.kind.company] for move in now)
        calm = calm + 1 if late <= 0.1 * len(now) else 0
        if calm == 3:
            return float(second - 2)
    return math.inf


def table(outcome: Outcome) -> str:
    """Return everything as Markdown."""
    shown = outcome.stretches
    lines = [
        "When there is time, a move keeps a place busy for: "
        + ", ".join(f"{at} {1000 * cost:,.0f} ms" for at, cost in outcome.cost_s.items())
        + ".",
        "",
        markdown.head(["", *(f"k = {one.k:g}" for one in shown)]),
    ]

    def row(name: str, values: Sequence[str]) -> None:
        lines.append(markdown.row((name, *values)))

    row("tables (persons)", [f"{one.tables} ({one.people})" for one in shown])
    row("moves/s", [f"{one.moves_per_s:,.1f}" for one in shown])
    row("of capacity", [f"{one.of_capacity:.2f}" for one in shown])
    row("moves not thought about", [f"{one.fallbacks}" for one in shown])
    row("easy level, p50 / p95 / longest (moves)", [_easy(one) for one in shown])
    row("other levels of persons, p95", [_s(one.other_p95_s) for one in shown])
    row("within a turn, p95", [_s(one.in_turn_p95_s) for one in shown])
    row("hints, p50 / p95 (failed of all)", [_hints(one) for one in shown])
    for company in Company:
        row(f"longest wait: {company.value}", [_s(one.longest_wait_s[company.value]) for one in shown])
    for name in sorted({name for one in shown for name in one.share_of_thinking}):
        row(f"thinking granted: {name}", [f"{one.share_of_thinking.get(name, math.nan):.2f}" for one in shown])
    row("places that think", [f"{one.busy:.2f}" for one in shown])
    row("thinking wasted", [f"{one.wasted:.3f}" for one in shown])
    for process in shown[0].cores if shown else ():
        row(f"cores: {process}", [f"{one.cores.get(process, math.nan):.2f}" for one in shown])
    lines += [
        "",
        f"Urgency as at k = 1: {_s(outcome.recovered_s)} after the end of overload, "
        f"{_s(outcome.recovered_by_workers_s)} after added workers were ready. "
        f"Stuck tables: {outcome.stuck}. Moves not thought about in all: {outcome.fallbacks}. "
        f"Refused: {dict(outcome.refusals) or 'nothing'}. Tracebacks: {outcome.tracebacks}.",
    ]
    return "\n".join(lines)


def _shares(grown: Series) -> dict[str, float]:
    name, found = "brettwerk_ai_think_share", {}
    for (series, labels), count in grown.values.items():
        if series == f"{name}_count" and count:
            who = dict(labels)["class"]
            found[who] = grown.total(f"{name}_sum", **{"class": who}) / grown.total(f"{name}_count", **{"class": who})
    return found


def _s(seconds: float) -> str:
    return "–" if math.isnan(seconds) else f"{seconds:.2f} s"


def _easy(one: Figures) -> str:
    return f"{_s(one.easy_p50_s)} / {_s(one.easy_p95_s)} / {_s(one.easy_longest_s)} ({one.easy_moves})"


def _hints(one: Figures) -> str:
    return f"{_s(one.hint_p50_s)} / {_s(one.hint_p95_s)} ({one.hints_failed} of {one.hints})"


def _without_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    return value
