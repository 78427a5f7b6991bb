"""Plots of a simulated day, as SVG files."""

import itertools
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from loadtests.simulation.tally import Spread, Tally
from loadtests.simulation.workers import WorkersDay

WIDTH, HEIGHT = 760, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 56, 42
_COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b7791f", "#555555")
Line = Sequence[tuple[float, float]]


def lines(title: str, x_name: str, y_name: str, series: Mapping[str, Line], *, ticks: Sequence[float] = ()) -> str:
    """Return lines as an SVG picture with axes and a legend; `ticks` are those of the x axis."""
    most_x = max((x for line in series.values() for x, _ in line), default=1.0) or 1.0
    most_y = (max((y for line in series.values() for _, y in line), default=1.0) or 1.0) * 1.05

    def across(x: float) -> float:
        return _LEFT + x / most_x * (WIDTH - _LEFT - _RIGHT)

    def up(y: float) -> float:
        return HEIGHT - _BOTTOM - y / most_y * (HEIGHT - _TOP - _BOTTOM)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="20" font-size="15">{escape(title)}</text>',
        f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{escape(x_name)}</text>',
        f'<text x="{WIDTH - _RIGHT}" y="20" text-anchor="end" fill="#555">{escape(y_name)}</text>',
    ]
    for tick in _ticks(most_y):
        y = up(tick)
        lines.append(f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:,g}</text>')
    lines += [
        f'<text x="{across(tick):.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">{tick:g}</text>'
        for tick in ticks or _ticks(most_x)
    ]
    x = float(_LEFT)
    for number, (name, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{across(at):.1f},{up(value):.1f}" for at, value in line)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        lines.append(f'<line x1="{x}" x2="{x + 16}" y1="36" y2="36" stroke="{colour}" stroke-width="3"/>')
        lines.append(f'<text x="{x + 21}" y="40">{escape(name)}</text>')
        x += 40 + 7 * len(name)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _ticks(most: float) -> list[float]:
    """Return round numbers from 0, eight at most."""
    for power in itertools.count(-3):
        for step in (1, 2, 5):
            if most / (step * 10.0**power) <= 8:
                return [step * 10.0**power * number for number in range(int(most / (step * 10.0**power)) + 1)]
    raise AssertionError


def write_crowd(folder: Path, tally: Tally) -> None:
    """Write the plots of a day of many deployments."""
    samples, hours = tally.samples, list(range(0, 25, 3))

    def over(values: Sequence[float]) -> Line:
        return [(sample.at_s / 3600, value) for sample, value in zip(samples, values, strict=True)]

    def save(name: str, text: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    games = {"games": over([sample.games / 1e6 for sample in samples])}
    save("crowd-games.svg", lines("Games that are played", "hour (UTC)", "millions", games, ticks=hours))
    cores = {
        component: over([sample.cores[component] for sample in samples]) for component in ("session", "gateway", "rules", "redis")
    }
    cores |= {
        f"{component}, there": over([float(sample.pods[component]) for sample in samples]) for component in ("gateway", "rules")
    }
    save("crowd-cores.svg", lines("Cores in use, and pods of one core", "hour (UTC)", "cores", cores, ticks=hours))
    workers = {
        "wanted": over([sample.cores["worker"] for sample in samples]),
        "there": over([2.0 * sample.pods["worker"] for sample in samples]),
    }
    save("crowd-workers.svg", lines("Thinking", "hour (UTC)", "cores", workers, ticks=hours))
    within = {cause: _within(spread) for cause, spread in sorted(tally.stalls_by_cause.items())}
    save("crowd-stalls.svg", lines("Stopped games that have gone on", "seconds since they stopped", "%", within))


def _within(spread: Spread) -> Line:
    total, count, found = spread.count, 0.0, [(0.0, 0.0)]
    for step in sorted(spread.steps):
        count += spread.steps[step]
        found.append((step / 10, 100 * count / total))
    return found


def write_day(folder: Path, day: WorkersDay, name: str) -> None:
    """Write the plots of a day of workers."""
    hours = list(range(0, 25, 3))

    def over(values: Sequence[float]) -> Line:
        return [(minute.at_s / 3600, value) for minute, value in zip(day.minutes, values, strict=True)]

    slots = {
        "slots": over([float(minute.slots) for minute in day.minutes]),
        "wanted": over([minute.wanted for minute in day.minutes]),
    }
    waits = {"longest": over([minute.longest_wait for minute in day.minutes])}
    folder.mkdir(parents=True, exist_ok=True)
    title = "Moves that can be computed at once, and moves that are wanted"
    (folder / f"{name}.svg").write_text(lines(title, "hour", "moves at once", slots, ticks=hours), encoding="utf-8")
    title = "How long persons wait for a computer to begin"
    (folder / f"{name}-waits.svg").write_text(lines(title, "hour", "s, by minute", waits, ticks=hours), encoding="utf-8")
