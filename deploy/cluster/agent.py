"""Stands in for kube-proxy and CoreDNS on one node: `python -m deploy.cluster.agent FOLDER`, in the node's network."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from deploy.cluster import routing, settings
from deploy.cluster.api import Api
from deploy.cluster.place import Place

EVERY_S = 0.3


class Agent:
    """Asks for services and their pods again and again, and keeps iptables and names as they say."""

    def __init__(self, place: Place) -> None:
        self._api = Api(place)
        self._names: routing.Names = {}
        self._rules: Sequence[str] = ()

    def run(self) -> None:
        """Never end; what fails is written to the log, and tried again."""
        threading.Thread(target=self._answer_names, daemon=True).start()
        while True:
            try:
                self._look()
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                print(f"cannot look at services: {error}", file=sys.stderr, flush=True)
            time.sleep(EVERY_S)

    def _look(self) -> None:
        services = self._api.items("/api/v1/services")
        behind = routing.endpoints(self._api.items("/apis/discovery.k8s.io/v1/endpointslices"))
        self._names = routing.names(services, behind)
        rules = routing.rules(services, behind)
        if rules != self._rules:
            text = "\n".join(rules) + "\n"
            subprocess.run(["iptables-restore", "--noflush", "--wait"], input=text, text=True, check=True, timeout=60)
            self._rules = rules

    def _answer_names(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
            listening.bind((settings.DNS, 53))
            while True:
                query, asking = listening.recvfrom(4096)
                try:
                    listening.sendto(routing.answer(query, self._names), asking)
                except (OSError, ValueError) as error:
                    print(f"no answer to {asking}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    Agent(Place(Path(sys.argv[1]))).run()
