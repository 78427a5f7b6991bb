"""Packages of games, made of the sources of the example of 1.0.0 in a folder that programs are given in their PYTHONPATH."""

import atexit
import importlib
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from brettwerk_games.packages.building import compile_contract
from brettwerk_games.packages.contract import FILE
from brettwerk_games.packages.discovery import GROUP
from brettwerk_games.rules.interface import AnyGame
from tests.examples.installing import ROOT

EXAMPLE = ROOT / "tests" / "examples" / "connect_four_1_0" / "connect_four"


def install(site: Path, game: str, *, messages: str = "") -> Path:
    """Install the example under another id, which its messages have too unless they are to be `messages`; return its folder."""
    package = shutil.copytree(EXAMPLE, site / game, ignore=shutil.ignore_patterns("__pycache__", "*.binpb"))
    for file in package.iterdir():
        said = file.read_text().replace("package connect_four.v1", f"package {messages or game}.v1")
        file.write_text(said.replace("connect_four", game))
    proto = (package / "connect_four.proto").rename(package / f"{game}.proto")
    compile_contract([proto], package / FILE)
    name_entry_point(site, game)
    return package


@cache
def example() -> AnyGame:
    """Return the example, loaded into this process from a copy whose contract is compiled: the sources are left as they are."""
    site = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, site)
    package = shutil.copytree(EXAMPLE, site / EXAMPLE.name, ignore=shutil.ignore_patterns("__pycache__", "*.binpb"))
    compile_contract([package / "connect_four.proto"], package / FILE)
    sys.path.append(str(site))
    game: AnyGame = importlib.import_module(EXAMPLE.name).GAME
    return game


@cache
def packaged(game: str) -> AnyGame:
    """Return the game of a package in examples or tests/examples, loaded from a copy whose contract is made of its values.

    BRETTWERK_PACKAGES names another folder of examples, such as one in which a fault was planted.
    """
    site = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, site)
    examples = Path(os.environ.get("BRETTWERK_PACKAGES", ROOT / "examples"))
    source = (
        next(folder for folder in (examples / game, ROOT / "tests" / "examples" / f"{game}_package") if folder.is_dir()) / game
    )
    package = shutil.copytree(source, site / game, ignore=shutil.ignore_patterns("__pycache__", "*.binpb"))
    sys.path.append(str(site))
    loaded: Any = importlib.import_module(game).GAME
    (package / FILE).write_bytes(loaded.contract())
    made: AnyGame = loaded
    return made


def name_entry_point(site: Path, game: str, *, value: str = "", distribution: str = "") -> None:
    """Name the entry point of a game: `value`, or the GAME of the package of that name."""
    folder = site / f"{distribution or game}-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution or game}\nVersion: 1\n")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{game} = {value or f'{game}:GAME'}\n")
