"""The process of a node beside the first: `python -m deploy.cluster.joined_node FOLDER NUMBER`, in its own network.

It ends with the cluster, and everything on it ends with it: it is the first of the node's processes.
"""

import subprocess
import sys
from pathlib import Path

from deploy.cluster import machine, settings
from deploy.cluster.place import Place


def main(place: Place, node: settings.Node) -> None:
    """Start a node and stay until one of its processes ends."""
    machine.mount()
    machine.wait(_has_uplink, machine.UPLINK)
    _connect(node)
    machine.stay(machine.start_node(place, node))


def _has_uplink() -> bool:
    asked = subprocess.run(["ip", "link", "show", machine.UPLINK], capture_output=True, timeout=60, check=False)
    return asked.returncode == 0


def _connect(node: settings.Node) -> None:
    """Make a network with one way out: to the first node, and by it to all others."""
    uplink = machine.UPLINK
    for command in (
        ["ip", "link", "set", "lo", "up"],
        ["ip", "address", "add", f"{node.address}/32", "dev", uplink],
        ["ip", "link", "set", uplink, "up"],
        ["ip", "route", "add", f"{settings.ADDRESS}/32", "dev", uplink],
        ["ip", "route", "add", "default", "via", settings.ADDRESS, "dev", uplink],
    ):
        subprocess.run(command, check=True, timeout=60)
    machine.forward()


if __name__ == "__main__":
    main(Place(Path(sys.argv[1])), settings.Node(int(sys.argv[2])))
