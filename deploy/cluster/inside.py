"""The process that a cluster lives in, the first in namespaces of its own: `python -m deploy.cluster.inside FOLDER NODES`.

It starts everything else. When it ends, however that comes, the kernel ends everything that runs in the cluster, and takes its
mounts and its networks away.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from deploy.cluster import machine, settings
from deploy.cluster.api import Api
from deploy.cluster.place import Place


def main(place: Place, count: int) -> None:
    """Start a cluster and stay until one of its processes ends.

    Raises OSError or CalledProcessError when it cannot be started.
    """
    machine.mount()
    has_dns = (place.programs / "coredns").exists()
    _connect(has_dns)
    postgres = _database(place)
    running = {}
    for name, command in settings.control_plane(place, postgres).items():
        running[machine.start(place, name, command)] = name
        if name == "apiserver":
            machine.wait(lambda: _answers(place), name)
    if not has_dns:
        running[machine.start(place, "agent", [sys.executable, "-m", "deploy.cluster.agent", str(place.folder)])] = "agent"
    running |= machine.start_node(place, settings.FIRST)
    for node in settings.nodes(count)[1:]:
        joined = [sys.executable, "-m", "deploy.cluster.joined_node", str(place.folder), str(node.number)]
        # It may die: the others go on without it.
        first = machine.start(place, node.name, [*machine.APART, *joined])
        machine.wait(lambda first=first: machine.is_apart(first), node.name)  # type: ignore[misc]
        _lead_to(node, first)
    machine.stay(running)


def _connect(has_dns: bool) -> None:
    """Make the first node's network: its address, and one for names where a stand-in answers for them."""
    ip = ("ip", "link")
    for command in (
        [*ip, "set", "lo", "up"],
        [*ip, "add", "node0", "type", "veth", "peer", "name", "node1"],
        [*ip, "set", "node1", "up"],
        ["ip", "address", "add", f"{settings.ADDRESS}/24", "dev", "node0"],
        *([] if has_dns else [["ip", "address", "add", f"{settings.DNS}/32", "dev", "node0"]]),
        [*ip, "set", "node0", "up"],
        ["ip", "route", "add", "default", "dev", "node0"],
    ):
        subprocess.run(command, check=True, timeout=60)
    machine.forward()


def _lead_to(node: settings.Node, first: int) -> None:
    """Make a wire to a further node, whose first process this is."""
    wire = node.wire
    for command in (
        ["ip", "link", "add", wire, "type", "veth", "peer", "name", machine.UPLINK, "netns", str(first)],
        ["ip", "link", "set", wire, "up"],
        ["ip", "route", "add", f"{node.address}/32", "dev", wire, "src", settings.ADDRESS],
        ["ip", "route", "add", node.pods, "via", node.address, "dev", wire, "onlink"],
    ):
        subprocess.run(command, check=True, timeout=60)


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


def _answers(place: Place) -> bool:
    """Return whether the API server is well: the controllers give up where it is not after ten seconds."""
    try:
        return Api(place).is_well()
    except OSError:  # its certificate is not there yet
        return False


if __name__ == "__main__":
    main(Place(Path(sys.argv[1])), int(sys.argv[2]))
