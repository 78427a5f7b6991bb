"""The docstring of a public function says what it returns, and that it raises where it does. Comments have plain subjects."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.test_words import sources

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "brettwerk_games",
    "deploy",
    "gateway",
    "grpc_http2",
    "scripts",
    "services/ai",
    "services/archive",
    "services/players",
    "services/rules",
    "services/runtime",
    "services/session",
    "services/sharding",
)
NOTHING = ("None", "'None'", "Never", "NoReturn", "cython.void")
RETURNS = re.compile(r"\b(return|yield|tell|describe)s?\b", re.IGNORECASE)
RAISES = re.compile(r"\b(raise|exit)s?\b", re.IGNORECASE)
RIDDLE = re.compile(
    r"^[ \t]*(?:\"\"\"|# |// |/\*\*? |\* |<!-- )(?:Who|What|Whoever|Whatever|Whom|Whose)\b.*[^?\n]$", re.MULTILINE
)
"""The beginning of a comment or a docstring whose subject is a relative clause."""
LABELS = re.compile(
    r"brettwerk_games/rules/\w+/options\.py|protos/brettwerk/v1/(?:einstein|emperado|plateau|wec)\.proto"
    r"|tests/examples/|tests/scripts/test_option_contract"
)
"""Names of choices, which the contract and the rules have alike, and games of earlier releases."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def public(tree: ast.Module) -> Iterator[Function]:
    """Yield the functions of a module that others may call, and those of its classes."""
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        yield from (each for each in inside if isinstance(each, Function) and not each.name.startswith("_"))


def raised(function: Function) -> set[str]:
    """Return what a function itself raises by name, functions within it left out."""
    found, left = set(), list[ast.AST](function.body)
    while left:
        node = left.pop()
        if isinstance(node, Function | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            found.add(ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc))
        left.extend(ast.iter_child_nodes(node))
    return found


def has_return(function: Function) -> bool:
    """Return whether callers get something; of a context manager, what the block gets."""
    returned = "None" if function.returns is None else ast.unparse(function.returns)
    if any("contextmanager" in ast.unparse(each) for each in function.decorator_list):
        returned = re.sub(r"^\w+\[(\w+).*\]$", r"\1", returned)
    return returned not in NOTHING


def unsaid(text: str) -> list[str]:
    """Return what docstrings of a module do not say."""
    found = []
    for function in public(ast.parse(text)):
        doc = ast.get_docstring(function) or ""
        if any("property" in ast.unparse(each) for each in function.decorator_list):
            continue  # it is named for what it is
        if has_return(function) and not RETURNS.search(doc) and not doc.startswith("Raise "):
            found.append(f"line {function.lineno}: {function.name} does not say what it returns")
        if (errors := raised(function)) and not RAISES.search(doc):
            found.append(f"line {function.lineno}: {function.name} does not say that it raises {', '.join(sorted(errors))}")
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_say_what_is_returned_and_raised(folder: str) -> None:
    modules = sorted((ROOT / folder).rglob("*.py"))
    assert len(modules) > 2
    found = {str(path.relative_to(ROOT)): unsaid(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_no_comment_has_a_relative_clause_as_its_subject() -> None:
    asked = {name: RIDDLE.findall((ROOT / name).read_text(encoding="utf-8")) for name in sources() if not LABELS.match(name)}
    assert {name: lines for name, lines in asked.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('def count() -> int:\n    """Count the pieces."""\n    return 1\n', "line 1: count does not say what it returns"),
        ('def check() -> None:\n    """Check."""\n    raise Odd(1)\n', "line 1: check does not say that it raises Odd"),
        ('class A:\n    def two(self) -> int:\n        """Count."""\n', "line 2: two does not say what it returns"),
        (
            '@contextmanager\ndef held() -> Iterator[Lock]:\n    """Count."""\n    yield Lock()\n',
            "line 2: held does not say what it returns",
        ),
    ],
)
def test_missing_parts_of_a_docstring_are_found(source: str, fault: str) -> None:
    assert unsaid(source) == [fault]
    assert unsaid(source.replace("Count", "Return the count").replace("Check", "Check. Raises Odd")) == []


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ('    """What it holds."""\n', True),
        ("# Who waits is told.\n", True),
        ("// What it is.\n", True),
        ("# What now?\n", False),
    ],
)
def test_a_comment_with_a_relative_clause_as_its_subject_is_found(line: str, is_found: bool) -> None:
    assert bool(RIDDLE.search(line)) == is_found


def test_a_context_that_gives_nothing_returns_nothing() -> None:
    assert unsaid('@contextmanager\ndef held() -> Iterator[None]:\n    """Hold it."""\n    yield\n') == []
