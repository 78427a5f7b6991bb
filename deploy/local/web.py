"""Builds the web client when it was never built or its sources have changed since."""

import contextlib
import fcntl
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from deploy.local.launcher_error import LauncherError
from deploy.local.node import Node, find
from deploy.local.options import ROOT

SOURCES = ROOT / "clients" / "web"
PACKAGE = ROOT / "clients" / "typescript"
"""The package for programs of others, of which the web client is made."""
LANGUAGES = ROOT / "brettwerk_games" / "languages"
"""The words of the web client in all languages but English."""
_INSTALLED = Path(__file__).with_name("page")
BUILT = _INSTALLED if _INSTALLED.is_dir() else SOURCES / "dist"
DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")
_STAMP = BUILT / ".sources"
_NOT_SOURCES = {"node_modules", "dist", "generated", "tests", "test-results", ".svelte-check", "__pycache__"}
_BACKOFF = ("--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000")
"""Pauses before npm tries again, in milliseconds: its own ten seconds are long for a machine without a network."""
_OUT_OF_REACH = re.compile(r"\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b")
"""The codes by which npm says that it cannot reach its registry."""
Say = Callable[[str], None]


def is_current() -> bool:
    """Return whether the built client is that of the sources. Without sources (an installed package) it always is."""
    if not (SOURCES / "package.json").exists():
        return True
    return (BUILT / "index.html").exists() and _STAMP.exists() and _STAMP.read_text() == digest()


def digest() -> str:
    """Return the digest of everything that the build reads."""
    sha = hashlib.sha256()
    for file in sorted(_files()):
        sha.update(str(file.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return sha.hexdigest()


def build(say: Say, echo: Say | None = None) -> None:
    """Make the built client current. Raises LauncherError, with what the tool said that failed, when that cannot be done."""
    if is_current():
        return
    with _alone():
        if is_current():
            return
        began = time.monotonic()
        node = find(say)
        wanted = digest()
        install(node, say, echo)
        say("building the web client")
        _STAMP.unlink(missing_ok=True)
        _run(node, ("run", "build"), echo)
        _STAMP.write_text(wanted)
        say(f"the web client is built after {time.monotonic() - began:.0f} s")


def is_installed() -> bool:
    """Return whether node_modules is what package-lock.json says."""
    stamp = _stamp_of_tools()
    return stamp.exists() and stamp.read_text() == _digest_of_tools()


def install(node: Node, say: Say, echo: Say | None = None) -> None:
    """Make node_modules what package-lock.json says."""
    if is_installed():
        return
    say("installing what builds the web client (a minute the first time)")
    _run(node, ("ci", "--no-audit", "--no-fund", *_BACKOFF), echo)
    _stamp_of_tools().write_text(_digest_of_tools())


def _stamp_of_tools() -> Path:
    return SOURCES / "node_modules" / ".brettwerk"


def _digest_of_tools() -> str:
    return hashlib.sha256((SOURCES / "package-lock.json").read_bytes()).hexdigest()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Let no other process install or build within the block: of two launchers the second one finds it done."""
    with (SOURCES / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _files() -> Iterator[Path]:
    folders = [SOURCES, PACKAGE, ROOT / "protos", LANGUAGES]
    while folders:
        for entry in folders.pop().iterdir():
            if entry.is_dir():
                if entry.name not in _NOT_SOURCES:
                    folders.append(entry)
            elif entry.is_file():
                yield entry


def _run(node: Node, arguments: tuple[str, ...], echo: Say | None) -> None:
    head: list[str] = []  # npm says first what is wrong, the tools that it runs say so last
    tail: deque[str] = deque(maxlen=15)
    command = [sys.executable, "-I", "-S", str(DIE_WITH_PARENT), str(os.getpid()), node.npm, *arguments]
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=SOURCES,
        env=node.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    assert process.stdout
    with process, process.stdout as output:
        try:
            for line in output:
                (head if len(head) < 10 else tail).append(line.rstrip())
                if echo:
                    echo(line.rstrip())
            code = process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # nothing of it goes on when the launcher ends
            raise
    if code:
        if _OUT_OF_REACH.search("\n".join((*head, *tail))):
            raise LauncherError(
                "the web client cannot be built: npm cannot reach its registry. Is there a network? A mirror or proxy is set in "
                ".npmrc; start with --no-web to do without the page"
            )
        said = "\n".join(f"  {line}" for line in (*head, *tail))
        raise LauncherError(
            f"the web client cannot be built: npm {' '.join(arguments)} failed. Start with --no-web to do without it.\n{said}"
        )


def main(arguments: list[str]) -> None:
    """Build the web client, or with `--tools` only install what builds it. Exits with what is wrong where that cannot be done."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing of it goes on then
    try:
        if arguments == ["--tools"]:
            with _alone():
                install(find(print), print)
        else:
            build(print)
    except LauncherError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1:])
