"""Grafana's dashboards, put together from rows of panels. Only what differs between panels is said."""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias

from deploy.observe.promql import INSTANCE, alerts, series
from deploy.observe.words import BOUND, COLOURS, WORDS

FIRST, PLAYERS, COMPUTERS, SERVICES, STORES = (
    f"brettwerk-{name}" for name in ("overview", "players", "workers", "services", "redis")
)
"""The `uid` of each dashboard. They never change: links lead to them."""
SOURCE = {"type": "prometheus", "uid": "${source}"}
_WIDTH = 24
_HEIGHTS = {"stat": 4, "timeseries": 10, "table": 6}
_MAX_IN_ROW = {"stat": 6, "timeseries": 3, "table": 1}
"""How many are side by side."""

Kind: TypeAlias = Literal["timeseries", "stat", "table"]


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: its queries with their legends, and a unit of Grafana's.

    The bounds of what is shown are drawn on an axis of their own, on the right: a bound that is far away would press it flat.
    """

    title: str
    about: str
    queries: Sequence[tuple[str, str]]
    unit: str = "short"
    kind: Kind = "timeseries"
    limit: float | None = None
    """From there on it is red."""
    bounds: Sequence[tuple[str, str]] = ()
    needs: str = ""
    """Without which it is empty; other panels have something to show wherever processes are seen."""
    is_truth: bool = False
    """Whether 1 means yes and 0 no, which is red."""
    zero: str = ""
    """The text that is shown instead of 0."""
    leads_to: str = ""
    """The `uid` of the dashboard that says more."""
    has_exemplars: bool = False
    """Whether single calls are shown as points that lead to their traces, where there are traces."""

    def json(self, width: int, x: int, y: int) -> dict[str, Any]:
        """Return it as Grafana wants it, in its place."""
        made: dict[str, Any] = {
            "id": panel_id(self.title),
            "type": self.kind,
            "title": self.title,
            "description": self.about + (f" Needs {self.needs}." if self.needs else ""),
            "datasource": SOURCE,
            "gridPos": {"h": _HEIGHTS[self.kind], "w": width, "x": x, "y": y},
            "fieldConfig": {"defaults": self._defaults(), "overrides": list(self._overrides())},
            "options": _OPTIONS[self.kind]
            | ({"colorMode": "background"} if self._is_judged and self.kind == "stat" and not self.needs else {}),
            "targets": [
                {"refId": chr(65 + i), "datasource": SOURCE, "expr": query, "legendFormat": legend, **self._asked()}
                for i, (query, legend) in enumerate((*self.queries, *self.bounds))
            ],
        }
        if self.kind == "table":
            made["transformations"] = [{"id": "organize", "options": {"excludeByName": {"Time": True}}}]
        return made

    @property
    def _is_judged(self) -> bool:
        return self.is_truth or self.limit is not None

    def _asked(self) -> dict[str, Any]:
        if self.kind == "table":
            return {"instant": True, "format": "table"}
        return {"exemplar": True} if self.has_exemplars else {}

    def _defaults(self) -> dict[str, Any]:
        good: dict[str, Any] = {"color": "green", "value": None}
        bad: dict[str, Any] = {"color": BOUND, "value": self.limit}
        steps = [good if self._is_judged or self.kind != "stat" else {"color": "blue", "value": None}]
        words = {"0": {"text": self.zero}} if self.zero else {}
        if self.limit is not None:
            steps.append(bad)
        if self.is_truth:
            steps = [bad, {"color": "green", "value": 1}]
            words = {"0": {"text": "no"}, "1": {"text": "yes"}}
        defaults: dict[str, Any] = {
            "unit": self.unit,
            "min": 0,
            "custom": {},
            "mappings": [{"type": "value", "options": words}] if words else [],
            "thresholds": {"mode": "absolute", "steps": steps},
        }
        if self.kind == "timeseries":
            defaults["color"] = {"mode": "palette-classic"}
            defaults["custom"] = {"lineWidth": 1, "fillOpacity": 8, "showPoints": "never"}
            if self.limit is not None:
                defaults["custom"]["thresholdsStyle"] = {"mode": "dashed"}
        if self.needs and self.kind == "stat":
            defaults["noValue"] = "not known"
        if self.leads_to:
            url = f"/d/{self.leads_to}?${{source:queryparam}}&${{namespace:queryparam}}&${{__url_time_range}}"
            defaults["links"] = [{"title": "Look there", "url": url}]
        return defaults

    def _overrides(self) -> Iterator[dict[str, Any]]:
        if self.kind == "table":
            yield from _ALERT_COLUMNS
        for _, legend in self.queries if self.kind == "timeseries" else ():
            label = next(iter(re.findall(r"^{{(\w+)}}", legend)), "")
            is_all = legend == f"{{{{{label}}}}}"
            colours, words = COLOURS.get(label, {}), WORDS.get(label, {}) if is_all else {}
            if label == "pod":
                colours = COLOURS["service"]
            mode = "fixed" if is_all and label != "pod" else "shades"
            for value in sorted({*colours, *words}):
                # Pods are called after their service: brettwerk-session-6d5f8, or session with the launcher.
                matched = f"/(^|-){value}(-|$)/" if label == "pod" else f"/^{value}( |$)/"
                properties = []
                if value in colours:
                    properties.append({"id": "color", "value": {"mode": mode, "fixedColor": colours[value]}})
                if value in words:
                    properties.append({"id": "displayName", "value": words[value]})
                yield {"matcher": {"id": "byRegexp", "options": matched}, "properties": properties}
        for _, legend in self.bounds:
            matched = re.sub(r"{{\w+}}", ".*", legend)
            yield {
                "matcher": {"id": "byRegexp", "options": f"/^{matched}$/"},
                "properties": [
                    {"id": "color", "value": {"mode": "fixed", "fixedColor": BOUND}},
                    {"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [10, 10]}},
                    {"id": "custom.fillOpacity", "value": 0},
                    {"id": "custom.axisPlacement", "value": "right"},
                    {"id": "custom.axisLabel", "value": "limit"},
                ],
            }


_OPTIONS: dict[str, dict[str, Any]] = {
    "timeseries": {
        "legend": {"displayMode": "table", "placement": "bottom", "showLegend": True, "calcs": ["lastNotNull", "max"]},
        "tooltip": {"mode": "multi", "sort": "desc"},
    },
    "stat": {
        "reduceOptions": {"calcs": ["lastNotNull"]},
        "colorMode": "value",
        "graphMode": "none",
        "textMode": "auto",
        "justifyMode": "auto",
    },
    "table": {"showHeader": True},
}
RUNBOOKS = "docs/runbooks"
"""The chart puts the address where your pages are in its place (observe.runbooks)."""
_ALERT_COLUMNS = (
    {
        "matcher": {"id": "byName", "options": "alertname"},
        "properties": [
            {"id": "displayName", "value": "alert"},
            {
                "id": "links",
                "value": [
                    {"title": "Run book", "url": f"{RUNBOOKS}/${{__value.raw}}.md", "targetBlank": True},
                    {
                        "title": "Its dashboard",
                        "url": "/d/${__data.fields.dashboard}?${source:queryparam}&${namespace:queryparam}",
                    },
                ],
            },
        ],
    },
    {
        "matcher": {"id": "byRegexp", "options": "/^Value/"},
        "properties": [{"id": "displayName", "value": "since"}, {"id": "unit", "value": "dateTimeFromNow"}],
    },
)


def panel_id(title: str) -> int:
    """Return the number of a panel. It follows from the title alone, so links to it stay right when others come and go."""
    return zlib.crc32(title.encode()) % 1_000_000 + 1


def link(board: str, title: str) -> str:
    """Return the address of a panel in any Grafana: that of a dashboard's `uid`, with one panel of it opened."""
    return f"/d/{board}?viewPanel={panel_id(title)}"


@dataclass(frozen=True, slots=True)
class Row:
    """Panels under a heading. They fill their lines, so that there are no holes."""

    title: str
    panels: Sequence[Panel]

    def json(self, y: int) -> tuple[list[dict[str, Any]], int]:
        """Return the heading and its panels as Grafana wants them from a height on, and the height at which they end."""
        place = {"h": 1, "w": _WIDTH, "x": 0, "y": y}
        heading = {"type": "row", "title": self.title, "collapsed": False, "gridPos": place, "panels": []}
        made: list[dict[str, Any]] = [{"id": panel_id(f"row {self.title}"), **heading}]
        y += 1
        for kind, alike in groupby(self.panels, lambda panel: panel.kind):
            left = list(alike)
            for count in _lines(len(left), _MAX_IN_ROW[kind]):
                width = _WIDTH // count
                made += [panel.json(width, width * i, y) for i, panel in enumerate(left[:count])]
                del left[:count]
                y += _HEIGHTS[kind]
        return made, y


def _lines(count: int, most: int) -> Iterator[int]:
    """Yield how many panels each line holds: as evenly as can be, and never five, into which 24 columns cannot be divided."""
    lines = -(-count // most)
    while 5 in (count // lines, -(-count // lines)):
        lines += 1
    for line in range(lines):
        yield count // lines + (line < count % lines)


_CLAIMED = 'kind="claimed"'
_BUILD = series("brettwerk_build_info")
_START = "brettwerk_redis_start_time_seconds"
ANNOTATIONS = (
    ("Alerts", "red", alerts(), "{{alertname}}"),
    (
        "Releases",
        "blue",
        f"count by (version) ({_BUILD}) unless on (version) count by (version) ({_BUILD} offset 1m)",
        "Release {{version}}",
    ),
    (
        "Restarts",
        "yellow",
        f"sum by (pod) (changes({series('process_start_time_seconds')}[1m]) and on ({INSTANCE}) {_BUILD}) > 0",
        "{{pod}} was started again",
    ),
    (
        "Shards taken over",
        "orange",
        f"sum by (pod) (increase({series('brettwerk_shard_changes_total', _CLAIMED)}[1m])) > 0",
        "{{pod}} took over shards of a process that was gone",
    ),
    (
        "Fail-overs of stores",
        "purple",
        f"abs(max by (store) ({series(_START)}) - max by (store) ({series(_START)} offset 1m)) > 5",
        "{{store}}: another server, or the same one started again",
    ),
)
"""Events, drawn as lines through all graphs of a dashboard: name, colour, query, and what is written beside the line."""


@dataclass(frozen=True, slots=True)
class Board:
    """A dashboard."""

    uid: str
    title: str
    about: str
    rows: Sequence[Row]

    @property
    def panels(self) -> Sequence[Panel]:
        """All panels, from the top."""
        return [panel for row in self.rows for panel in row.panels]

    def json(self) -> dict[str, Any]:
        """Return it as Grafana wants it."""
        placed: list[dict[str, Any]] = []
        y = 0
        for row in self.rows:
            made, y = row.json(y)
            placed += made
        return {
            "uid": self.uid,
            "title": self.title,
            "description": self.about,
            "tags": ["brettwerk"],
            "schemaVersion": 39,
            "version": 1,
            "editable": False,
            "graphTooltip": 1,
            "refresh": "10s",
            "time": {"from": "now-1h", "to": "now"},
            "timezone": "browser",
            "links": [
                {
                    "title": "Brettwerk",
                    "type": "dashboards",
                    "tags": ["brettwerk"],
                    "asDropdown": False,
                    "keepTime": True,
                    "includeVars": True,
                }
            ],
            "annotations": {
                "list": [
                    {
                        "name": name,
                        "datasource": SOURCE,
                        "enable": True,
                        "iconColor": colour,
                        "expr": query,
                        "titleFormat": words,
                        "step": "15s",
                    }
                    for name, colour, query, words in ANNOTATIONS
                ]
            },
            "templating": {
                "list": [
                    {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
                    {
                        "name": "namespace",
                        "label": "Namespace",
                        "type": "query",
                        "datasource": SOURCE,
                        "query": "label_values(brettwerk_build_info, namespace)",
                        "includeAll": True,
                        "allValue": ".*",
                        "current": {"text": "All", "value": "$__all"},
                        "refresh": 2,
                    },
                ]
            },
            "panels": placed,
        }
