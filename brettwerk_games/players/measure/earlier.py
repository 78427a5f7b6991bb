"""The player of a game as it was at an earlier revision, to play against: taken from the history and compiled.

It lies in `generated/earlier/` then, as a package of its own beside today's, and plays by today's rules. Its levels are what
their strengths meant to it.
"""

import importlib
import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brettwerk_games.players.interface import PlayerMaker

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "generated" / "earlier"
PLAYERS = "brettwerk_games/players"
FORMER = "services/ai/players"
"""Where players of 1.0 lie."""
RULES = ("brettwerk_games/rules", "services/games")
"""Where rules lie, and where those of 1.0 do."""
_RENAMED = (
    (re.compile(r"\bMOST(?=_FIRES\b)"), "MAX"),
    (re.compile(r"\bservices\.ai\.players\b"), "brettwerk_games.players"),
    (re.compile(r"\bservices\.games\b"), "brettwerk_games.rules"),
    (re.compile(r"\bservices\.(?=(languages|protobuf_wire|statistics)\b)"), "brettwerk_games."),
)
"""How what earlier players ask of the rules is called today."""
_TAKEN_IN = re.compile(r"^from ((?:services|brettwerk_games)[\w.]*) import ([\w, ]+)$", re.MULTILINE)


def earlier_player(game: str, revision: str) -> PlayerMaker:
    """Return the maker of a game's player of a revision. Raises subprocess.CalledProcessError when git knows no such one."""
    folder = f"{PLAYERS if _git('ls-tree', revision, PLAYERS) else FORMER}/{game}"
    tree = _git("rev-parse", "--verify", f"{revision}^{{commit}}:{folder}").decode().strip()
    name = f"{game}_{tree[:12]}"
    if not (FOLDER / name / "built").exists():
        _build(revision, folder, name)
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    made: Any = importlib.import_module(name)
    return made.PLAYER  # type: ignore[no-any-return]


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S603, S607 - git, by these words


def _moved(revision: str) -> dict[str, str]:
    """Return today's names of the games' modules that have been renamed since a revision."""
    changes = _git("diff", "-M50", "--diff-filter=R", "--name-status", revision, "--", *RULES).decode()
    modules = (line.replace(".py", "").replace("/", ".").split("\t") for line in changes.splitlines() if line.endswith(".py"))
    return {today: now for _, before, now in modules if (today := _by_todays_names(before)) != now}


def _by_todays_names(text: str) -> str:
    for before, now in _RENAMED:
        text = before.sub(now, text)
    return text


def with_moved(text: str, moved: Mapping[str, str]) -> str:
    """Return the text of a module that imports renamed modules by today's names, and goes on to call them by theirs."""

    def taken_in(found: re.Match[str]) -> str:
        package, names = found[1], found[2].split(", ")
        if package in moved:
            return f"from {moved[package]} import {found[2]}"
        kept = [name for name in names if f"{package}.{name}" not in moved]
        lines = [f"from {package} import {', '.join(kept)}"] if kept else []
        return "\n".join(lines + [f"import {moved[f'{package}.{name}']} as {name}" for name in names if name not in kept])

    return _TAKEN_IN.sub(taken_in, text)


def _build(revision: str, folder: str, name: str) -> None:
    """Write the player's modules under a package name of their own, and compile its kernels in place."""
    package = FOLDER / name
    moved = _moved(revision)
    with tarfile.open(fileobj=io.BytesIO(_git("archive", revision, folder))) as packed:
        for member in packed.getmembers():
            source = packed.extractfile(member)
            if source is None:
                continue
            path = package / Path(member.name).relative_to(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = source.read().decode().replace(folder.replace("/", "."), name)
            path.write_text(with_moved(_by_todays_names(text), moved), encoding="utf-8")
    sources = [str(path) for path in sorted((package / "kernels").glob("[!_]*.py"))]
    compiling = [sys.executable, "-m", "Cython.Build.Cythonize", "--inplace", "-3", "--quiet", *sources]
    subprocess.run(compiling, cwd=FOLDER, check=True)  # noqa: S603 - this Python, by these words
    (package / "built").write_text(revision, encoding="utf-8")
