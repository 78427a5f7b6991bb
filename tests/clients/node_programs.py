"""Programs for Node.js in a folder that has the package @brettwerk/client and nothing else of this checkout."""

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy.local import node

NODE = node.find(print)


def run(*command: str | Path, folder: Path, within_s: float = 300) -> str:
    """Return what a program says, once it has ended well."""
    done = subprocess.run(
        command, cwd=folder, env=NODE.environment, capture_output=True, text=True, timeout=within_s, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def play(installed: Path, program: str, *arguments: str) -> list[str]:
    """Return the lines that a program of somebody else says."""
    (installed / "program.js").write_text(program)
    return run("node", "program.js", *arguments, folder=installed, within_s=120).splitlines()


class Living:
    """A program that has not ended, and says a line of JSON now and then."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def said(self) -> dict[str, Any]:
        """Return the next line, once it is there. Raises AssertionError if the program ends without one."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the program has ended ({self._process.wait()})"
        said: dict[str, Any] = json.loads(line)
        return said

    def next_with(self, key: str) -> dict[str, Any]:
        """Return the next line that has a key.

        Lines without it are passed over: on a busy machine a bot may tell at any time that it waits for an answer.
        """
        return next(line for line in iter(self.said, None) if key in line)

    def ended(self) -> int:
        """Return the program's exit code, once it has one."""
        return self._process.wait()

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self._process.kill()
        self._process.wait()


@contextlib.contextmanager
def living(installed: Path, program: str, *arguments: str) -> Iterator[Living]:
    """Run a program until the end of the block at the latest."""
    (installed / "living.js").write_text(program)
    command = ["node", "living.js", *arguments]
    with subprocess.Popen(command, cwd=installed, env=NODE.environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Living(process)
        finally:
            process.kill()
