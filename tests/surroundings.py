"""The needs of tests on the machine that they run on. Where one is not met a test is skipped, and says what to do about it."""

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest


def lacking(what: str, remedy: str, *, optional: bool = False) -> NoReturn:
    """Skip the test for the lack of something; in CI, which has all that is not optional, fail it."""
    (pytest.skip if optional or not os.environ.get("CI") else pytest.fail)(f"{what} ({remedy})")


def program(name: str, package: str = "", *, optional: bool = False) -> str:
    """Return the path of a program, which Debian has in a package of the same name where none is given."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    return found or lacking(f"{name} is not installed", f"apt install {package or name}", optional=optional)


def write_program(file: Path, source: str) -> None:
    """Write a program of Python that can be run as any other, wherever the interpreter is.

    No first line of a script can name a path with a space or of more than 127 bytes, so the shell reads this one first, as
    with those that pip installs there.
    """
    file.write_text(f"#!/bin/sh\n'''exec' \"{sys.executable}\" \"$0\" \"$@\"\n' '''\n{source}", "utf-8")
    file.chmod(0o755)
