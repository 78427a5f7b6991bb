"""Modules are named for the thing in them: a noun of the field, and no verb in -ing or participle (CONTRIBUTING.md)."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = (
    "brettwerk_games/*.py",
    "grpc_http2/*.py",
    "services/*.py",
    "gateway/*.py",
    "deploy/*.py",
    "loadtests/*.py",
    "clients/web/src/*.ts",
    "clients/web/src/*.svelte",
    "clients/web/src/*.css",
)
NOUNS = {
    "drawing",
    "encoding",
    "facing",
    "feed",
    "framing",
    "heading",
    "pacing",
    "pairing",
    "ranking",
    "routing",
    "seed",
    "setting",
    "speed",
    "training",
    "viewing",
    "wiring",
}
"""Nouns that end as verbs do, or that the field uses for a thing."""
PUBLIC = {"brettwerk_games/packages/building.py"}
"""Modules that packages of games import (docs/compatibility.md)."""


def is_verb(name: str) -> bool:
    """Tell whether a module's name (snake_case, or PascalCase of a component) ends in a verb in -ing or a participle."""
    last = re.split(r"_|(?<=[a-z])(?=[A-Z])", name)[-1].lower()
    return last.endswith(("ing", "ed")) and last not in NOUNS


def test_modules_are_named_by_nouns() -> None:
    listed = subprocess.run(["git", "ls-files", *OURS], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    named = [name for name in listed if "/migrations/" not in name and name not in PUBLIC]
    assert len(named) > 900
    assert [name for name in named if is_verb(Path(name).name.partition(".")[0])] == []


def test_verbs_are_found() -> None:
    names = ("telling", "stored", "TableRefused", "routing", "news_sender", "feed", "OpenFile")
    assert [name for name in names if is_verb(name)] == ["telling", "stored", "TableRefused"]
