"""Files and classes agree: the one public class of a module is called like the module, or like its package."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = (
    "brettwerk_games/*.py",
    "grpc_http2/*.py",
    "services/*.py",
    "gateway/*.py",
    "deploy/*.py",
    "loadtests/*.py",
    "clients/python/src/*.py",
    "scripts/*.py",
)
OTHERS = {
    "brettwerk_games/rules/wec/game.py": "WeaponizedChess is what WEC stands for",
    "brettwerk_games/players/einstein/kernels/search.py": "Engine is what the field calls a search with its tables",
    "brettwerk_games/players/einstein/kernels/learn.py": "Pupil is what learns",
    "loadtests/computers/people.py": "Person is the singular",
    "clients/python/src/brettwerk_client/identity.py": "Player is public: programs of others hold one",
}
"""Modules whose class is called otherwise, and why."""
BEGINNING = 5
"""Words with as many letters in common are forms of one."""


def only_class(text: str) -> str | None:
    """Return the name of a module's public class when that is the one public thing that it defines."""
    defined = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)]
    public = [node for node in defined if not node.name.startswith("_")]
    return public[0].name if len(public) == 1 and isinstance(public[0], ast.ClassDef) else None


def words_of(name: str) -> list[str]:
    """Return the words of a class's name, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)]


def agrees(file: str, name: str) -> bool:
    """Tell whether a word of a class's name is one of its module's or of its package's."""
    path = Path(file)
    named = [*path.stem.split("_"), *path.parent.name.split("_")]
    return any(is_same(one, other) for one in words_of(name) for other in named)


def is_same(one: str, other: str) -> bool:
    """Tell whether two words are forms of one."""
    shorter = min(len(one), len(other))
    return one[: min(BEGINNING, shorter)] == other[: min(BEGINNING, shorter)] and shorter > 2


@cache
def modules() -> list[tuple[str, str]]:
    """Return the modules that define one public class and nothing else, with its name."""
    listed = subprocess.run(["git", "ls-files", *OURS], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    names = [name for name in listed if not Path(name).name.startswith("__") and (ROOT / name).is_file()]
    return [(name, found) for name in names if (found := only_class((ROOT / name).read_text(encoding="utf-8"))) is not None]


def test_the_class_of_a_module_is_called_like_it() -> None:
    found = modules()
    assert len(found) > 100
    assert [(file, name) for file, name in found if file not in OTHERS and not agrees(file, name)] == []


def test_each_exception_is_one() -> None:
    found = dict(modules())
    assert [file for file in OTHERS if file not in found or agrees(file, found[file])] == []


@pytest.mark.parametrize(
    ("file", "name", "is_good"),
    [
        ("services/session/live/session_cache.py", "SessionCache", True),
        ("gateway/process.py", "Gateway", True),
        ("gateway/limits/rates.py", "TokenBucket", False),
        ("services/session/app/background/news_sender.py", "Announcer", False),
    ],
)
def test_a_class_that_is_called_otherwise_is_found(file: str, name: str, is_good: bool) -> None:
    assert agrees(file, name) is is_good


def test_a_module_with_a_function_besides_is_named_after_what_both_do() -> None:
    assert only_class("class Rates: ...\n") == "Rates"
    assert only_class("class Rates: ...\ndef rates(): ...\n") is None
    assert only_class("class _Rates: ...\n") is None
