"""Stands in for CoreDNS where it cannot be built: `python -m deploy.cluster.agent FOLDER`, in the first node's network."""

import socket
import sys
import threading
import time
from pathlib import Path

from deploy.cluster import names, settings
from deploy.cluster.api import Api
from deploy.cluster.place import Place

EVERY_S = 0.3


class Agent:
    """Asks for services and their pods again and again, and answers for their names."""

    def __init__(self, place: Place) -> None:
        self._api = Api(place)
        self._names: names.Names = {}

    def run(self) -> None:
        """Never end; what fails is written to the log, and tried again."""
        threading.Thread(target=self._answer_names, daemon=True).start()
        while True:
            try:
                self._look()
            except (OSError, ValueError) as error:
                print(f"cannot look at services: {error}", file=sys.stderr, flush=True)
            time.sleep(EVERY_S)

    def _look(self) -> None:
        services = self._api.items("/api/v1/services")
        behind = names.endpoints(self._api.items("/apis/discovery.k8s.io/v1/endpointslices"))
        self._names = names.names(services, behind)

    def _answer_names(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
            listening.bind((settings.DNS, 53))
            while True:
                query, asking = listening.recvfrom(4096)
                try:
                    listening.sendto(names.answer(query, self._names), asking)
                except (OSError, ValueError) as error:
                    print(f"no answer to {asking}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    Agent(Place(Path(sys.argv[1]))).run()
