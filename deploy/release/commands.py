"""Runs the programs that a release is made with."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from deploy.release.release_error import ReleaseError


def run(step: str, command: Sequence[str], *, cwd: Path | None = None) -> str:
    """Run a program and return what it wrote to its standard output.

    Raises ReleaseError, which begins with the name of the step and ends with the last thing that the program complained about.
    """
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise ReleaseError(f"{step}: {command[0]} cannot be run: {error.strerror}") from error
    if done.returncode:
        raise ReleaseError(f"{step}: {command[0]} failed: {complaint(done.stderr or done.stdout)}")
    return done.stdout


def complaint(said: str) -> str:
    """Return the last line that says something, which is where programs put what went wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:500] if lines else "it did not say why"
