"""A release of a checkout that is small, and an engine that builds nothing."""

import subprocess
from pathlib import Path

from deploy.release.source import Base, Source
from deploy.release.statements import Published, sbom_file

REGISTRY = "registry.example.org/brettwerk"
TARGETS = ("gateway", "all", "rules", "session", "ai", "players", "worker")
BASES = (Base("PYTHON_BASE", "docker.io/library/python:3.11", "a" * 64), Base("NODE_BASE", "docker.io/library/node:22", "b" * 64))


def digest(target: str) -> str:
    """Return a digest that no other target has."""
    return f"sha256:{TARGETS.index(target) + 1:064x}"


def images() -> list[Published]:
    """Return an image of each target, for one platform."""
    return [
        Published(target, f"{REGISTRY}/brettwerk-{target}", digest(target), {"linux/amd64": sbom_file(target, "linux/amd64")})
        for target in TARGETS
    ]


def source(root: Path) -> Source:
    return Source(root, "1.2.3", "c" * 40, 1_700_000_000)


def repository(folder: Path, version: str = "1.2.3") -> Path:
    """Return a repository with what says the version, committed."""
    for name, text in {
        "services/runtime/version.py": f'VERSION = "{version}"\n',
        "deploy/chart/Chart.yaml": f"name: brettwerk\nversion: {version}\nappVersion: {version}\n",
        "deploy/chart/.helmignore": "examples/\n",
        "deploy/chart/templates/a.yaml": "{}\n",
        "deploy/chart/examples/b.yaml": "{}\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    me = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "."], [*me, "commit", "--quiet", "--message", "Begin"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder
