"""Grafana's dashboards, put together from panels. Only what differs between panels is said; the rest is the same for all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

SOURCE = {"type": "prometheus", "uid": "${source}"}
_WIDTH = 24


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: queries with their legends, a unit of Grafana's, and how much of the row it takes (24 for all of it)."""

    title: str
    about: str
    queries: Sequence[tuple[str, str]]
    unit: str = "short"
    width: int = 8
    kind: str = "timeseries"
    limit: float | None = None
    """Above it, it is red."""
    is_truth: bool = False
    """Whether 1 means yes and 0 no, which is red."""

    def json(self, number: int, x: int, y: int) -> dict[str, Any]:
        """Return it as Grafana wants it."""
        steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
        if self.limit is not None:
            steps.append({"color": "red", "value": self.limit})
        if self.is_truth:
            steps = [{"color": "red", "value": None}, {"color": "green", "value": 1}]
        words = [{"type": "value", "options": {"0": {"text": "no"}, "1": {"text": "yes"}}}] if self.is_truth else []
        custom: dict[str, Any] = {}
        if self.kind == "timeseries":
            custom = {"lineWidth": 1, "fillOpacity": 8, "showPoints": "never"}
            if self.limit is not None:
                custom["thresholdsStyle"] = {"mode": "dashed"}
        return {
            "id": number,
            "type": self.kind,
            "title": self.title,
            "description": self.about,
            "datasource": SOURCE,
            "gridPos": {"h": 8, "w": self.width, "x": x, "y": y},
            "fieldConfig": {
                "defaults": {
                    "unit": self.unit,
                    "min": 0,
                    **({} if self.is_truth else {"noValue": "0"}),
                    "custom": custom,
                    "mappings": words,
                    "thresholds": {"mode": "absolute", "steps": steps},
                },
                "overrides": [],
            },
            "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}}
            if self.kind == "timeseries"
            else {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value"},
            "targets": [
                {"refId": chr(65 + i), "datasource": SOURCE, "expr": query, "legendFormat": legend}
                for i, (query, legend) in enumerate(self.queries)
            ],
        }


@dataclass(frozen=True, slots=True)
class Board:
    """A dashboard. Its `uid` never changes: links lead to it."""

    uid: str
    title: str
    about: str
    panels: Sequence[Panel] = field(default_factory=tuple)

    def json(self) -> dict[str, Any]:
        """Return it as Grafana wants it."""
        placed, x, y = [], 0, 0
        for number, panel in enumerate(self.panels, start=1):
            if x + panel.width > _WIDTH:
                x, y = 0, y + 8
            placed.append(panel.json(number, x, y))
            x += panel.width
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
            "links": [{"title": "Brettwerk", "type": "dashboards", "tags": ["brettwerk"], "asDropdown": False, "keepTime": True}],
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
