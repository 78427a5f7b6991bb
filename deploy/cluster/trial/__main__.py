"""The trial, in the node's network; deploy/cluster/try starts it: FOLDER TAG TABLES MINUTES SECTIONS [FILE]."""

import base64
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import grpc

from brettwerk_client import Client
from deploy.cluster.place import ROOT, Place
from deploy.cluster.release import last
from deploy.cluster.trial.autoscalers import absent
from deploy.cluster.trial.cluster import RELEASE, Cluster
from deploy.cluster.trial.installation import Installation
from deploy.cluster.trial.players import TIMING, Players
from deploy.cluster.trial.report import Report, page
from deploy.cluster.trial.trial import Trial

ENDPOINT = f"{RELEASE}-gateway:7800"


def main(arguments: Sequence[str]) -> int:
    """Run the trial; return 0 when all was well."""
    folder, tag, tables, minutes, sections, *results = arguments
    os.chdir(ROOT)
    place = Place(Path(folder))
    cluster = Cluster(place)
    report = Report(time.strftime("%Y-%m-%d"), _commit(), _versions(cluster), _machine())
    players = Players(_opener(cluster), int(tables))
    report.absent += absent(cluster)
    installation = Installation(cluster, report, tag)
    chosen = sections.split(",")
    release = last() if "releases" in chosen else None
    Trial(installation, players, place, report, release, float(minutes), chosen).run()
    text = page(report)
    print(text)
    for file in results:
        Path(file).write_text(text)
    return 0 if report.is_well else 1


def _opener(cluster: Cluster) -> Callable[[str], Client]:
    """Return what opens a client: by the name of the gateway's service, and trusting the release's authority."""

    def opened(name: str) -> Client:
        encoded = cluster.kubectl("get", "secret", f"{RELEASE}-gateway-tls", "-o", r"jsonpath={.data.ca\.crt}")
        credentials = grpc.ssl_channel_credentials(base64.b64decode(encoded))
        return Client(ENDPOINT, name=name, tls=credentials, timing=TIMING)

    return opened


def _commit() -> str:
    git = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(git, capture_output=True, text=True, timeout=60, check=False).stdout.strip() or "unknown"


def _versions(cluster: Cluster) -> dict[str, str]:
    return {
        "Kubernetes": cluster.server_version(),
        "containers": cluster.runtime(),
        "Helm": cluster.helm("version", "--short").strip(),
        "PostgreSQL": subprocess.run(["psql", "--version"], capture_output=True, text=True, check=False).stdout.strip(),
    }


def _machine() -> str:
    load = os.getloadavg()[1]
    return f"{os.cpu_count()} CPUs, load {load:.1f} when it began"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
