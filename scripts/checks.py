"""The checks and tests of this repository. `scripts/test` and `scripts/check` run it in the prepared environment."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from deploy.local import chromium, node, web
from deploy.local.launcher_error import LauncherError
from scripts.changed import changed_files, relevant_tests
from scripts.runner import CACHE, ROOT, Check, Lane, Runner, Screen
from scripts.unsteady import MAX_UNSTEADY, Unsteady, kept_in

BIN = Path(sys.executable).parent
TESTS = ROOT / "tests"
CORES = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
AT_ONCE, OF_SYSTEMS = 5 * CORES // 2, CORES
"""Tests of one check that run at the same time: those of parts wait for more than half of their time, those of whole systems and
browsers less."""
EXAMPLES_AT_NIGHT = "2"
"""How many times the usual examples of each property are tried at night; for every change it is an eighth (tests/night.py)."""
GET_CHROMIUM = "apt install chromium, or chromium-headless-shell"
PACKAGE = "clients/typescript/"
"""The web client is made of this package."""
REFUSALS_MADE = {"clients/python/src/brettwerk_client/refusals.py", "docs/protocol.md"}
"""Files that are made, in parts, of the catalogue of refusals."""
SCREEN = Screen()
say = SCREEN.say

REFUSALS = Check("catalogue of refusals", [sys.executable, "-m", "scripts.refusal_catalogue", "--check"])
CLIENT_HALF = Check("half of the client", [sys.executable, "-m", "scripts.sync_client", "--check"])


def program(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a program of the environment."""
    return [str(BIN / name), *arguments]


def lint() -> Iterator[Check]:
    """Yield everything that can be told without running anything."""
    yield from style()
    yield from types()


def style() -> Iterator[Check]:
    """Yield what looks at each file by itself, at imports and at the contract."""
    yield Check("ruff check", program("ruff", "check"))
    yield Check("ruff format", program("ruff", "format", "--check"))
    yield from imports()
    yield CLIENT_HALF
    yield from of_contract()


def imports() -> Iterator[Check]:
    """Yield what looks at which package imports which."""
    yield Check("import-linter", program("lint-imports"))
    yield Check("diagrams of packages", [sys.executable, "-m", "scripts.package_diagrams", "--check"])


def types() -> Iterator[Check]:
    """Yield what looks at types."""
    yield Check("mypy", program("mypy"))
    yield Check("mypy examples", program("mypy", "examples"))


def of_contract() -> Iterator[Check]:
    """Yield what looks at the contract of the messages."""
    yield Check("buf lint", program("buf", "lint", "protos"))
    yield Check("buf format", program("buf", "format", "--diff", "--exit-code", "protos"))
    yield Check("buf breaking", program("python", "scripts/breaking_changes.py"))
    yield Check("contract of options", [sys.executable, "-m", "scripts.option_contract", "--check"])
    yield REFUSALS


def web_checks() -> Iterator[Check]:
    """Yield what looks at the web client and the documentation; nothing where the sources are left out."""
    if not (web.SOURCES / "package.json").exists():
        return
    found = node.find(say)
    for script in ("check:change", "test"):
        yield Check(f"web {script}", [found.npm, "run", script], web.SOURCES, found.environment)
    yield Check("documentation", [sys.executable, "-m", "scripts.docs_site.build"])


def prepared() -> Iterator[Check]:
    """Yield what tests find made, whatever runs beside them: compiled players, the tools of the web client, and the client."""
    yield Check("computer players", [sys.executable, str(ROOT / "scripts" / "prepare.py"), "--kernels"])
    if (web.SOURCES / "package.json").exists():
        yield Check("web client", [sys.executable, "-m", "deploy.local.web"])


def collected() -> Iterator[Check]:
    """Yield the collection of all tests, which compiles what they import: ten processes that begin at once would each do so."""
    yield Check("collection", program("pytest", "--collect-only", "-qq", str(TESTS)))


def in_parts(*, quick: bool) -> Iterator[Check]:
    """Yield the tests of parts; `quick` leaves out those of `slow_files`."""
    left_out = [f"--ignore={ROOT / name}" for name in slow_files()] if quick else []
    yield pytest("tests", f"not (e2e or browser or nightly{' or slow' if quick else ''})", str(TESTS), *left_out)


def slow_files() -> list[str]:
    """Return the files of tests of parts that take seconds: an eighth of all, which take three quarters of the time."""
    lines = (TESTS / "slow_files.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def as_a_whole() -> Iterator[Check]:
    """Yield the tests of whole deployments."""
    marks = "e2e and not (browser or nightly)"
    # Those that share a deployment go to one process (tests/groups.py), which is idle while others start theirs.
    yield pytest("tests of the whole", marks, *files_with("e2e"), at_once=OF_SYSTEMS, dist="loadgroup")


def in_browsers(*, nightly: bool = False) -> Iterator[Check]:
    # Playwright keeps an event loop running in its process, where tests with one of their own cannot run.
    """Yield the tests of pages: those of every change, or all of them on pages that move (tests/browser/conftest.py)."""
    if nightly:
        yield pytest(
            "nightly tests in a browser", "browser", *files_with("browser"), at_once=OF_SYSTEMS, environment=nightly_amounts()
        )
    else:
        yield pytest("tests in a browser", "browser and not nightly", *files_with("browser"), at_once=OF_SYSTEMS)


def at_night() -> Iterator[Check]:
    """Yield the slow proofs, and all parts with more examples of each property.

    Of all of these the gate has a smaller form. They are run two at a time, since each slow proof fills a machine.
    """
    if (web.SOURCES / "package.json").exists():
        found = node.find(say)
        for script in ("check", "test:night"):
            yield Check(f"web {script}", [found.npm, "run", script], web.SOURCES, found.environment)
        yield Check("client package", [sys.executable, str(ROOT / "scripts" / "build-clients"), "--check"])
    parts = "not (e2e or browser)"
    yield pytest("nightly tests of parts", parts, str(TESTS), at_once=OF_SYSTEMS, environment=nightly_amounts())
    yield pytest("nightly tests of the whole", "e2e and nightly and not browser", *files_with("e2e"), at_once=OF_SYSTEMS)


def nightly_amounts() -> dict[str, str]:
    """Return the environment of tests that try more than for a change (tests/amounts.py)."""
    return {**os.environ, "BRETTWERK_EXAMPLES": EXAMPLES_AT_NIGHT}


def is_python(path: Path) -> bool:
    """Return whether a file is one of Python, by its ending or by the program that its first line names."""
    if path.suffix:
        return path.suffix in (".py", ".pyi")
    with path.open("rb") as file:
        return file.readline().startswith(b"#!/usr/bin/env python")


def of_changed(files: list[str]) -> Iterator[Check]:
    """Yield the checks of Python and the contract that these files may fail, and their quick tests."""
    python = [name for name in files if is_python(ROOT / name)]
    if python:
        yield Check("ruff check", program("ruff", "check", "--force-exclude", *python))
        yield Check("ruff format", program("ruff", "format", "--check", "--force-exclude", *python))
        yield Check("mypy", program("mypy"))
        yield from imports()
    if any(name.startswith("clients/python/") for name in files):
        yield CLIENT_HALF
    if any(name.startswith("protos/") for name in files):
        yield from of_contract()
    elif REFUSALS_MADE & set(files):
        yield REFUSALS
    if tests := relevant_tests(ROOT, files):
        say(f"tests of what changed: {', '.join(tests)}")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "scripts.progress",
            "-m",
            "not (e2e or browser or nightly or slow)",
        ]
        command += ["-n", str(AT_ONCE), "--dist", "worksteal", *tests] if len(tests) > 3 else tests
        yield Check(f"{len(tests)} files of tests", command, may_be_empty=True)


def of_changed_web(files: list[str]) -> Iterator[Check]:
    """Yield the checks of the web client, if these files belong to it: types of all, style and tests of what changed."""
    own = [name.removeprefix("clients/web/") for name in files if name.startswith("clients/web/")]
    package = [f"../../{name}" for name in files if name.startswith(PACKAGE)]
    if not own and not package and not any(name.startswith(("protos/", "brettwerk_games/languages/")) for name in files):
        return
    found = node.find(say)
    web.install(found, say)

    def npx(name: str, *arguments: str) -> Check:
        return Check(name, [found.npm, "exec", "--", *arguments], web.SOURCES, found.environment)

    yield Check("web generate", [found.npm, "run", "generate"], web.SOURCES, found.environment)
    yield npx("svelte-check", "svelte-check", "--incremental", "--fail-on-warnings")
    if code := [name for name in own if name.endswith((".ts", ".svelte"))]:
        yield npx("eslint", "eslint", "--max-warnings", "0", "--no-warn-ignored", *code)
    if code := [name for name in (*own, *package) if name.endswith((".ts", ".svelte"))]:
        yield npx("web tests", "vitest", "related", "--run", "--passWithNoTests", *code)
    if own:
        yield npx("prettier", "prettier", "--check", "--log-level", "warn", "--ignore-unknown", *own)


def files_with(mark: str) -> list[str]:
    """Return the files with tests that have a mark: to read the others, too, would take each process ten seconds."""
    return [str(path) for path in sorted(TESTS.rglob("test_*.py")) if f"pytest.mark.{mark}" in path.read_text(encoding="utf-8")]


def pytest(
    name: str,
    marks: str,
    *files: str,
    at_once: int = AT_ONCE,
    dist: str = "worksteal",
    environment: dict[str, str] | None = None,
) -> Check:
    """Return a run of the tests of some files with these marks; it remembers its failures in a folder of its own."""
    memory = CACHE / name.replace(" ", "_")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "scripts.progress", "-o", f"cache_dir={memory}", "-m", marks]
    command += ["--durations", "40", "-n", str(at_once), "--dist", dist, *files]
    return Check(name, command, environment=environment, memory=memory)


def obtain_chromium() -> bool:
    """Install a browser where that is possible; return whether there is one. In CI, raises LauncherError if there is none."""
    if has_chromium():
        return True
    say("installing Chromium")
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"])
        for package in chromium.PACKAGES:
            if subprocess.run(["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]).returncode == 0:
                break
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    if not has_chromium() and "CI" in os.environ:
        raise LauncherError(f"there is no Chromium for the browser tests: {GET_CHROMIUM}")
    return has_chromium()


def has_chromium() -> bool:
    """Return whether there is a browser on the PATH, or one that playwright has installed."""
    if chromium.find() is not None:
        return True
    asked = "from playwright.sync_api import sync_playwright as p\nwith p() as play: print(play.chromium.executable_path)"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True).stdout.strip()
    return bool(said) and Path(said).exists()


def stages(args: argparse.Namespace, runner: Runner) -> Iterator[list[Lane]]:
    """Yield what is asked for: lanes that run side by side, one stage after another. Raises LauncherError.

    What needs answers within a time shares the machine with nothing that only wants much of it: browsers and whole systems, which
    wait for half of their time, come when parts are done.
    """
    if args.changed is not None:
        files = changed_files(ROOT, args.changed)
        say(f"{len(files)} files changed")
        yield [of_changed(files), of_changed_web(files)]
        return
    if args.lint:
        yield [lint()]
        return
    shutil.rmtree(CACHE, ignore_errors=True)
    yield [style(), prepared(), collected()]
    if not args.nightly:
        yield [in_parts(quick=args.quick), chain(types(), web_checks())]
    if args.quick:
        return
    if not (has_browser := obtain_chromium()):
        runner.leave_out("tests in a browser", f"there is no Chromium: {GET_CHROMIUM}")
    if args.nightly:
        yield [at_night()]
    if args.nightly and has_browser:
        yield [in_browsers(nightly=True)]
    elif not args.nightly:
        yield [in_browsers(), as_a_whole()] if has_browser else [as_a_whole()]


def main() -> int:
    """Return the exit code: 1 if a check has failed or more tests are unsteady than may be."""
    parser = argparse.ArgumentParser(prog="scripts/test")
    parser.add_argument("--lint", action="store_true", help="only the checks that run nothing")
    parser.add_argument("--quick", action="store_true", help="leave out slow tests and those of the whole system and the browser")
    parser.add_argument("--nightly", action="store_true", help="only the slow proofs; other runs have a smaller form of them")
    parser.add_argument("--changed", nargs="?", const="", metavar="COMMIT", help="only what changed since main, or a commit")
    args, to_pytest = parser.parse_known_args()
    if to_pytest:
        return subprocess.run([sys.executable, "-m", "pytest", *to_pytest], cwd=ROOT).returncode
    unsteady = Unsteady(kept_in())
    runner = Runner(unsteady, SCREEN)
    try:
        failed = runner.run(stages(args, runner))
    except (LauncherError, ValueError) as error:
        say(str(error))
        return 1
    SCREEN.show(runner.table())
    if unsteady.tests:
        say(f"UNSTEADY: {', '.join(unsteady.tests)}; kept in {kept_in()}")
    if unsteady.are_too_many:
        failed.append(f"{len(unsteady.tests)} tests are unsteady, and a run may have {MAX_UNSTEADY}")
    say("FAILED: " + ", ".join(failed) if failed else "everything is good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
