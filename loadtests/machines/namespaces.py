"""Network namespaces as hosts.

The whole run is in namespaces of its own for processes, mounts and network. Its first process dies with the one that began it,
and then the kernel ends all others, their namespaces and devices, even after SIGKILL. Hosts are further network namespaces, which
no name keeps.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn, TypeVar

from deploy.local.options import ROOT

_NEW_NETWORK = 0x40000000
"""CLONE_NEWNET of clone(2)."""
_OWN = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
_INSIDE = "MACHINES_INSIDE"
TUN = "/dev/net/tun"
_PROGRAMS = {"unshare": "util-linux", "ip": "iproute2"}
T = TypeVar("T")


def missing() -> str:
    """Return why there can be no hosts here, as a sentence; nothing if there can."""
    if sys.platform != "linux":
        return "hosts are network namespaces, which only Linux has"
    if os.geteuid():
        return "only root may make network namespaces (run it as root)"
    for program, package in _PROGRAMS.items():
        if shutil.which(program) is None:
            return f"the program {program} is missing (apt install {package})"
    if not Path(TUN).exists():
        return f"{TUN} is missing (modprobe tun)"
    done = subprocess.run([*_OWN, "ip", "link", "show"], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        return f"this machine allows no namespaces: {done.stderr.strip()[:200]}"
    return ""


def is_inside() -> bool:
    """Return whether this process is already in namespaces of its own."""
    return _INSIDE in os.environ


def go_inside(module: str, arguments: Sequence[str]) -> NoReturn:
    """Become this module's program in namespaces of its own."""
    os.environ[_INSIDE] = "1"
    os.chdir(ROOT)
    os.execvp(_OWN[0], [*_OWN, sys.executable, "-m", module, *arguments])  # noqa: S606


class Namespace:
    """A network namespace, and a thread that is in it: what it starts and opens there stays there."""

    def __init__(self, name: str, *, is_here: bool = False) -> None:
        """`name` is for people; `is_here` makes it that of this process, which must not have other threads elsewhere."""
        self.name = name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._descriptor = self.do(_here if is_here else _enter_new)
        self.ip("link", "set", "lo", "up")

    @property
    def path(self) -> str:
        """Its file, for programs that move devices into it."""
        return f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def do(self, work: Callable[[], T]) -> T:
        """Return what comes of work that is done in there. Raises what it raises."""
        return self._thread.submit(work).result()

    def run(self, *command: str) -> str:
        """Return what a program says in there. Raises subprocess.CalledProcessError."""
        return self.do(lambda: output(*command))

    def ip(self, *arguments: str) -> None:
        """Run `ip` in there. Raises subprocess.CalledProcessError."""
        self.run("ip", *arguments)

    def close(self) -> None:
        """Leave it; it is gone once its last process is."""
        self._thread.shutdown()
        os.close(self._descriptor)


def output(*command: str) -> str:
    """Return what a program says. Raises subprocess.CalledProcessError, with its complaint as a note."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    except subprocess.CalledProcessError as error:
        error.add_note(error.stderr)
        raise


def _enter_new() -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "no network namespace")
    return _here()


def _here() -> int:
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


def resolve_by(server: str, file: Path) -> None:
    """Have everything of this run ask a name server, as the pods of a cluster do; `file` is where that is written."""
    file.write_text(
        f"nameserver {server}\nsearch games.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n",
        encoding="utf-8",
    )
    output("mount", "--make-rprivate", "/")
    output("mount", "--bind", str(file), "/etc/resolv.conf")
