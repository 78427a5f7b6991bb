"""A real Prometheus that reads what the pods of the release measure, for an adapter that makes figures for autoscalers of it."""

import json
import shutil
import subprocess
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from deploy.cluster import settings
from deploy.cluster.trial.cluster import Cluster
from deploy.local import observe

PROGRAM = "prometheus"
_PORT, _METRICS_PORT = 9090, 9000
_EVERY_S = 2.0
"""How often it is looked which pods there are: the distribution's Prometheus does not ask the API server itself."""


class Prometheus:
    """Listens at the first node's address, where pods reach it, until it is closed."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._ends = threading.Event()
        self._undo = ExitStack()

    def __enter__(self) -> "Prometheus":
        """Start it."""
        with ExitStack() as undo:
            folder = Path(undo.enter_context(tempfile.TemporaryDirectory()))
            targets = folder / "pods.json"
            configuration = {
                "global": {"scrape_interval": "5s", "scrape_timeout": "4s", "evaluation_interval": "5s"},
                "rule_files": [str(observe.RULES / "recording.yaml")],
                "scrape_configs": [
                    {"job_name": "pods", "file_sd_configs": [{"files": [str(targets)], "refresh_interval": "5s"}]}
                ],
            }
            file = folder / "prometheus.yml"
            file.write_text(json.dumps(configuration))  # JSON is YAML, too
            process = subprocess.Popen(observe.command(PROGRAM, file, f"{settings.ADDRESS}:{_PORT}"))
            undo.callback(process.wait, 60)
            undo.callback(process.terminate)
            looking = threading.Thread(target=self._look, args=(targets,))
            looking.start()
            undo.callback(looking.join, 60)
            undo.callback(self._ends.set)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        """End it; all that it knew is gone."""
        self._undo.close()

    def _look(self, targets: Path) -> None:
        new = targets.with_suffix(".new")
        while not self._ends.is_set():
            found = [
                {"targets": [f"{pod.address}:{_METRICS_PORT}"], "labels": {"namespace": settings.NAMESPACE, "pod": pod.name}}
                for pod in self._cluster.pods()
                if pod.address and not pod.component.startswith("redis")
            ]
            new.write_text(json.dumps(found))
            new.replace(targets)
            self._ends.wait(_EVERY_S)


def can_run() -> bool:
    """Return whether there is one on this machine."""
    return shutil.which(PROGRAM) is not None
