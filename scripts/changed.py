"""The files that changed since a branch left the main one, and which tests look at them."""

import functools
import itertools
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

MAIN_BRANCHES = ("origin/HEAD", "origin/main", "main")
SOURCES = (
    "brettwerk_games",
    "grpc_http2",
    "services",
    "gateway",
    "deploy",
    "loadtests",
    "scripts",
    "clients/python/src",
    "examples",
    "tests",
)
SLOW_MARKS = ("pytest.mark.e2e", "pytest.mark.browser", "pytest.mark.nightly")
"""A file of tests that is marked so as a whole is not run for what changed."""
MAX_TESTS = 15
"""How many files of tests are run for a module that many import: those that stand nearest, so that it takes seconds."""


def changed_files(root: Path, base: str = "") -> list[str]:
    """Return the files, by their paths from the root, that differ from a commit, and those that git does not know yet.

    Without one it is the commit at which this branch left the main one. Files that are gone are left out.
    Raises ValueError when there is no such commit.
    """
    since = base or _left_main_at(root)
    differ = _git(root, "diff", "--name-only", "-z", "--diff-filter=d", since)
    if differ is None:
        raise ValueError(f"there is no commit {since}")
    names = differ + (_git(root, "ls-files", "--others", "--exclude-standard", "-z") or "")
    return sorted({name for name in names.split("\0") if name and (root / name).is_file()})


def _left_main_at(root: Path) -> str:
    found = (_git(root, "merge-base", "HEAD", branch) for branch in MAIN_BRANCHES)
    return next((commit.strip() for commit in found if commit), "HEAD")


def _git(root: Path, *arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def relevant_tests(root: Path, files: Iterable[str]) -> list[str]:
    """Return the files with quick tests of some files: tests themselves, and for each other file those of the first kind it has.

    1. Tests that mirror it (services/a/b.py is tested in tests/services/a/test_b.py, and in test_b_*.py beside it), and what is
       stated below for some kinds.
    2. Tests that import the module, or import what imports it, over as few steps as possible.
    3. The tests of its folder, which also look at what modules read: scripts for Redis, data, texts.
    """
    found: set[str] = set()
    for name in files:
        path = Path(name)
        if path.parts[0] == "tests" and path.name.startswith("test_"):
            found.update([name] if path.suffix == ".py" else [])
        elif path.suffix == ".py" and path.name != "__init__.py":
            found.update(_mirrors(root, path) or _importing(root, path) or _of_folder(root, path))
        else:
            is_read = path.parts[0] in ("brettwerk_games", "services") and path.suffix in (".lua", ".json", ".md", ".sql")
            found.update(_mirrors(root, path) or (_of_folder(root, path) if is_read else ()))
    return sorted(found)


_KIT = ("tests/brettwerk_games/rules/test_conformance.py",)
_CONTRACT = ("tests/contract/test_contract.py", "tests/contract/test_limits.py", "tests/contract/test_promises.py")


def _mirrors(root: Path, path: Path) -> list[str]:
    """Return the quick tests that stand where a file's stand, and those of its kind that stand elsewhere."""
    tests: list[str] = []
    if path.suffix in ("", ".py"):
        beside, name = root / "tests" / path.parent, f"test_{path.stem.replace('-', '_')}"
        tests = [f"tests/{path.parent}/{name}.py", *sorted(str(each.relative_to(root)) for each in beside.glob(f"{name}_*.py"))]
    match path.parts:
        case ("brettwerk_games", "rules", _, "rules.py"):
            tests += _KIT
        case ("scripts", "new_game", *_):
            tests.append("tests/scripts/test_new_game.py")
        case ("protos", *_):
            tests += _CONTRACT
        case ("clients", "python", *_):
            tests.append(f"tests/clients/test_{path.stem}.py")
        case ("clients", "typescript", *_):
            tests.append("tests/clients/test_tarball.py")
        case ("examples", "connect_four", *_):
            tests += ["tests/examples/test_connect_four.py", "tests/examples/test_rules.py"]
        case ("examples", "breakthrough" | "liars_dice", *_):
            tests.append("tests/examples/test_rules.py")
        case ("examples", *_) if path.suffix == ".py":
            tests.append("tests/examples/test_playing.py")
    return [test for test in tests if (root / test).is_file()]


def _importing(root: Path, path: Path) -> list[str]:
    """Return the quick tests that import a module in as few steps as possible; none for a file that is no module."""
    importers, seen, next_ones = _importers(root), {str(path)}, {str(path)}
    while next_ones:
        next_ones = {one for name in next_ones for one in importers[name]} - seen
        seen |= next_ones
        if tests := [name for name in next_ones if Path(name).name.startswith("test_") and _is_quick(root / name)]:
            return sorted(tests, key=lambda test: (-_shared(path, Path(test)), test))[:MAX_TESTS]
    return []


def _shared(path: Path, test: Path) -> int:
    """Return how many folders from the root on a module and a test have in common."""
    pairs = zip(path.parent.parts, test.parent.parts[1:], strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


@functools.cache
def _importers(root: Path) -> dict[str, set[str]]:
    """Return the files that import each file, by their paths from the root."""
    named = {_module(path.relative_to(root)): str(path.relative_to(root)) for path in _modules(root)}
    found: dict[str, set[str]] = defaultdict(set)
    for name in named.values():
        for imported in _imports((root / name).read_text("utf-8")):
            if imported in named:
                found[named[imported]].add(name)
    return found


def _modules(root: Path) -> Iterator[Path]:
    for folder in SOURCES:
        yield from (root / folder).rglob("*.py")


def _module(path: Path) -> str:
    """Return the name under which a file is imported."""
    parts = path.with_suffix("").parts
    parts = parts[parts.index("src") + 1 :] if "src" in parts else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) )?import (?:\(([^)]*)\)|([^(\n]*))", re.MULTILINE)


def _imports(text: str) -> Iterator[str]:
    """Yield all that a module imports, as modules and as names that may be modules.

    Its text is looked through, which takes a fiftieth of the time of parsing it.
    """
    for package, in_brackets, in_line in _IMPORT.findall(text):
        names = [name.split()[0] for name in re.sub(r"#.*", "", in_brackets or in_line).split(",") if name.strip()]
        if package:
            yield package
        yield from (f"{package}.{name}" if package else name for name in names)


def _is_quick(test: Path) -> bool:
    head = test.read_text("utf-8").partition("\ndef ")[0]
    marks = head.partition("pytestmark")[2].partition("\n\n")[0]
    return not any(mark in marks for mark in SLOW_MARKS)


def _of_folder(root: Path, path: Path) -> list[str]:
    """Return the quick tests of the folder that a file is in, or of the nearest one around it that has any; those of its name."""
    for folder in path.parents[:-1]:
        tests = [test for test in sorted((root / "tests" / folder).glob("test_*.py")) if _is_quick(test)]
        if tests:
            own = [test for test in tests if path.stem in test.stem]
            return [str(test.relative_to(root)) for test in own or tests[:MAX_TESTS]]
    return []
