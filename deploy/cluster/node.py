"""Brings a cluster on this machine up and down, and runs programs in its network."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.cluster import extras, images, programs, recipes, settings
from deploy.cluster.inside import postgres_programs
from deploy.cluster.machine import APART, HIDDEN
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import ROOT, Place, cache
from deploy.cluster.tools import tools
from deploy.cluster.unavailable import Unavailable

PACKAGES = {
    "etcd": "etcd-server",
    "containerd": "containerd",
    "runc": "runc",
    "iptables": "iptables",
    "nft": "nftables",
    "ip": "iproute2",
    "unshare": "util-linux",
    "openssl": "openssl",
}
"""The Debian packages of programs that a cluster consists of."""
STARTING_S = 300
_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Wish:
    """The kind of cluster that is wanted."""

    nodes: int = 1
    extras: Sequence[str] = ()
    """Names of further services of the cluster (deploy.cluster.extras)."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where the sources of a recipe are, by its name."""


def up(place: Place, wish: Wish) -> float:
    """Bring a cluster up, and return how many seconds that took once its programs were there. Raises Unavailable, NotWell.

    An extra that cannot be built is left out, and one sentence on the standard error says why.
    """
    if pid(place):
        raise Unavailable(f"there is a node already, in {place.folder}: deploy/cluster/down ends it")
    _check()
    asked = extras.wanted(wish.extras)
    found = [programs.obtain(recipes.KUBERNETES, wish.sources.get(recipes.KUBERNETES.name))]
    had = list[extras.Extra]()
    for extra in asked:
        try:
            found.append(programs.obtain(extra.recipe, wish.sources.get(extra.recipe.name)))
            had.append(extra)
        except Unavailable as error:
            print(f"the cluster comes without {extra.title}: {error}", file=sys.stderr)
    folder = tools()
    began = time.monotonic()
    down(place)
    place.folder.mkdir(parents=True, mode=0o755)
    settings.write(place, secrets.token_hex(16), wish.nodes)
    place.programs.mkdir()
    for one in (one for those in found for one in those.iterdir()):
        (place.programs / one.name).symlink_to(one)
    _make_keys(place)
    _start(place, wish.nodes)
    kubectl = [str(folder / "kubectl"), "--kubeconfig", str(place.kubeconfig)]
    _do(place, [*kubectl, "apply", "-f", str(place.folder / "volumes.json")])
    names = [f"node/{node.name}" for node in settings.nodes(wish.nodes)]
    _do(place, [*kubectl, "wait", "--for=condition=Ready", *names, "--timeout=5s"])
    images.give(place, "pause", settings.PAUSE_IMAGE)
    for extra in had:
        for program in extra.recipe.programs:
            images.give(place, program, extras.image(program))
        for arguments in extras.installing(place, extra):
            _do(place, [*kubectl, *arguments])
    return time.monotonic() - began


def _do(place: Place, command: Sequence[str]) -> None:
    """Run a command in the first node's network until it is done. Raises NotWell when that never comes."""
    until = time.monotonic() + STARTING_S
    while True:
        if not pid(place):
            raise NotWell(f"the node has ended: {place.logs} says why\n{(place.logs / 'inside.log').read_text()[-2000:]}")
        done = subprocess.run([*entering(place), *command], capture_output=True, text=True, timeout=STARTING_S, check=False)
        if not done.returncode:
            return
        if time.monotonic() > until:
            raise NotWell(f"the cluster is not ready after {STARTING_S} s: {done.stderr.strip()}")
        time.sleep(0.5)


def _make_keys(place: Place) -> None:
    """Make the key that accounts' tokens are signed with, and the certificate that the API server calls extensions with."""
    folder = place.folder
    for command in (
        ["genrsa", "-out", f"{folder}/accounts.key", "2048"],
        ["rsa", "-in", f"{folder}/accounts.key", "-pubout", "-out", f"{folder}/accounts.pub"],
        ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=front",
         "-keyout", f"{folder}/front.key", "-out", f"{folder}/front.crt"],
    ):  # fmt: skip
        subprocess.run(["openssl", *command], check=True, capture_output=True, timeout=60)


def down(place: Place) -> None:
    """End the node, if there is one, and remove everything of it."""
    first = pid(place)
    if first:
        os.kill(first, signal.SIGKILL)
        # Its parent, unshare, ends when the kernel has ended all of its processes.
        until = time.monotonic() + 60
        while Path(f"/proc/{first}").exists() and time.monotonic() < until:
            time.sleep(0.1)
        _remove_groups()
    if place.folder.exists():
        shutil.rmtree(place.folder)


def _remove_groups() -> None:
    """Remove the control groups of containers, which outlive them when a node is killed; the kernel keeps those in use."""
    for every in [*_CGROUPS.glob("*/k8s.io"), _CGROUPS / "k8s.io"]:
        for group in [*every.glob("*/"), every]:
            with contextlib.suppress(OSError):
                group.rmdir()


def pid(place: Place) -> int | None:
    """Return the first process of the node; None where none runs."""
    try:
        first = int(place.pid_file.read_text())
        command = Path(f"/proc/{first}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return None
    return first if str(place.folder).encode() in command and b"deploy.cluster.inside" in command else None


def entering(place: Place) -> Sequence[str]:
    """Return what a command begins with to run in the node's network. Raises Unavailable where there is no node."""
    first = pid(place)
    if not first:
        raise Unavailable("no node runs here: deploy/cluster/up brings one up")
    return ["nsenter", f"--net=/proc/{first}/ns/net", "--"]


def _check() -> None:
    if os.geteuid():
        raise Unavailable("a node needs root: it makes namespaces for its network, its mounts and its processes")
    lacking = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if not Path("/usr/lib/cni/bridge").exists():
        lacking.append("containernetworking-plugins")
    if not postgres_programs():
        lacking.append("postgresql")
    if lacking:
        raise Unavailable(f"programs are missing: apt-get install --no-install-recommends {' '.join(lacking)}")
    for folder in HIDDEN:
        if any(Path(one).is_relative_to(folder) for one in (ROOT, sys.prefix, cache())):
            raise Unavailable(f"a node has a {folder} of its own: the checkout, its Python and the cache have to be elsewhere")
    namespaces = ["unshare", "--mount", "--net", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"]
    done = subprocess.run(namespaces, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise Unavailable(f"no containers may be run on this machine: {done.stderr.strip()}")


def _start(place: Place, count: int) -> None:
    inside = [sys.executable, "-m", "deploy.cluster.inside", str(place.folder), str(count)]
    command = [*APART, *inside]
    with (place.logs / "inside.log").open("wb") as log:
        outer = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children")
    until = time.monotonic() + 30
    while time.monotonic() < until:
        first = children.read_text().split() if children.exists() else []
        if first:
            place.pid_file.write_text(first[0])
            if pid(place):
                return
        time.sleep(0.05)
    raise NotWell(f"the node did not start: {(place.logs / 'inside.log').read_text()[-2000:]}")
