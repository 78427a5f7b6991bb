"""A real Grafana with the dashboards, and what a browser shows of its pages.

It is one that is installed, or lies in the folder that BRETTWERK_GRAFANA names (with `bin/grafana-server` and `public`). It is
given what the chart installs; only Grafana 7, which is older than the form of these files, gets them in its own.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx
from playwright.sync_api import Browser, Page, Response

from deploy.observe.dashboards import BOARDS, file
from deploy.observe.panels import Board
from deploy.observe.words import COLOURS
from tests.deploy.tools import ROOT
from tests.e2e.stranger import eventually
from tests.ports import free_port
from tests.surroundings import lacking

PROVISIONING = ROOT / "deploy" / "observe" / "grafana"
INSTALLED = Path("/usr/share/grafana")
WIDTH, HEIGHT = 1600, 4200
"""Of the window: panels that are not in sight are not drawn."""
_PANELS = """
    () => [...document.querySelectorAll('.react-grid-item')].map((item) => ({
        text: item.innerText,
        isDrawn: item.querySelector('.panel-loading, [aria-label="Panel loading bar"]') === null
            && (item.querySelector('.dashboard-row, canvas') !== null || item.innerText.trim().includes('\\n')),
        isWrong: item.querySelector('.panel-info-corner--error, [data-testid="data-testid Panel status error"]') !== null,
    }))
"""
_BOTTOM = "Math.max(...[...document.querySelectorAll('.react-grid-item')].map((one) => one.getBoundingClientRect().bottom))"


@dataclass(frozen=True, slots=True)
class Seen:
    """The findings on a page: the titles of its panels without data, and everything that went wrong."""

    panels: int
    empty: Sequence[str]
    errors: Sequence[str]


def home() -> Path:
    """Return the folder of the Grafana that is here; without one the test is skipped."""
    folder = Path(os.environ.get("BRETTWERK_GRAFANA") or INSTALLED)
    if _program(folder) is None:
        lacking("there is no Grafana", "install one, or name its folder in BRETTWERK_GRAFANA", optional=True)
    return folder


def _program(folder: Path) -> str | None:
    own = folder / "bin" / "grafana-server"
    return str(own) if own.exists() else shutil.which("grafana-server") if (folder / "public").exists() else None


class Grafana:
    """A running one, which everybody on this machine may look at; it ends with its block."""

    def __init__(self, folder: Path, prometheus_address: str) -> None:
        """Keep its files in a folder that is not there yet, and ask the Prometheus at host:port."""
        self.address = f"127.0.0.1:{free_port()}"
        self._folder, self._home = folder, home()
        self._prometheus = f"http://{prometheus_address}"

    def __enter__(self) -> Self:
        """Start it; return when it answers."""
        dashboards = self._folder / "dashboards"
        provisioning = shutil.copytree(PROVISIONING, self._folder / "provisioning")
        dashboards.mkdir()
        provider = provisioning / "dashboards" / "brettwerk.yaml"
        provider.write_text(provider.read_text().replace("/dashboards", str(dashboards)))
        host, _, port = self.address.rpartition(":")
        settings = {
            "PROMETHEUS_URL": self._prometheus,
            "GF_PATHS_DATA": str(self._folder / "data"),
            "GF_PATHS_LOGS": str(self._folder / "logs"),
            "GF_PATHS_PROVISIONING": str(provisioning),
            "GF_SERVER_HTTP_ADDR": host,
            "GF_SERVER_HTTP_PORT": port,
            "GF_AUTH_ANONYMOUS_ENABLED": "true",
            "GF_ANALYTICS_REPORTING_ENABLED": "false",
            "GF_ANALYTICS_CHECK_FOR_UPDATES": "false",
        }
        program = _program(self._home)
        assert program is not None
        is_old = " 7." in subprocess.run([program, "-v"], capture_output=True, text=True, check=True).stdout
        for board in BOARDS:
            made = json.loads(file(board).read_text())
            (dashboards / file(board).name).write_text(json.dumps(as_grafana_7_has_it(made) if is_old else made))
        self._log = (self._folder / "grafana.log").open("w")
        self._process = subprocess.Popen(
            [program, "-homepath", str(self._home)],
            env=os.environ | settings,
            cwd=self._home,
            stdout=self._log,
            stderr=self._log,
        )
        eventually(self._has_dashboards, within_s=120)
        return self

    def __exit__(self, *_exception: object) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()
        self._log.close()

    def _has_dashboards(self) -> bool:
        assert self._process.poll() is None, (self._folder / "grafana.log").read_text()
        try:
            found = httpx.get(f"http://{self.address}/api/search?tag=brettwerk", timeout=5).json()
        except (httpx.HTTPError, ValueError):
            return False
        return len(found) == len(BOARDS)

    def look(self, browser: Browser, board: Board, picture: Path | None = None, *, minutes: int = 5) -> Seen:
        """Return what the page of a dashboard shows of the last minutes; write a picture of it if asked to."""
        errors: list[str] = []
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.on("response", lambda response: errors.extend(_refused(response)))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"http://{self.address}/d/{board.uid}?from=now-{minutes}m&to=now&kiosk&refresh=1d")
        panels = _drawn(page, len(board.panels) + len(board.rows))
        if picture is not None:
            bottom = page.evaluate(_BOTTOM)
            page.screenshot(path=picture, clip={"x": 0, "y": 0, "width": WIDTH, "height": min(HEIGHT, bottom + 16)})
        page.close()
        titles = {panel.title for panel in board.panels}
        errors += [f"an error in {_title(panel, titles)}" for panel in panels if panel["isWrong"]]
        return Seen(len(panels), [_title(panel, titles) for panel in panels if "No data" in panel["text"]], errors)


def _drawn(page: Page, panels: int) -> list[dict[str, Any]]:
    """Return the panels of a page when all are there, and have been drawn."""
    page.wait_for_load_state("networkidle")
    found: list[dict[str, Any]] = []

    def is_drawn() -> bool:
        found[:] = page.evaluate(_PANELS)
        return len(found) == panels and all(panel["isDrawn"] for panel in found)

    eventually(is_drawn, within_s=60)
    page.wait_for_load_state("networkidle")
    return page.evaluate(_PANELS)  # type: ignore[no-any-return]


def _title(panel: dict[str, Any], titles: set[str]) -> str:
    text: str = panel["text"]
    return next((line for line in text.splitlines() if line in titles), text)


def _refused(response: Response) -> list[str]:
    """Return what an answer to a question about data complains of."""
    if "/api/datasources/" not in response.url and "/api/ds/" not in response.url:
        return []
    return [] if response.ok else [f"{response.status} {response.url}"]


def as_grafana_7_has_it(board: Any) -> Any:
    """Return a dashboard without what has come since: objects for data sources, words for values, shades, broken lines, axes.

    There two curves of one unit share an axis, so bounds get another unit. What happened is drawn only in graphs of the former
    kind: one panel becomes such a graph.
    """
    if isinstance(board, list):
        return [as_grafana_7_has_it(one) for one in board]
    if not isinstance(board, dict):
        return board
    made = {name: as_grafana_7_has_it(value) for name, value in board.items()}
    if "datasource" in made:
        made["datasource"] = "$source"
    if mappings := made.get("mappings"):
        words = mappings[0]["options"].items()
        made["mappings"] = [{"id": i, "type": 1, "value": value, **word} for i, (value, word) in enumerate(words)]
    if made.get("mode") in ("shades", "dashed"):
        made["mode"] = {"shades": "fixed", "dashed": "line"}[made["mode"]]
    if made.get("title") == "Actions by game":
        made |= {
            "type": "graph",
            "lines": True,
            "xaxis": {"mode": "time", "show": True},
            "yaxes": [{"format": made["fieldConfig"]["defaults"]["unit"], "min": 0, "show": True}, {"show": False}],
            "legend": {"show": True, "values": True, "current": True, "max": True, "alignAsTable": True},
            "aliasColors": dict(COLOURS["game"]),
        }
    if "overrides" in made:
        unit = {"bytes": "decbytes"}.get(made["defaults"]["unit"], "short")
        for override in made["overrides"]:
            if {"id": "custom.axisLabel", "value": "limit"} in override["properties"]:
                override["properties"].append({"id": "unit", "value": unit})
    return made
