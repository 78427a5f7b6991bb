"""Real containers: what tests need to build images and to run them.

They run wherever podman can: CI installs it where it can be had (.ci/run). Elsewhere they are skipped, and say what is missing.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.deploy.guide import blocks
from tests.deploy.tools import ROOT
from tests.surroundings import lacking, program

PROGRAMS = {
    "rules": "services.rules.__main__",
    "session": "services.session.__main__",
    "ai": "services.ai.__main__",
    "players": "services.players.__main__",
    "worker": "services.ai.worker",
    "gateway": "gateway.__main__",
}
"""The program that runs in the image of each service."""
SERVICES = tuple(PROGRAMS)
PROGRAMS["all"] = "deploy.local.play"
IMAGES = tuple(PROGRAMS)
_README = ROOT / "deploy" / "images" / "README.md"
_BUILD_S = 1200


class Podman:
    """Podman with settings that depend as little as possible on the machine, and names of this checkout's own."""

    def __init__(self, folder: Path) -> None:
        self._made_of = hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
        bases = hashlib.sha256()
        for file in (ROOT / "deploy" / "images" / "bases.sh", ROOT / "requirements" / "web.txt"):
            bases.update(file.read_bytes())
        settings = folder / "containers.conf"
        settings.write_text(_settings())
        self.environment = {
            **os.environ,
            "CONTAINERS_CONF": str(settings),
            "ENGINE": shutil.which("podman") or "",
            "BRETTWERK_BASES": f"localhost/brettwerk-base-{bases.hexdigest()[:8]}",
            "BRETTWERK_IMAGES": f"localhost/brettwerk-{self._made_of}",
            "BRETTWERK_VERSION": "test",
        }

    def __call__(self, *arguments: str, timeout: float = 120, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run podman."""
        done = subprocess.run(
            ["podman", *arguments], env=self.environment, capture_output=True, text=True, timeout=timeout, check=False
        )
        assert not check or done.returncode == 0, f"podman {' '.join(arguments)}: {done.stderr}"
        return done

    def inspect(self, what: str) -> dict[str, Any]:
        """Return what podman knows of a container or an image."""
        (found,) = json.loads(self("inspect", what).stdout)
        return dict(found)

    def image(self, process: str) -> str:
        return f"{self.environment['BRETTWERK_IMAGES']}-{process}:test"

    @property
    def store_image(self) -> str:
        return f"{self.environment['BRETTWERK_BASES']}-store"

    def build(self) -> None:
        """Build bases and images with the commands of the guide, once in a run of tests: processes of it share them."""
        (commands,) = (block for block in blocks(_README) if "bases.sh" in block)
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        with (Path(tempfile.gettempdir()) / f"brettwerk-images-{self._made_of}").open("a+") as built:
            fcntl.flock(built, fcntl.LOCK_EX)
            built.seek(0)
            if built.read() == run:
                return
            done = subprocess.run(
                ["bash", "-euc", commands], cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=_BUILD_S
            )
            assert done.returncode == 0, done.stderr
            built.truncate(0)
            built.write(run)


def podman(folder: Path) -> Podman:
    """Return podman, or skip the test where it cannot run."""
    if os.geteuid():
        lacking("only root may make bases of images", "run it as root", optional=True)
    for name in ("podman", "mmdebstrap"):
        program(name, "podman runc netavark aardvark-dns iptables mmdebstrap", optional=True)
    namespaces = ["unshare", "--mount", "--net", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"]
    done = subprocess.run(namespaces, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        said = f"no containers may be run on this machine: {done.stderr.strip()}"
        lacking(said, "in a container: --cap-add SYS_ADMIN", optional=True)
    return Podman(folder)


def _settings() -> str:
    """Return a containers.conf for machines with and without systemd, and those where no limit may be raised."""
    lines = ["[engine]", 'events_logger = "file"']
    if shutil.which("runc"):
        lines.append('runtime = "runc"')
    if not Path("/run/systemd/system").exists():
        lines.append('cgroup_manager = "cgroupfs"')
    lines += ["[containers]", 'log_driver = "k8s-file"', 'default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]']
    if any(Path(folder, "netavark").exists() for folder in ("/usr/lib/podman", "/usr/libexec/podman")):
        lines += ["[network]", 'network_backend = "netavark"']  # the other one resolves no names in a network that is closed
    return "\n".join(lines) + "\n"
