"""The parts of the machine that each node of a cluster is given: mounts, a network that forwards, processes."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from deploy.cluster import settings
from deploy.cluster.place import Place

STARTING_S = 300
APART = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave")
"""The beginning of the command of a node's first process: all that it starts ends with it."""
UPLINK = "uplink"
"""The interface of a further node that leads to the first."""
HIDDEN = ("/run", "/var/lib", "/var/log")
"""Folders that each node has empty ones of, since its programs write into them."""


def mount() -> None:
    """Keep what a node's programs write into folders of the machine to this node."""
    subprocess.run(["mount", "--make-rshared", "/"], check=True)
    for folder in HIDDEN:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "node", folder], check=True)
    Path("/run/netns").mkdir()
    Path("/run/lock").mkdir()


def forward() -> None:
    """Pass on what comes for pods and for other nodes."""
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")


def start(place: Place, name: str, command: Sequence[str]) -> int:
    """Start a process with a log of its own, and return its id."""
    with (place.logs / f"{name}.log").open("wb") as log:
        return subprocess.Popen(["nice", "-n", "5", *command], stdout=log, stderr=log, stdin=subprocess.DEVNULL).pid


def start_node(place: Place, node: settings.Node) -> Mapping[int, str]:
    """Start what every node has, and return the processes' names. Raises TimeoutError when its containerd does not start."""
    running = {}
    for process, command in settings.on_each_node(place, node, sys.executable).items():
        name = process if node == settings.FIRST else f"{process}-{node.number}"
        running[start(place, name, command)] = name
        if process == "containerd":
            wait(lambda: _connects(place.containerd_socket(node.name)), name)
    return running


def stay(running: Mapping[int, str]) -> None:
    """Wait until one of the processes ends, and say which."""
    while True:
        # Processes that pods leave behind come to the first process, too.
        pid, status = os.wait()
        if pid in running:
            print(f"{running[pid]} has ended with {status}: the node ends, too", flush=True)
            return


def wait(is_there: Callable[[], bool], name: str) -> None:
    """Wait for something. Raises TimeoutError."""
    until = time.monotonic() + STARTING_S
    while not is_there():
        if time.monotonic() > until:
            raise TimeoutError(f"{name} did not start in {STARTING_S} s")
        time.sleep(0.2)


def is_apart(pid: int) -> bool:
    """Return whether a process is in a network of its own."""
    return os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")


def _connects(file: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as trying:
        try:
            trying.connect(str(file))
        except OSError:
            return False
        return True
