"""One process of a service on one of the hosts, with an address of its own and the ports of the chart."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from deploy.local.options import ROOT
from loadtests.machines.namespaces import Namespace
from loadtests.metrics import read
from services.runtime.probe import answers, serves

MODULES: Mapping[str, str] = {
    "rules": "services.rules",
    "ai": "services.ai",
    "players": "services.players",
    "session": "services.session",
    "worker": "services.ai.worker",
    "gateway": "gateway",
}
"""The services in the order in which they are begun."""
PORTS: Mapping[str, int] = {"rules": 7801, "session": 7802, "ai": 7803, "players": 7804, "gateway": 7800}
LINK_PORTS: Mapping[str, int] = {"rules": 7811, "session": 7812}
WEB_PORT, METRICS_PORT, HEALTH_PORT = 8000, 9000, 9001
END_S = 60.0
"""How long a pod may take to end by itself."""
PROBE_S = 3.0


def name_of(service: str) -> str:
    """Return the name that leads to the pods of a service."""
    return f"brettwerk-{service}"


def common_settings() -> dict[str, str]:
    """Return the settings with which pods find each other, as the chart gives them."""
    return {
        "BRETTWERK_RULES_ADDRESS": f"dns:///{name_of('rules')}:{PORTS['rules']}",
        "BRETTWERK_SESSION_ADDRESS": f"dns:///{name_of('session')}:{PORTS['session']}",
        "BRETTWERK_AI_ADDRESS": f"dns:///{name_of('ai')}:{PORTS['ai']}",
        "BRETTWERK_PLAYERS_ADDRESS": f"dns:///{name_of('players')}:{PORTS['players']}",
        "BRETTWERK_RULES_LINK_ADDRESS": f"{name_of('rules')}:{LINK_PORTS['rules']}",
        "BRETTWERK_SESSION_LINK_ADDRESS": f"{name_of('session')}:{LINK_PORTS['session']}",
        "BRETTWERK_DRAIN_S": "5",
        "BRETTWERK_GRACE_S": "20",
        "BRETTWERK_WEB_FOLDER": "",
        "BRETTWERK_TABLES_STONES": "0",
        "BRETTWERK_WORKER_CONCURRENCY": "1",
    }


def own_settings(service: str, address: str) -> dict[str, str]:
    """Return where a pod listens."""
    own = {
        "BRETTWERK_GATEWAY_LISTEN": f"{address}:{PORTS['gateway']}",
        "BRETTWERK_HTTP_LISTEN": f"{address}:{WEB_PORT}",
        "BRETTWERK_METRICS_LISTEN": f"{address}:{METRICS_PORT}",
        "BRETTWERK_HEALTH_LISTEN": f"{address}:{HEALTH_PORT}",
    }
    if service in PORTS:
        own["BRETTWERK_LISTEN"] = f"{address}:{PORTS[service]}"
    if service in LINK_PORTS:
        own["BRETTWERK_LINK_LISTEN"] = f"{address}:{LINK_PORTS[service]}"
    return own


class Pod:
    """One process."""

    def __init__(self, name: str, service: str, host: Namespace, address: str, settings: Mapping[str, str], log: Path) -> None:
        """Start it; it may not be ready yet. `settings` come before its own."""
        self.name, self.service, self.host, self.address, self.log = name, service, host, address, log
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("BRETTWERK_")}
        environment = inherited | common_settings() | own_settings(service, address) | dict(settings)
        command = [sys.executable, "-m", MODULES[service]]

        def start() -> "subprocess.Popen[bytes]":
            with log.open("wb") as output:
                return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)  # noqa: S603

        self.process = host.do(start)

    def is_ready(self) -> bool:
        """Return what the chart's readiness probe finds. Raises RuntimeError when it has ended."""
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.name} has ended: {self.last_words()}")
        if self.service == "worker":
            return answers(f"{self.address}:{METRICS_PORT}/ready", PROBE_S)
        return serves(f"{self.address}:{HEALTH_PORT}", "", PROBE_S)

    def end(self) -> float:
        """End it in order, and return how many seconds it took. Raises RuntimeError when it does not end by itself."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"{self.name} did not end by itself: {self.last_words()}") from None
        return time.monotonic() - began

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()

    def series(self, name: str, **labels: str) -> float:
        """Return the sum of the series of a name with these labels; 0 while it cannot be read."""
        return read([f"{self.address}:{METRICS_PORT}"], name.removesuffix("_total")).total(name, **labels)

    def last_words(self) -> str:
        """Return the end of its log."""
        return self.log.read_text(errors="replace")[-2000:]
