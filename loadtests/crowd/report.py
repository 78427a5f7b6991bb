"""A load test as one HTML page: its conditions, its figures, and plots over time. It needs nothing to be looked at."""

import html
import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

_WIDTH, _HEIGHT, _EDGE = 760, 180, 44
_COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b7791f", "#555555")


@dataclass(frozen=True, slots=True)
class Second:
    """What happened in about one second. Times in milliseconds; NaN where nothing happened."""

    at_s: float
    playing: int
    actions_per_s: float
    p50_ms: float
    p99_ms: float
    refused: int
    updates_per_s: float
    cpu: Mapping[str, float]
    """Cores that each part used."""


def conditions(options: Mapping[str, Any]) -> dict[str, str]:
    """Return what a result holds for: the options, and the kind of machine; nothing that names one."""
    own = {
        "CPUs": str(os.cpu_count()),
        "Python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
    }
    return own | {name: str(value) for name, value in options.items() if value not in ("", [], None)}


def figures(seconds: Sequence[Second], recovered_s: Sequence[float]) -> dict[str, str]:
    """Return the medians over time, and what reconnecting took."""
    busy = [one for one in seconds if one.actions_per_s > 0]
    if not busy:
        return {"accepted actions": "none"}
    total = [sum(one.cpu.values()) for one in busy]
    made = {
        "accepted actions/s, median": f"{statistics.median(one.actions_per_s for one in busy):,.0f}",
        "accepted actions/s, best second": f"{max(one.actions_per_s for one in busy):,.0f}",
        "p50, median": f"{statistics.median(one.p50_ms for one in busy):.1f} ms",
        "p99, median": f"{statistics.median(one.p99_ms for one in busy):.1f} ms",
        "p99, worst second": f"{max(one.p99_ms for one in busy):.1f} ms",
        "refused": f"{sum(one.refused for one in seconds):,}",
    }
    if any(total):
        made["actions per CPU second of all processes"] = f"{sum(one.actions_per_s for one in busy) / sum(total):,.0f}"
    if recovered_s:
        ordered = sorted(recovered_s)
        made["watchers connected, times"] = f"{len(ordered):,}"
        made["until the game shows, p50"] = f"{1000 * statistics.median(ordered):.0f} ms"
        made["until the game shows, p99"] = f"{1000 * ordered[int(len(ordered) * 0.99)]:.0f} ms"
    return made


def plot(title: str, unit: str, lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return lines of (time, value) as an SVG picture with axes and a legend. NaN makes a gap."""
    points = [point for line in lines.values() for point in line if point[1] == point[1]]
    max_x = max((x for x, _ in points), default=1.0) or 1.0
    max_y = max((y for _, y in points), default=1.0) or 1.0
    inner_w, inner_h = _WIDTH - 2 * _EDGE, _HEIGHT - 2 * _EDGE + 20

    def place(x: float, y: float) -> str:
        return f"{_EDGE + inner_w * x / max_x:.1f},{_EDGE + inner_h * (1 - y / max_y):.1f}"

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(title)}">']
    parts.append(f'<text x="{_EDGE}" y="16" class="title">{html.escape(title)} ({html.escape(unit)})</text>')
    for share in (0, 0.5, 1):
        y = _EDGE + inner_h * (1 - share)
        parts.append(f'<line x1="{_EDGE}" x2="{_WIDTH - _EDGE}" y1="{y:.0f}" y2="{y:.0f}" class="grid"/>')
        parts.append(f'<text x="{_EDGE - 6}" y="{y + 4:.0f}" text-anchor="end">{max_y * share:,.3g}</text>')
    parts.append(f'<text x="{_WIDTH - _EDGE}" y="{_HEIGHT - 4}" text-anchor="end">{max_x:.0f} s</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        runs = (" ".join(place(x, y) for x, y in run) for run in _runs(line))
        parts.extend(f'<polyline points="{run}" stroke="{colour}"/>' for run in runs)
        x = _WIDTH - _EDGE - 90 * (len(lines) - number)
        parts.append(f'<text x="{x}" y="32" fill="{colour}">{html.escape(name)}</text>')
    return "".join([*parts, "</svg>"])


def _runs(line: Sequence[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in line:
        if y == y:
            runs[-1].append((x, y))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def page(title: str, under: Mapping[str, str], seconds: Sequence[Second], recovered_s: Sequence[float]) -> str:
    """Return the page."""

    def table(rows: Mapping[str, str]) -> str:
        return "<table>" + "".join(f"<tr><th>{html.escape(k)}<td>{html.escape(v)}" for k, v in rows.items()) + "</table>"

    def series(name: str) -> list[tuple[float, float]]:
        return [(one.at_s, float(getattr(one, name))) for one in seconds]

    processes = sorted({process for one in seconds for process in one.cpu})
    plots = [
        plot("Accepted actions", "a second", {"actions": series("actions_per_s")}),
        plot("Action to its last watcher", "ms", {"p50": series("p50_ms"), "p99": series("p99_ms")}),
        plot("Playing", "sessions", {"sessions": series("playing")}),
        plot("Updates that watchers saw", "a second", {"updates": series("updates_per_s")}),
        plot("CPU", "cores", {process: [(one.at_s, one.cpu.get(process, 0.0)) for one in seconds] for process in processes}),
    ]
    style = (
        "body{font:14px system-ui;margin:2em auto;max-width:820px;color:#222}svg{width:100%;font:11px system-ui}"
        "polyline{fill:none;stroke-width:1.5}.grid{stroke:#ddd}.title{font-weight:600}th{text-align:left;padding-right:2em;"
        "font-weight:400;color:#555}table{margin:1em 0}"
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{style}</style>"
        f"<h1>{html.escape(title)}</h1>{table(figures(seconds, recovered_s))}<h2>Conditions</h2>{table(under)}"
        f"{''.join(plots)}</html>\n"
    )


def kept(seconds: Sequence[Second], under: Mapping[str, str], recovered_s: Sequence[float]) -> dict[str, Any]:
    """Return everything as JSON keeps it, to be compared later."""
    return {
        "conditions": dict(under),
        "figures": figures(seconds, recovered_s),
        "seconds": [asdict(one) | {"cpu": dict(one.cpu)} for one in seconds],
    }
