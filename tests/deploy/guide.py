"""The commands that the documents tell an operator to run, and a place to run them in.

A block is run as it stands, by bash, in the root of the repository. `helm` and `kubectl` are the real ones, and speak to an
API server; what needs pods to run, or an engine for containers, is read by the real program's own parser where there is one,
and noted down in any case.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.deploy.api_server import ApiServer
from tests.deploy.tools import ROOT, helm
from tests.surroundings import write_program

NEED_PODS = {
    ("kubectl", "port-forward"),
    ("kubectl", "logs"),
    ("kubectl", "exec"),
    ("kubectl", "edit"),
    ("kubectl", "scale"),
    ("helm", "test"),
}
_SHIM = """
import json, os, subprocess, sys
arguments = sys.argv[1:]
need_pods = {need_pods!r}
with open({noted!r}, "a") as noted:
    noted.write(json.dumps([{name!r}, *arguments]) + "\\n")
if not {program!r}:
    sys.exit(0)
is_running = not any(word in need_pods for word in arguments)
upto = arguments.index("--") if "--" in arguments else len(arguments)
command = arguments if is_running else [*arguments[:upto], "--help"]
done = subprocess.run([{program!r}, *command], stdout=None if is_running else subprocess.DEVNULL)
sys.exit(done.returncode)
"""


def blocks(document: Path) -> list[str]:
    """Return the blocks of commands in a document."""
    return re.findall(r"^```sh\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)


def inline(document: Path, *programs: str) -> list[str]:
    """Return the commands within its sentences that begin with one of some programs."""
    return re.findall(rf"`((?:{'|'.join(programs)}) [^`]+)`", document.read_text().replace("\n", " "))


@dataclass
class Place:
    """Where commands are run."""

    folder: Path
    api_server: ApiServer
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        programs = self.folder / "bin"
        programs.mkdir()
        tools = Path(helm()).parent
        for name, program in {"helm": tools / "helm", "kubectl": tools / "kubectl", "docker": None}.items():
            need = {command for by, command in NEED_PODS if by == name}
            words = {"need_pods": need, "noted": str(self._noted), "name": name, "program": program and str(program)}
            write_program(programs / name, _SHIM.format(**words))
        self.api_server.write_access(self.folder / "access.json")
        path = f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.variables |= {"PATH": path, "HOME": str(self.folder), "KUBECONFIG": str(self.folder / "access.json")}

    @property
    def _noted(self) -> Path:
        return self.folder / "commands.jsonl"

    def run(self, block: str) -> str:
        """Run a block and return what it says. Raises AssertionError when a command of it fails."""
        command = ["bash", "-euo", "pipefail", "-c", block]
        done = subprocess.run(command, cwd=ROOT, env=self.variables, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
        return done.stdout

    def noted(self) -> list[list[str]]:
        """Return the commands of the programs above that were run so far, with their arguments."""
        return [json.loads(line) for line in self._noted.read_text().splitlines()] if self._noted.exists() else []
