"""Private names of libraries that we use all the same stand here: a version without one is found before it is used."""

import ast
import asyncio
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from billiard.pool import ApplyResult
from celery.concurrency.asynpool import AsynPool
from celery.concurrency.prefork import TaskPool
from redis.asyncio.connection import AbstractConnection
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

ROOT = Path(__file__).resolve().parents[2]
PINNED: dict[str, dict[type, set[str]]] = {
    "gateway/endpoints/bounded_http.py": {
        HttpToolsProtocol: {"_should_upgrade", "_should_upgrade_to_ws", "_unset_keepalive_if_required"}
    },
    "services/ai/thought/pool.py": {TaskPool: {"_pool"}, AsynPool: {"_pool"}},
    "services/ai/runs/pool.py": {TaskPool: {"_pool"}},
    "services/ai/celery_worker/hung_processes.py": {AsynPool: {"_cache", "_pool"}, ApplyResult: {"_accepted", "_write_to"}},
    "services/runtime/tasks.py": {asyncio.Future: {"_asyncio_future_blocking"}},
    "services/runtime/redis_client/coalescer.py": {AbstractConnection: {"_parser", "_writer"}},
}
"""The private attributes of classes of libraries, by the file that uses them."""
PUBLIC = {"_replace", "_asdict", "_make", "_fields", "_current_frames"}
"""Names that begin like private ones, and are documented: of named tuples, and of `sys`."""


def attributes(one: type) -> set[str]:
    """Return what instances of a class have, as far as its source tells: what is defined, and what is set."""
    found = set(dir(one))
    for kind in one.__mro__[:-1]:
        try:
            source = inspect.getsource(kind)
        except OSError:  # written in C, where all attributes are defined
            continue
        tree = ast.parse(textwrap.dedent(source))
        found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return found


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def of_others(source: str) -> set[str]:
    """Return the private attributes that a module uses and does not define, and the private modules that it imports from."""
    nodes = list(ast.walk(ast.parse(source)))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute) and not is_own(node)}
    defined = {node.attr for node in nodes if isinstance(node, ast.Attribute) and is_own(node)}
    defined |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    defined |= {node.target.id for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name for name in used - defined - {"_exit"} if is_private(name)} | {
        name for name in imported if any(map(is_private, name.split(".")))
    }


def sources() -> Iterator[Path]:
    for folder in ("brettwerk_games", "services", "gateway", "deploy"):
        yield from (path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


@pytest.mark.parametrize("file", PINNED)
def test_a_library_has_what_is_used_of_it_though_it_is_private(file: str) -> None:
    missing = {f"{one.__module__}.{one.__name__}": names - attributes(one) for one, names in PINNED[file].items()}
    assert not any(missing.values()), f"{file} uses what this version of a library lacks: {missing}"


def test_uvicorn_still_asks_whether_to_upgrade() -> None:
    """`_should_upgrade_to_ws` is overridden, which is of no use when nobody calls it."""
    assert "_should_upgrade_to_ws" in HttpToolsProtocol._should_upgrade.__code__.co_names


def test_every_use_of_a_private_attribute_is_listed_here() -> None:
    found = {path.relative_to(ROOT).as_posix(): names for path in sources() if (names := of_others(path.read_text("utf-8")))}
    pinned = {
        file: set.union(*classes.values()) for file, classes in PINNED.items() if file != "gateway/endpoints/bounded_http.py"
    }
    assert found == pinned


def test_the_use_of_something_private_is_found() -> None:
    assert of_others("from a._b import c\nx = c._d\ny = c._replace()\n") == {"a._b", "_d"}
    assert of_others("class C:\n    def _e(self, other):\n        return other._e()\n") == set()
