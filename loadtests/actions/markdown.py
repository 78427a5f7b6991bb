"""The results as Markdown: a table for each game, and what the bars say."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from loadtests.actions.bars import Verdict
from loadtests.actions.figures import Result, Spread, Window
from loadtests.actions.systems import OTHER
from loadtests.markdown import row as line
from loadtests.markdown import table

_PROCESSES = ("gateway", "session", "rules", "redis")
COLUMNS = 110
"""How wide a table may be: what is pasted into README.md fits a forge and a terminal."""


def markdown(results: Sequence[Result], verdicts: Sequence[Verdict], under: Mapping[str, str]) -> str:
    """Return all of it."""
    lines = ["Conditions: " + ", ".join(f"{name} {value}" for name, value in under.items()) + ".", ""]
    for game in dict.fromkeys(result.game for result in results):
        lines += [f"### {game}", "", *_table([result for result in results if result.game == game]), ""]
    if verdicts:
        judged = [(v.game, v.what, v.bar, v.measured, "met" if v.met else "**missed**") for v in verdicts]
        lines += [table(("game", "bar", "aim", "measured", ""), judged), ""]
    faults = Counter(f"{result.game}, {result.measure}: {fault}" for result in results for fault in result.faults)
    lines.append("Faults:" if faults else "Faults: none.")
    return "\n".join([*lines, *(f"- {fault} ({times})" for fault, times in faults.items())])


def _table(results: Sequence[Result]) -> list[str]:
    yardsticks = list(dict.fromkeys(name for result in results for name in result.yardsticks))
    head = [
        "measure",
        "accepted/s",
        "per CPU second",
        "p50 ms",
        "p99 ms",
        f"µs: {', '.join(_PROCESSES)}, others",
        "driver, launcher µs",
    ]
    for name in yardsticks:
        head += [f"{name}: per CPU second", "p50, p99 ms", "ratio"]
    rows = [head]
    for result in results:
        if result.measure == "idle":
            continue
        row = [
            result.what,
            f"{result.of(lambda w: w.per_s).median:,.0f}" + _missed(result.windows),
            result.of(lambda w: w.per_cpu_s).text(),
            result.of(lambda w: w.p50_ms).text(1),
            result.of(lambda w: w.p99_ms).text(1),
            _process_costs(result),
            f"{result.of(lambda w: w.driver_us).median:.0f}, {result.of(lambda w: w.launcher_us).median:.0f}",
        ]
        for name in yardsticks:
            windows = result.yardsticks.get(name, ())
            row += [Spread.of([window.per_cpu_s for window in windows]).text(), _latency(windows), result.ratio(name).text(3)]
        rows.append(row)
    lines = tables(rows) if len(rows) > 1 else []
    for result in results:
        for other in result.yardsticks:
            if other.startswith(OTHER):
                lines += ["", _dearer(result, other)]
        if result.measure == "lone":
            lines += ["", f"A lone action: {result.of(lambda w: w.action_us / 1000).text(2)} ms of CPU."]
        if result.more:
            lines += ["", f"A further watcher: {result.watcher_us.text(1)} µs."]
        if result.measure == "idle":
            lines += ["", _idle(result)]
    return lines


def tables(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of as many tables as fit into the width, each with the first column. The first row is the head."""
    tables: list[list[int]] = [[]]
    for column in range(1, len(rows[0])):
        if tables[-1] and max(len(_line(row, [*tables[-1], column])) for row in rows) > COLUMNS:
            tables.append([])
        tables[-1].append(column)
    lines = []
    for columns in tables:
        lines += ["", _line(rows[0], columns), _line(["---"] * len(rows[0]), columns), *(_line(row, columns) for row in rows[1:])]
    return lines[1:]


def _line(row: Sequence[str], columns: Sequence[int]) -> str:
    return line((row[0], *(row[column] for column in columns)))


def _process_costs(result: Result) -> str:
    costs = [result.of(lambda w, process=process: w.process_us(process)).median for process in _PROCESSES]  # type: ignore[misc]
    others = result.of(lambda w: sum(w.process_us(process) for process in w.cpu_s if process not in _PROCESSES)).median
    return ", ".join(f"{cost:,.0f}" for cost in (*costs, others))


def _dearer(result: Result, other: str) -> str:
    percent, error = result.dearer(other)
    pairs = len(result.windows)
    return f"{result.what}: {percent:+.1f} % of CPU for an action beside {other}, ± {error:.1f} (standard error, {pairs} pairs)."


def _missed(windows: Sequence[Window]) -> str:
    missed = sum(window.missed for window in windows)
    return f" ({missed:,} given up)" if missed else ""


def _latency(windows: Sequence[Window]) -> str:
    p50, p99 = Spread.of([w.p50_ms for w in windows]).median, Spread.of([w.p99_ms for w in windows]).median
    return "" if math.isnan(p50) else f"{p50:.1f}, {p99:.1f}"


def _idle(result: Result) -> str:
    def share(windows: Sequence[Window]) -> str:
        return Spread.of([100 * window.cores for window in windows]).text(1)

    processes = ", ".join(
        f"{name} {100 * Spread.of([w.cpu_s[name] / w.seconds for w in result.windows]).median:.1f}" for name in result.processes
    )
    line = f"Idle, {result.what}: {share(result.windows)} % of a core ({processes}); without any session {share(result.base)} %"
    return line + "".join(f"; {name} {share(windows)} %" for name, windows in result.yardsticks.items()) + "."
