"""Objects made of more than seven things are made of values that belong together: no constructor takes more arguments."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("brettwerk_games", "clients/python", "deploy", "gateway", "grpc_http2", "services")
MAX_ARGUMENTS = 7


def arguments(text: str) -> dict[str, int]:
    """Return how many arguments the constructors of a module's classes take; those of dataclasses are not written out."""
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    made = ((each.name, one) for each in classes for one in each.body if isinstance(one, ast.FunctionDef))
    return {
        name: len([*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs]) - 1
        for name, one in made
        if one.name == "__init__"
    }


def test_no_constructor_takes_more_than_seven_arguments() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}": count
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for name, count in arguments(path.read_text("utf-8")).items()
    }
    assert len(found) > 300
    assert {name: count for name, count in found.items() if count > MAX_ARGUMENTS} == {}


def test_arguments_of_every_kind_are_counted() -> None:
    inner = "    class B:\n        def __init__(self): ...\n"
    text = f"class A:\n    def __init__(self, a, /, b, *, c=1): ...\n{inner}class C:\n    d: int\n"
    assert arguments(text) == {"A": 3, "B": 0}
