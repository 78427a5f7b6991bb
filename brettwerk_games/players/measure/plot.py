"""Plots as SVG files: points with error bars on a line, nothing more."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

WIDTH, HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 44, 60


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its error to both sides, over a place on the x axis with a name."""

    x: float
    y: float
    error: float
    label: str


def write_plot(path: Path, title: str, x_name: str, points: Sequence[Point], *, line: bool, level: float | None = None) -> None:
    """Write points as an SVG file; y is in percent from 0. `line` joins them, `level` is a dashed line to compare with."""
    most = max([point.y + point.error for point in points] + [level or 0.0]) * 1.08 or 1.0
    first, last = min(point.x for point in points), max(point.x for point in points)
    span = (last - first) or 1.0

    def across(x: float) -> float:
        return _LEFT + 20 + (x - first) / span * (WIDTH - _LEFT - _RIGHT - 40)

    def up(y: float) -> float:
        return HEIGHT - _BOTTOM - y / most * (HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{WIDTH / 2}" y="22" text-anchor="middle" font-size="15">{escape(title)}</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_name)}</text>',
    ]
    for tick in _ticks(most):
        y = up(tick)
        parts.append(f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g} %</text>')
    if level is not None:
        y = up(level)
        dashes = 'stroke="#999" stroke-dasharray="6 4"'
        parts.append(f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" {dashes}/>')
    if line:
        path_points = " ".join(f"{across(p.x):.1f},{up(p.y):.1f}" for p in points)
        parts.append(f'<polyline points="{path_points}" fill="none" stroke="#2f6fc8" stroke-width="2"/>')
    for point in points:
        x = across(point.x)
        low, high = up(max(0.0, point.y - point.error)), up(point.y + point.error)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="#2f6fc8"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{up(point.y):.1f}" r="4" fill="#2f6fc8"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - _BOTTOM + 18}" text-anchor="middle">{escape(point.label)}</text>')
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def _ticks(most: float) -> list[float]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if most / step <= 8)
    return [step * n for n in range(int(most / step) + 1)]
