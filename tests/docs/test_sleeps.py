"""Tests wait for conditions: a sleep stands in a loop that ends when something has come true, or says why it is there."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SLEEPS = {"sleep", "wait_for_timeout"}
LISTED = subprocess.run(["git", "ls-files", "tests/*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def bare_sleeps(text: str) -> list[int]:
    """Return the lines with a sleep that no condition ends, and that has no comment on its line or the one above."""
    if not any(name in text for name in SLEEPS):
        return []  # most files: to parse all takes four seconds
    lines = text.splitlines()
    return [at for at in _outside_loops(ast.parse(text), False) if "#" not in lines[at - 1] and not is_comment(lines, at - 2)]


def is_comment(lines: list[str], index: int) -> bool:
    return index >= 0 and lines[index].lstrip().startswith("#")


def _outside_loops(node: ast.AST, is_in_loop: bool) -> Iterator[int]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _outside_loops(child, False)
            continue
        if isinstance(child, ast.Call) and not is_in_loop and _is_sleep(child):
            yield child.lineno
        yield from _outside_loops(child, is_in_loop or _looks(child))


def _looks(node: ast.AST) -> bool:
    """Return whether this is a loop that may end early: when its condition, or one that is looked at within it, holds."""
    if isinstance(node, ast.While) and not isinstance(node.test, ast.Constant):
        return True
    ends = ast.Break | ast.Return | ast.Raise | ast.Assert
    return isinstance(node, ast.While | ast.For | ast.AsyncFor) and any(isinstance(each, ends) for each in ast.walk(node))


def _is_sleep(call: ast.Call) -> bool:
    """Return whether this sleeps for any time: one of 0 s only lets others go on."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    return name in SLEEPS and len(call.args) > 0 and not (isinstance(call.args[0], ast.Constant) and not call.args[0].value)


def test_every_fixed_wait_in_a_test_has_a_reason() -> None:
    named = [name for name in LISTED if (ROOT / name).is_file()]
    assert named
    assert {name: found for name in named if (found := bare_sleeps((ROOT / name).read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("time.sleep(1)", [1]),
        ("async def test():\n    await asyncio.sleep(0.5)", [2]),
        ("time.sleep(AWAY_S)", [1]),
        ("while not done():\n    time.sleep(0.1)", []),
        ("while True:\n    time.sleep(0.1)", [2]),
        ("while True:\n    if done():\n        break\n    time.sleep(0.1)", []),
        ("for _ in range(20):\n    time.sleep(0.1)", [2]),
        ("for _ in range(20):\n    if done():\n        return\n    time.sleep(0.1)", []),
        ("while True:\n    def look():\n        sleep(2)", [3]),
        ("page.wait_for_timeout(500)", [1]),
        ("time.sleep(4)  # this is the fault", []),
        ("# nothing says when\ntime.sleep(4)", []),
        ("await_turn = asyncio.sleep(0)", []),
    ],
)
def test_one_that_does_is_found(text: str, found: list[int]) -> None:
    assert bare_sleeps(text) == found
