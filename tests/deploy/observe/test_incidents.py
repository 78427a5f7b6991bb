"""Alerts are of one namespace, and one incident is one page."""

import json
import re
import subprocess
from pathlib import Path

import yaml

from deploy.observe.alerts import ALERTS
from tests.deploy.chart.rendering import CHART, of, run, things
from tests.deploy.tools import ROOT, prometheus


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


def test_while_a_cause_is_known_its_symptoms_stay_silent_and_nothing_else() -> None:
    (rule,) = yaml.safe_load((ROOT / "deploy" / "observe" / "alertmanager.yaml").read_text())["inhibit_rules"]
    assert rule["equal"] == ["namespace"]

    def chosen(matchers: list[str]) -> set[str]:
        wanted = [re.fullmatch(r'(\w+)(=~?)"(.*)"', matcher) for matcher in matchers]
        assert all(wanted)
        return {
            alert.name
            for alert in ALERTS
            for known in [{"alertname": alert.name, "incident": alert.incident, "severity": alert.severity}]
            if all(re.fullmatch(one[3], known[one[1]]) for one in wanted if one)
        }

    causes, symptoms = chosen(rule["source_matchers"]), chosen(rule["target_matchers"])
    assert {"BrettwerkStoreDown", "BrettwerkServiceMissing"} <= causes
    assert {"BrettwerkCallsFail", "BrettwerkNobodyCanPlay"} <= symptoms
    assert not causes & symptoms
    assert "BrettwerkStoreLosesKeys" not in symptoms, "what is lost is told, whatever else is down"
