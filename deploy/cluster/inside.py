"""The process that a node lives in, the first in namespaces of its own: `python -m deploy.cluster.inside FOLDER`.

It starts everything else. When it ends, however that comes, the kernel ends everything that runs in the node, and takes its
mounts and its network away.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from deploy.cluster import routing, settings
from deploy.cluster.api import Api
from deploy.cluster.place import Place

STARTING_S = 180
HIDDEN = ("/run", "/var/lib", "/var/log")
"""Folders that the node has empty ones of, since its programs write into them."""


def main(place: Place) -> None:
    """Start a node and stay until one of its processes ends. Raises OSError or CalledProcessError when it cannot be started."""
    _mount()
    _connect()
    postgres = _database(place)
    running = {}
    for name, command in settings.commands(place, sys.executable, postgres).items():
        with (place.logs / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(["nice", "-n", "5", *command], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        running[process.pid] = name
        if name == "containerd":
            _wait(lambda: _connects(place.containerd_socket), name)
        elif name == "apiserver":
            _wait(lambda: _answers(place), name)
    while True:
        # The processes that pods leave behind come to the first one, too.
        pid, status = os.wait()
        if pid in running:
            print(f"{running[pid]} has ended with {status}: the node ends, too", flush=True)
            return


def _mount() -> None:
    """Keep what the node's programs write into folders of the machine to this node."""
    subprocess.run(["mount", "--make-rshared", "/"], check=True)
    for folder in HIDDEN:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "node", folder], check=True)
    Path("/run/netns").mkdir()
    Path("/run/lock").mkdir()


def _connect() -> None:
    """Make the network: an address for the node, one for names, and rules that lead to services."""
    ip = ("ip", "link")
    for command in (
        [*ip, "set", "lo", "up"],
        [*ip, "add", "node0", "type", "veth", "peer", "name", "node1"],
        [*ip, "set", "node1", "up"],
        ["ip", "address", "add", f"{settings.ADDRESS}/24", "dev", "node0"],
        ["ip", "address", "add", f"{settings.DNS}/32", "dev", "node0"],
        [*ip, "set", "node0", "up"],
        ["ip", "route", "add", "default", "dev", "node0"],
        ["iptables", "-w", "-t", "nat", "-N", routing.CHAIN],
        ["iptables", "-w", "-t", "nat", "-A", "PREROUTING", "-j", routing.CHAIN],
        ["iptables", "-w", "-t", "nat", "-A", "OUTPUT", "-j", routing.CHAIN],
        # Answers to a pod that calls a service come through the node, too: the bridge changes no addresses back.
        ["iptables", "-w", "-t", "nat", "-A", "POSTROUTING", "-s", settings.PODS, "-d", settings.PODS,
         "-m", "conntrack", "--ctstate", "DNAT", "-j", "MASQUERADE"],
    ):  # fmt: skip
        subprocess.run(command, check=True, timeout=60)
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")


def _database(place: Place) -> Path:
    """Make a PostgreSQL for the trial, as a managed one would be: outside of the cluster. Return the folder of its programs."""
    programs = postgres_programs()
    assert programs is not None
    folder, password = place.folder / "database", place.folder / "database-password"
    shutil.chown(password, "postgres")
    folder.mkdir()
    shutil.chown(folder, "postgres", "postgres")
    command = [
        "runuser", "-u", "postgres", "--", str(programs / "initdb"), "--pgdata", str(folder), "--username", "postgres",
        "--auth-host", "scram-sha-256", "--auth-local", "scram-sha-256", "--pwfile", str(password), "--no-sync",
        "--encoding", "UTF8", "--locale", "C",
    ]  # fmt: skip
    with (place.logs / "initdb.log").open("wb") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log, timeout=600)
    with (folder / "postgresql.conf").open("a") as file:
        file.write(f"listen_addresses = '{settings.ADDRESS}'\nunix_socket_directories = ''\nmax_connections = 200\n")
    with (folder / "pg_hba.conf").open("a") as file:
        file.write("host all all 10.0.0.0/8 scram-sha-256\n")
    return programs


def postgres_programs() -> Path | None:
    """Return the folder with PostgreSQL's newest initdb and postgres; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parents[1].name))
    return found[-1].parent if found else None


def _connects(file: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as trying:
        try:
            trying.connect(str(file))
        except OSError:
            return False
        return True


def _answers(place: Place) -> bool:
    try:
        Api(place).items("/api/v1/namespaces")
    except OSError:
        return False
    return True


def _wait(is_there: Callable[[], bool], name: str) -> None:
    until = time.monotonic() + STARTING_S
    while not is_there():
        if time.monotonic() > until:
            raise TimeoutError(f"{name} did not start in {STARTING_S} s")
        time.sleep(0.2)


if __name__ == "__main__":
    main(Place(Path(sys.argv[1])))
