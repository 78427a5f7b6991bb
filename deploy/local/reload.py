"""Starts services again whose sources have changed: `scripts/play --reload`."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from deploy.local.deployment import Deployment
from deploy.local.options import ROOT

_PLAYING = frozenset({"session", "ai", "players", "worker", "statistics"})
_ALL = _PLAYING | {"rules", "gateway"}
USED_BY: Mapping[str, frozenset[str]] = {
    "brettwerk_games/protobuf_wire": _ALL,
    "grpc_http2": _ALL,
    "services/runtime": _ALL,
    "brettwerk_games/packages": _ALL,
    "brettwerk_games/languages": _ALL,
    "generated/python": _ALL,
    "brettwerk_games/rules": _PLAYING | {"rules"},
    "brettwerk_games/statistics": _PLAYING,
    "brettwerk_games/players": frozenset({"session", "ai", "worker", "statistics"}),
    "services/ai": frozenset({"session", "ai", "worker", "statistics"}),
    "services/archive": frozenset({"session", "players"}),
    "services/rules": frozenset({"rules"}),
    "services/sharding": frozenset({"session", "gateway"}),
    "services/session": frozenset({"session"}),
    "services/players": frozenset({"players"}),
    "gateway": frozenset({"gateway"}),
}
"""The processes that run what is in a folder: what their images get of it (deploy/images/Dockerfile)."""
_LEFT_OUT = {"__pycache__", "web"}
"""The web client is no Python: Vite looks after it."""
LOOK_S = 0.5

States = Mapping[str, int]
"""When each file was changed, in nanoseconds, by its path from the root."""


def states(root: Path) -> States:
    """Return the state of every source file."""
    found = {}
    for top in USED_BY:
        for folder, inner, files in os.walk(root / top):
            inner[:] = [name for name in inner if name not in _LEFT_OUT]
            for name in files:
                path = Path(folder, name)
                try:
                    found[path.relative_to(root).as_posix()] = path.stat().st_mtime_ns
                except FileNotFoundError:
                    continue  # an editor's own file, gone again
    return found


def changed(before: States, after: States) -> list[str]:
    """Return the files that differ, are new or are gone."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def processes_of(files: Iterable[str]) -> list[str]:
    """Return the processes that run the code in some files."""
    return sorted({process for name in files for folder, users in USED_BY.items() if name.startswith(f"{folder}/") for process in users})  # fmt: skip # noqa: E501


def keep_current(deployment: Deployment, say: Callable[[str], None], root: Path = ROOT) -> None:
    """Look at the sources until an exception ends it, and restart what runs others than there are."""
    running = seen = states(root)
    while True:
        time.sleep(LOOK_S)
        now = states(root)
        # Editors and git write one file after the other: only what has stood still for a look is started.
        if now == seen != running:
            files = changed(running, now)
            processes = [name for name in processes_of(files) if name in deployment.processes]
            if processes:
                say(f"{', '.join(files[:3])}{' and others' if len(files) > 3 else ''}: starting {', '.join(processes)} again")
            for name in processes:
                deployment.kill(name, signal.SIGTERM)
            running = now
        seen = now
