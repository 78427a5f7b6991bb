"""Which tests of the whole system one process runs, so that it alone pays for what they share.

Every process that runs a test with one of the fixtures below starts a deployment (six seconds of a processor, and 5 % of one
for as long as it stands), or installs the client for Node.js. So with `--dist loadgroup` all tests with such a fixture go to the
same process. A file can name a group for all of its tests in its marks, `xdist_group`; where nothing names one, the file is one.

xdist would have each process write the group behind the names of its tests, which pytest 9.2 does not let it do: here the names
of groups are read from the sources, by the process that deals out tests.
"""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

SHARED, OWN = "shared", "own"
BY_FIXTURE = {"own_deployment": OWN, "tarball": SHARED, "installed": SHARED, "deployment": SHARED}
"""The group of a test by what it is given; the first of these decides."""


class GroupScheduler(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    """Gives whole groups to processes, those with most tests first."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, rest = nodeid.partition("::")
        return group(self.config.rootpath / file, rest.partition("[")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Return what deals out tests by group, if that is asked for."""
    return GroupScheduler(config, log) if config.getoption("dist") == "loadgroup" else None


def group(file: Path, test: str) -> str:
    """Return the group of a test function."""
    named, given = _groups(file)
    return named or next((group for fixture, group in BY_FIXTURE.items() if fixture in given.get(test, ())), str(file))


@cache
def _groups(file: Path) -> tuple[str, dict[str, set[str]]]:
    """Return the group that a file names in its marks, and the fixtures that each of its functions is given."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call))
    named = [_text(call.args) for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "xdist_group"]
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    asked = {one.name: {argument.arg for argument in (*one.args.args, *one.args.kwonlyargs)} for one in functions}
    return next(iter(named), ""), {name: _all_given(name, asked) for name in asked}


def _all_given(name: str, asked: Mapping[str, set[str]]) -> set[str]:
    """Return the fixtures that a function asks for, itself or through others of its file."""
    found, new = set[str](), asked[name]
    while new:
        found |= new
        new = set[str]().union(*(asked[one] for one in new if one in asked)) - found
    return found


def _text(arguments: list[Any]) -> str:
    return str(ast.literal_eval(arguments[0]))
