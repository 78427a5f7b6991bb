"""The checks and tests of this repository. `scripts/test` and `scripts/check` run it in the prepared environment."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from deploy.local import chromium, node, web
from deploy.local.launcher_error import LauncherError
from scripts.changed import changed_files, mirrored_tests
from scripts.unsteady import MAX_UNSTEADY, Unsteady, kept_in

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
TESTS = ROOT / "tests"
AT_ONCE, OF_SYSTEMS = 4, 2
"""Tests of one check that run at the same time: those of parts wait for half of their time, those of whole systems and browsers
less. Another check runs beside them. (With three whole systems at a time it took longer.)"""
EXAMPLES_AT_NIGHT = "2"
"""How many times the usual examples of each property are tried at night; for every change it is a quarter (tests/night.py)."""
NO_TESTS = 5
"""With this pytest ends when it found none."""
CACHE = ROOT / ".pytest_cache" / "runs"
PACKAGE = "clients/typescript/"
"""The web client is made of this package."""
MAX_ASKED_AGAIN = 3
"""How many failed tests of a check are asked a second time; where more fail, something is wrong."""


@dataclass(frozen=True)
class Check:
    name: str
    command: list[str]
    folder: Path = ROOT
    environment: dict[str, str] | None = None
    quiet: bool = True
    memory: Path | None = None
    """Where a run of tests keeps which of them failed."""
    may_be_empty: bool = False
    """Whether a run without any test is good."""


def program(name: str, *arguments: str) -> list[str]:
    return [str(BIN / name), *arguments]


def lint() -> Iterator[Check]:
    yield Check("ruff check", program("ruff", "check"))
    yield Check("ruff format", program("ruff", "format", "--check"))
    yield Check("mypy", program("mypy"))
    yield Check("mypy examples", program("mypy", "examples"))
    yield Check("import-linter", program("lint-imports"))
    yield from of_contract()


def of_contract() -> Iterator[Check]:
    yield Check("buf lint", program("buf", "lint", "protos"))
    yield Check("buf format", program("buf", "format", "--diff", "--exit-code", "protos"))
    yield Check("buf breaking", program("python", "scripts/breaking_changes.py"))


def web_checks() -> Iterator[Check]:
    if not (web.SOURCES / "package.json").exists():
        return
    found = node.find(say)
    for script in ("check:change", "test"):
        yield Check(f"web {script}", [found.npm, "run", script], web.SOURCES, found.environment)
    yield Check("documentation", [sys.executable, "-m", "scripts.docs_site.build"])
    yield Check("client package", [sys.executable, str(ROOT / "scripts" / "build-clients"), "--check"])


def prepare_web(*, build: bool) -> None:
    """Install what the web client is made with, and build it: what runs side by side finds both. Raises LauncherError."""
    if not (web.SOURCES / "package.json").exists():
        return
    web.install(node.find(say), say)
    if build:
        web.build(say)


def in_parts(*, quick: bool) -> Iterator[Check]:
    yield pytest("tests", f"not (e2e or browser or nightly{' or slow' if quick else ''})", str(TESTS))


def as_a_whole() -> Iterator[Check]:
    yield pytest("tests of the whole", "e2e and not (browser or nightly)", *files_with("e2e"), at_once=OF_SYSTEMS)


def in_browsers() -> Iterator[Check]:
    # Playwright keeps an event loop running in its process, where tests with one of their own cannot run.
    yield pytest("tests in a browser", "browser and not nightly", *files_with("browser"), at_once=OF_SYSTEMS)


def at_night() -> Iterator[Check]:
    """Yield the slow proofs, all parts with more examples of each property, and the other looks of pages.

    Of all of these the gate has a smaller form. They are run two at a time, since each slow proof fills a machine.
    """
    if (web.SOURCES / "package.json").exists():
        found = node.find(say)
        yield Check("web check", [found.npm, "run", "check"], web.SOURCES, found.environment)
    more = {**os.environ, "BRETTWERK_EXAMPLES": EXAMPLES_AT_NIGHT}
    yield pytest("nightly tests of parts", "not (e2e or browser)", str(TESTS), at_once=OF_SYSTEMS, environment=more)
    yield pytest("nightly tests of the whole", "e2e and nightly and not browser", *files_with("e2e"), at_once=OF_SYSTEMS)
    yield pytest("nightly tests in a browser", "browser and nightly", *files_with("browser"), at_once=OF_SYSTEMS)


def is_python(path: Path) -> bool:
    """Return whether a file is one of Python, by its ending or by the program that its first line names."""
    if path.suffix:
        return path.suffix in (".py", ".pyi")
    with path.open("rb") as file:
        return file.readline().startswith(b"#!/usr/bin/env python")


def of_changed(files: list[str]) -> Iterator[Check]:
    """Yield the checks of Python and the contract that these files may fail, and the quick tests that mirror them."""
    python = [name for name in files if is_python(ROOT / name)]
    if python:
        yield Check("ruff check", program("ruff", "check", "--force-exclude", *python))
        yield Check("ruff format", program("ruff", "format", "--check", "--force-exclude", *python))
        yield Check("mypy", program("mypy"))
        yield Check("import-linter", program("lint-imports"))
    if any(name.startswith("protos/") for name in files):
        yield from of_contract()
    if tests := mirrored_tests(ROOT, files):
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not (e2e or browser or nightly or slow)", *tests]
        yield Check(f"{len(tests)} files of tests", command, may_be_empty=True)


def of_changed_web(files: list[str]) -> Iterator[Check]:
    """Yield the checks of the web client, if these files belong to it: types of all, style and tests of what changed."""
    own = [name.removeprefix("gateway/web/") for name in files if name.startswith("gateway/web/")]
    package = [f"../../{name}" for name in files if name.startswith(PACKAGE)]
    if not own and not package and not any(name.startswith("protos/") for name in files):
        return
    found = node.find(say)

    def npx(name: str, *arguments: str) -> Check:
        return Check(name, [found.npm, "exec", "--", *arguments], web.SOURCES, found.environment)

    yield Check("web generate", [found.npm, "run", "generate"], web.SOURCES, found.environment)
    yield npx("svelte-check", "svelte-check", "--fail-on-warnings")
    if code := [name for name in own if name.endswith((".ts", ".svelte"))]:
        yield npx("eslint", "eslint", "--max-warnings", "0", "--no-warn-ignored", *code)
    if code := [name for name in (*own, *package) if name.endswith((".ts", ".svelte"))]:
        yield npx("web tests", "vitest", "related", "--run", "--passWithNoTests", *code)
    if own:
        yield npx("prettier", "prettier", "--check", "--log-level", "warn", "--ignore-unknown", *own)


def files_with(mark: str) -> list[str]:
    """Return the files with tests that have a mark: to read the others, too, would take each process ten seconds."""
    return [str(path) for path in sorted(TESTS.rglob("test_*.py")) if f"pytest.mark.{mark}" in path.read_text(encoding="utf-8")]


def pytest(name: str, marks: str, *files: str, at_once: int = AT_ONCE, environment: dict[str, str] | None = None) -> Check:
    """Return a run of the tests of some files with these marks; it remembers its failures in a folder of its own."""
    memory = CACHE / name.replace(" ", "_")
    command = [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={memory}", "--durations", "40", "-m", marks]
    command += ["-n", str(at_once), "--dist", "worksteal", *files]
    return Check(name, command, environment=environment, quiet=False, memory=memory)


def ensure_chromium() -> None:
    """Install a browser where there is none and that is possible. Raises LauncherError where it is not."""
    if has_chromium():
        return
    say("installing Chromium")
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"])
        for package in chromium.PACKAGES:
            if subprocess.run(["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]).returncode == 0:
                break
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    if not has_chromium():
        raise LauncherError(
            "there is no Chromium for the browser tests; install one (apt install chromium), or use scripts/test --quick"
        )


def has_chromium() -> bool:
    """Return whether there is a browser on the PATH, or one that playwright has installed."""
    if chromium.find() is not None:
        return True
    asked = "from playwright.sync_api import sync_playwright as p\nwith p() as play: print(play.chromium.executable_path)"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True).stdout.strip()
    return bool(said) and Path(said).exists()


def say(line: str) -> None:
    print(f"brettwerk: {line}", flush=True)


def run(check: Check) -> bool:
    """Run a check and return whether it is good; what it says is shown as it comes, or, when it is quiet, only if it fails.

    What it costs is given in seconds of a processor, too, which say more than time on a machine that others keep busy.
    """
    began = time.monotonic()
    if not check.quiet:
        say(check.name)
    with subprocess.Popen(
        check.command,
        cwd=check.folder,
        env=check.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if check.quiet else None,
        stderr=subprocess.STDOUT if check.quiet else None,
    ) as running:
        said = running.stdout.read() if running.stdout else b""
        _, status, used = os.wait4(running.pid, 0)  # what it had of the processors is known only now, and only once
        code = running.returncode = os.waitstatus_to_exitcode(status)
    good = code == 0 or (check.may_be_empty and code == NO_TESTS)
    if check.quiet and not good:
        sys.stdout.buffer.write(said)
    took = f"{time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of a processor"
    say(f"{check.name}: {'good' if good else 'FAILED'} ({took})")
    return good


def passes_alone(check: Check, unsteady: Unsteady) -> bool:
    """Ask the few tests that failed once more, with nothing beside them; return whether they pass, which is told and noted.

    Tests of running systems share a machine with others, and a stall of seconds fails what is right. What is wrong fails again.
    """
    failed = remembered(check.memory)
    if not 0 < len(failed) <= MAX_ASKED_AGAIN:
        return False
    say(f"{check.name}: asking again, alone: {', '.join(failed)}")
    again = [*check.command, "-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
    good = subprocess.run(again, cwd=check.folder, env=check.environment, stdin=subprocess.DEVNULL).returncode == 0
    say(f"{check.name}: {'UNSTEADY, to be mended' if good else 'FAILED'}: {', '.join(failed)}")
    if good:
        unsteady.note(check.name, failed)
    return good


def remembered(memory: Path | None) -> list[str]:
    """Return the tests that failed in the last run."""
    file = memory / "v" / "cache" / "lastfailed" if memory is not None else None
    return list(json.loads(file.read_text())) if file is not None and file.exists() else []


def in_turn(checks: Iterable[Check]) -> list[Check]:
    """Run checks and return those that failed. Raises LauncherError."""
    return [check for check in checks if not run(check)]


def failing(*lanes: Iterable[Check], unsteady: Unsteady) -> list[str]:
    """Run lanes of checks side by side, each in its order, then ask what failed again; return the names of what is wrong.

    Raises LauncherError.
    """
    with ThreadPoolExecutor(len(lanes)) as pool:
        failed = [check for checks in pool.map(in_turn, lanes) for check in checks]
    return [check.name for check in failed if not passes_alone(check, unsteady)]


def run_all(args: argparse.Namespace, unsteady: Unsteady) -> list[str]:
    """Run what is asked for and return the names of the checks that failed. Raises LauncherError."""
    if args.changed is not None:
        files = changed_files(ROOT, args.changed)
        say(f"{len(files)} files changed")
        if any(name.startswith(("gateway/web/", PACKAGE, "protos/")) for name in files):
            prepare_web(build=False)
        return failing(of_changed(files), of_changed_web(files), unsteady=unsteady)
    if args.lint:
        return failing(lint(), unsteady=unsteady)
    shutil.rmtree(CACHE, ignore_errors=True)
    prepare_web(build=not args.quick)
    if not args.quick:
        ensure_chromium()
    if args.nightly:
        return failing(at_night(), unsteady=unsteady)
    if args.quick:
        return failing(chain(lint(), web_checks()), in_parts(quick=True), unsteady=unsteady)
    # Tests wait for half of their time, in which the machine can do the other lane. Whole systems come last, and alone.
    parts, pages = chain(in_parts(quick=False), as_a_whole()), chain(lint(), web_checks(), in_browsers())
    return failing(parts, pages, unsteady=unsteady)


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/test")
    parser.add_argument("--lint", action="store_true", help="only the checks that run nothing")
    parser.add_argument("--quick", action="store_true", help="leave out slow tests and those of the whole system and the browser")
    parser.add_argument("--nightly", action="store_true", help="only the slow proofs; other runs have a smaller form of them")
    parser.add_argument("--changed", nargs="?", const="", metavar="COMMIT", help="only what changed since main, or a commit")
    args, to_pytest = parser.parse_known_args()
    if to_pytest:
        return subprocess.run([sys.executable, "-m", "pytest", *to_pytest], cwd=ROOT).returncode
    unsteady = Unsteady(kept_in())
    try:
        failed = run_all(args, unsteady)
    except (LauncherError, ValueError) as error:
        say(str(error))
        return 1
    if unsteady.tests:
        say(f"UNSTEADY: {', '.join(unsteady.tests)}; kept in {kept_in()}")
    if unsteady.are_too_many:
        failed.append(f"{len(unsteady.tests)} tests are unsteady, and a run may have {MAX_UNSTEADY}")
    say("FAILED: " + ", ".join(failed) if failed else "everything is good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
