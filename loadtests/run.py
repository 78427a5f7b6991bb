"""The start of all commands: their options, where they keep their data, what they say meanwhile, and under what conditions."""

import argparse
import contextlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes

Say = Callable[[str], None]
"""Tells whoever waits what is being done."""


def parser(about: str | None) -> argparse.ArgumentParser:
    """Return a parser of options that shows a module's docstring as it is."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def add_data(to: argparse.ArgumentParser) -> None:
    """Add the options of `folder` and of `progress`."""
    to.add_argument("--data", type=Path, default=None, help="where to keep everything; by default, a temporary folder")
    to.add_argument("--quiet", action="store_true", help="show no progress")


@contextlib.contextmanager
def folder(asked: Path | None) -> Iterator[Path]:
    """Yield the folder that was asked for, or one that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="brettwerk-") as temporary:
        found = (asked or Path(temporary)).absolute()
        found.mkdir(parents=True, exist_ok=True)
        yield found


@contextlib.contextmanager
def deployment(
    environment: Mapping[str, str] | None = None,
    processes: Processes = Processes(web=False),  # noqa: B008 - it does not change
    echo: Callable[[str, str], None] | None = None,
) -> Iterator[Deployment]:
    """Run a deployment in a folder that is gone afterwards."""
    with folder(None) as data, Deployment(data=data, processes=processes, environment=environment, echo=echo) as started:
        yield started


def progress(*, is_quiet: bool) -> Say:
    """Return what prints sentences to standard error with the seconds since now, or nothing."""
    began = time.monotonic()

    def say(sentence: str) -> None:
        if not is_quiet:
            print(f"{time.monotonic() - began:7.1f} s  {sentence}", file=sys.stderr, flush=True)

    return say


def conditions(options: argparse.Namespace | Mapping[str, Any], *left_out: str) -> dict[str, str]:
    """Return what a result holds for: options, day and load, and the kind of machine; nothing that names one."""
    own = {
        "CPUs": str(os.cpu_count()),
        "Python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
    }
    given = vars(options) if isinstance(options, argparse.Namespace) else options
    own |= {name: str(value) for name, value in given.items() if name not in left_out and value not in ("", [], None)}
    return own | {"day": time.strftime("%Y-%m-%d"), "load average before": f"{os.getloadavg()[0]:.1f}"}
