"""Enforces network policies on one node: `python -m deploy.cluster.enforcer FOLDER NODE`, in the node's network.

It is a stand-in for what a network plugin does. A new pod is free until it has been seen, which takes half a second.
"""

import subprocess
import sys
import time
from pathlib import Path

from deploy.cluster import policies
from deploy.cluster.api import Api
from deploy.cluster.place import Place

EVERY_S = 0.5


def main(place: Place, node: str) -> None:
    """Never end; what fails is written to the log, and tried again."""
    api, before = Api(place), ""
    while True:
        try:
            pods, namespaces = api.items("/api/v1/pods"), api.items("/api/v1/namespaces")
            rules = policies.ruleset(node, pods, namespaces, api.items("/apis/networking.k8s.io/v1/networkpolicies"))
            if rules != before:
                subprocess.run(["nft", "--file", "-"], input=rules, text=True, check=True, timeout=60)
                before = rules
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            print(f"policies are not as they should be: {error}", file=sys.stderr, flush=True)
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main(Place(Path(sys.argv[1])), sys.argv[2])
