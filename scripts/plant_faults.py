"""Plants faults in a copy of the sources, one at a time, and tells which no test finds: `scripts/plant_faults.py`.

They are listed in tests/faults.txt: a file, a line of it, and what that becomes. Each is tried by the tests of its service that
run for every change, with as many examples, those nearest to the file first, until one fails. It exits with 1 when fewer than
95 % are found; one that does not fit its file is not.
"""

import argparse
import compileall
import os
import py_compile
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTED = ROOT / "tests" / "faults.txt"
NEEDED_SHARE = 0.95
LEFT_OUT = "not (slow or nightly or e2e or browser)"
TEST_S, RUN_S = 60, 600
"""A fault that makes a test, or a run of them, hang for so long is found, too."""
NEAREST = 6
"""How many files of tests are run first, by themselves: most faults are found there, which saves a service's others."""
PASSED, NOTHING_SELECTED = 0, 5
"""The status of pytest when no test failed."""


@dataclass(frozen=True)
class Fault:
    """A line that becomes another one."""

    file: str
    old: str
    new: str

    def planted(self, text: str) -> str:
        """Return the text of its file with the fault in it. Raises ValueError unless the line is there exactly once."""
        found = re.findall(rf"^[ \t]*{re.escape(self.old)}$", text, re.MULTILINE)
        if len(found) != 1:
            raise ValueError(f"{self.file} has {len(found)} lines: {self.old}")
        return text.replace(f"{found[0]}\n", found[0].replace(self.old, self.new) + "\n")


def listed(text: str) -> Iterator[Fault]:
    """Yield the faults of a list: the name of a file, then a line with a - and one with a +. Lines with # are remarks."""
    file = old = ""
    for line in text.splitlines():
        match line[:2]:
            case "- ":
                old = line[2:]
            case "+ ":
                yield Fault(file, old, line[2:])
            case _ if line and not line.startswith("#"):
                file = line


def nearest_tests(file: str, root: Path) -> list[str]:
    """Return the files with the tests of a source file's service, those nearest to it first."""
    source = Path(file)
    mirror = root / "tests" / source.parent
    service = root / "tests" / Path(*source.parts[: 2 if source.parts[0] in ("brettwerk_games", "services", "deploy") else 1])
    named = re.compile(rf"\b{source.stem}\b")

    def far(test: Path) -> tuple[int, str]:
        if test.parent == mirror and test.stem == f"test_{source.stem}":
            return 0, test.name
        near = test.is_relative_to(mirror)
        return (1 if near else 2) if named.search(test.read_text(encoding="utf-8")) else 3 if near else 4, str(test)

    return [str(test.relative_to(root)) for test in sorted(service.rglob("test_*.py"), key=far)]


def copied(folder: Path) -> Path:
    """Return a copy of the working tree in a folder, with what is generated and compiled."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    compiled = [str(path.relative_to(ROOT)) for path in (ROOT / "brettwerk_games").rglob("*.so")]
    for name in [*names.stdout.splitlines(), *compiled]:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for name in ("generated", "clients/web/dist", "clients/web/node_modules"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    # By their contents, not their time: a fault that is planted within a second of another is not taken for it.
    compileall.compile_dir(folder, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return folder


def is_found(fault: Fault, tree: Path) -> str:
    """Return the test that fails with this fault in the tree; nothing when none does. Raises ValueError when it does not fit."""
    file = tree / fault.file
    text = file.read_text(encoding="utf-8")
    planted = fault.planted(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        f"--timeout={TEST_S}",
        "-m",
        LEFT_OUT,
    ]
    paths = os.pathsep.join(map(str, (tree, tree / "generated" / "python", tree / "clients" / "python" / "src")))
    tests = nearest_tests(fault.file, tree)
    try:
        file.write_text(planted, encoding="utf-8")
        for some in filter(None, (tests[:NEAREST], tests[NEAREST:])):
            done = subprocess.run(
                [*command, *some],
                cwd=tree,
                env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
                capture_output=True,
                text=True,
                check=False,
                timeout=RUN_S,
            )
            failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
            if failed or done.returncode not in (PASSED, NOTHING_SELECTED):
                return failed[0] if failed else f"pytest, which ends with {done.returncode}"
    except subprocess.TimeoutExpired:
        return "a run that hangs"
    finally:
        file.write_text(text, encoding="utf-8")
    return ""


def main() -> int:
    """Return the exit code: 1 if fewer faults were found than `NEEDED_SHARE`."""
    parser = argparse.ArgumentParser(prog="scripts/plant_faults.py")
    parser.add_argument("--only", default="", metavar="WORD", help="only faults in files whose name contains this")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="how many to try at the same time")
    parser.add_argument("list", nargs="?", type=Path, default=LISTED, help="another list of faults")
    args = parser.parse_args()
    faults = [fault for fault in listed(args.list.read_text(encoding="utf-8")) if args.only in fault.file]
    trees: queue.SimpleQueue[Path] = queue.SimpleQueue()

    def tried(fault: Fault) -> bool:
        """Try a fault in a tree that is free, tell what came of it, and return whether it was found."""
        tree, began = trees.get(), time.monotonic()
        try:
            test = is_found(fault, tree)
            verdict = test or "NOT FOUND"
        except ValueError as error:
            test, verdict = "", f"DOES NOT FIT: {error}"
        finally:
            trees.put(tree)
        print(f"{fault.file}\n- {fault.old}\n+ {fault.new}\n  {verdict} ({time.monotonic() - began:.0f} s)", flush=True)
        return bool(test)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.at_once) as pool:
        for number in range(args.at_once):
            trees.put(copied(Path(folder) / str(number)))
        found = sum(pool.map(tried, faults))
    print(f"{found} of {len(faults)} faults were found")
    return 0 if found >= NEEDED_SHARE * len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
