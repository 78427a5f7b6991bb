"""The values of expressions, by Prometheus' own evaluation of series that a test writes down."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.deploy.tools import ROOT, prometheus

RULES = ROOT / "deploy" / "chart" / "files" / "rules" / "recording.yaml"
_SAMPLE = re.compile(r"\} ([-+.\w]+)(?:,|$)", re.MULTILINE)


def evaluated(folder: Path, series: Mapping[str, str], expression: str, at: str = "10m") -> list[float]:
    """Return the values of the samples that an expression has at a time, with the chart's recording rules.

    `series` are those of a test of promtool, with a value every 5 s. Promtool only says whether it got what was expected: so
    nothing is expected, and what it got is read from its complaint. Raises AssertionError when it complains of something else.
    """
    test: dict[str, Any] = {
        "interval": "5s",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [{"expr": expression, "eval_time": at, "exp_samples": []}],
    }
    file = folder / "expression.test.yaml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "5s", "tests": [test]}))
    command = [prometheus("promtool"), "test", "rules", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 0:
        return []
    _, got, answer = (done.stdout + done.stderr).partition("got:")
    assert got, done.stdout + done.stderr
    return [float(value) for value in _SAMPLE.findall(answer)]
