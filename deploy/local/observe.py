"""A real Prometheus for a deployment: it reads every process's metrics, with the recording rules and alerts of the chart.

The program is one that is installed (`prometheus` on the PATH); what it keeps is gone when the deployment ends.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from deploy.local.launcher_error import LauncherError
from deploy.local.options import ROOT

RULES = ROOT / "deploy" / "chart" / "files" / "rules"
NAMESPACE = "local"
"""The label `namespace` of all series here, which a cluster has by itself. `pod` is the name of the process."""
EVERY = "5s"


def find() -> str:
    """Return the program. Raises LauncherError when there is none, saying what to install."""
    if found := shutil.which("prometheus"):
        return found
    raise LauncherError(
        "--observe needs Prometheus: apt install prometheus, brew install prometheus, or https://prometheus.io/download/"
    )


def write_configuration(folder: Path, targets: Mapping[str, str]) -> Path:
    """Write the configuration for processes and their metrics addresses into a folder and return the file."""
    jobs = [
        {"job_name": process, "static_configs": [{"targets": [address], "labels": {"namespace": NAMESPACE, "pod": process}}]}
        for process, address in targets.items()
    ]
    configuration = {
        "global": {"scrape_interval": EVERY, "scrape_timeout": "4s", "evaluation_interval": EVERY},
        "rule_files": [str(RULES / "*.yaml")],
        "scrape_configs": jobs,
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "prometheus.yml"
    file.write_text(json.dumps(configuration, indent=1))  # JSON is YAML, too
    return file


def command(program: str, configuration: Path, listen: str) -> tuple[str, ...]:
    """Return how it is run at `listen` (host:port)."""
    return (
        program,
        f"--config.file={configuration}",
        f"--storage.tsdb.path={configuration.parent / 'series'}",
        f"--web.listen-address={listen}",
        "--storage.tsdb.retention.time=1d",
        "--enable-feature=exemplar-storage",
        "--log.level=warn",
    )
