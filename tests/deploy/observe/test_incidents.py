"""Alerts are of one namespace, and one incident is one page."""

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
import yaml

from deploy.observe.alerts import ALERTS
from tests.deploy.chart.rendering import CHART, of, run, things
from tests.deploy.served import served
from tests.deploy.tools import ROOT, alertmanager, prometheus
from tests.e2e.stranger import eventually
from tests.ports import free_port

GROUP_WAIT_S = 4


@pytest.mark.nightly
def test_rules_of_a_release_are_silent_about_another_in_the_same_prometheus(tmp_path: Path) -> None:
    made = things(run("template", "brettwerk", str(CHART), "--namespace", "games", "--set", "observe.rules=true"))
    (rule,) = of("PrometheusRule", made)
    (tmp_path / "rules.yaml").write_text(json.dumps(rule["spec"]))
    down = {"interval": "15s", "alert_rule_test": [{"eval_time": "5m", "alertname": "BrettwerkStoreDown", "exp_alerts": []}]}
    series = 'brettwerk_redis_up{{namespace="{}",store="sessions"}}'
    tests = [
        down | {"input_series": [{"series": series.format(namespace), "values": "0x40"}]} for namespace in ("other", "games")
    ]
    for test, is_silent in zip(tests, (True, False), strict=True):
        (tmp_path / "test.yaml").write_text(
            json.dumps({"rule_files": ["rules.yaml"], "evaluation_interval": "15s", "tests": [test]})
        )
        command = [prometheus("promtool"), "test", "rules", str(tmp_path / "test.yaml")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode == 0) == is_silent, done.stdout + done.stderr


class Pager:
    """A real Alertmanager with the configuration that operators are given, and somebody whom it pages."""

    def __init__(self, folder: Path) -> None:
        program = alertmanager()  # before the receiver listens: where there is none, nobody would close that
        self.notified: list[dict[str, Any]] = []
        self._running = ExitStack()
        this = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                this.notified.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *arguments: object) -> None:
                """Say nothing."""

        self._receiver = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        configuration = yaml.safe_load((ROOT / "deploy" / "observe" / "alertmanager.yaml").read_text())
        configuration["route"]["group_wait"] = f"{GROUP_WAIT_S}s"  # a minute otherwise, for the causes that are found later
        hook = {"url": f"http://127.0.0.1:{self._receiver.server_port}/", "send_resolved": False}
        configuration["receivers"][0]["webhook_configs"] = [hook]
        file = folder / "alertmanager.json"
        file.write_text(json.dumps(configuration))  # JSON is YAML, too
        self._address = f"127.0.0.1:{free_port()}"
        self._command = [
            program,
            f"--config.file={file}",
            f"--storage.path={folder / 'kept'}",
            f"--web.listen-address={self._address}",
            "--cluster.listen-address=",
            "--log.level=warn",
        ]

    def __enter__(self) -> Self:
        threading.Thread(target=self._receiver.serve_forever, daemon=True).start()
        self._running.callback(self._receiver.server_close)
        self._running.callback(self._receiver.shutdown)
        self._running.enter_context(served(self._command, f"http://{self._address}/-/ready"))
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def fire(self, *names: str, namespace: str = "games") -> None:
        """Send alerts as Prometheus does, with the labels that the rules give them."""
        known = {alert.name: alert for alert in ALERTS}
        labels = [
            {"alertname": name, "namespace": namespace, "severity": known[name].severity, "incident": known[name].incident}
            for name in names
        ]
        sent = [{"labels": {key: value for key, value in one.items() if value}} for one in labels]
        httpx.post(f"http://{self._address}/api/v2/alerts", json=sent, timeout=10).raise_for_status()

    def received(self) -> list[tuple[str, list[str]]]:
        """Return what came, one entry a notification: the namespace, and the names of its alerts."""
        return [
            (one["groupLabels"]["namespace"], sorted(alert["labels"]["alertname"] for alert in one["alerts"]))
            for one in self.notified
        ]

    def was_notified_about(self, namespace: str) -> bool:
        """Return whether a notification about a namespace came."""
        return any(one == namespace for one, _ in self.received())


@pytest.fixture
def pager(tmp_path: Path) -> Iterator[Pager]:
    with Pager(tmp_path) as made:
        yield made


INCIDENTS = {
    "BrettwerkStoreDown": ("BrettwerkShardsWithoutOwner", "BrettwerkCallsFail", "BrettwerkActionsSlow", "BrettwerkNobodyCanPlay"),
    "BrettwerkServiceMissing": (
        "BrettwerkCallsFail",
        "BrettwerkReplicasMissing",
        "BrettwerkWatchesBreak",
        "BrettwerkNobodyCanPlay",
    ),
    "BrettwerkNoWorkers": ("BrettwerkComputersGiveUp", "BrettwerkPlayersWaitForComputers", "BrettwerkComputersOverdue"),
    "BrettwerkArchiveDown": ("BrettwerkCallsFail", "BrettwerkResultsWait", "BrettwerkArchiveBehind"),
    "BrettwerkDiskFillsUp": ("BrettwerkActionsSlow", "BrettwerkReplicaAway"),
}
"""The alerts that fire in an incident: of its cause, and of what comes of it."""


@pytest.mark.parametrize("cause", INCIDENTS)
def test_an_incident_is_one_page_and_that_is_its_cause(pager: Pager, cause: str) -> None:
    pager.fire(*INCIDENTS[cause])  # symptoms are often seen first
    pager.fire(cause)
    pager.fire("BrettwerkBackupOld", namespace="other")
    eventually(lambda: pager.was_notified_about("other"), within_s=60)
    eventually(lambda: pager.was_notified_about("games"), within_s=60)
    assert sorted(pager.received()) == [("games", [cause]), ("other", ["BrettwerkBackupOld"])]


def test_symptoms_without_a_known_cause_are_one_page_with_all_of_them(pager: Pager) -> None:
    symptoms = INCIDENTS["BrettwerkStoreDown"]
    pager.fire("BrettwerkStoreDown", namespace="other")
    pager.fire(*symptoms)
    eventually(lambda: pager.was_notified_about("games"), within_s=60)
    assert ("games", sorted(symptoms)) in pager.received(), "a cause in another namespace hides nothing here"


def test_losses_are_reported_whatever_else_is_down(pager: Pager) -> None:
    pager.fire("BrettwerkStoreDown", "BrettwerkStoreLosesKeys", "BrettwerkCallsFail")
    eventually(lambda: pager.was_notified_about("games"), within_s=60)
    assert pager.received() == [("games", ["BrettwerkStoreDown", "BrettwerkStoreLosesKeys"])]


def test_every_page_is_a_cause_a_symptom_or_news_of_its_own_and_only_pages_are_causes() -> None:
    assert {alert.incident for alert in ALERTS} == {"", "cause", "symptom"}
    assert all(alert.severity == "page" for alert in ALERTS if alert.incident == "cause")
    alone = {alert.name for alert in ALERTS if alert.severity == "page" and not alert.incident}
    assert alone == {"BrettwerkCertificateExpires", "BrettwerkStoreLosesKeys"}


@pytest.mark.skipif(shutil.which("amtool") is None, reason="amtool is not installed (apt install prometheus-alertmanager)")
def test_amtool_takes_the_configuration() -> None:
    checked = ["amtool", "check-config", str(ROOT / "deploy" / "observe" / "alertmanager.yaml")]
    done = subprocess.run(checked, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
