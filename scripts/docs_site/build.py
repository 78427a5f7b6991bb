"""Builds the documentation site into dist/docs; what is wrong in a page (a link or an anchor that leads nowhere) fails it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from deploy.local import node
from deploy.local.launcher_error import LauncherError
from scripts.docs_site import diagrams, pages, reference

ROOT = Path(__file__).resolve().parents[2]
STAGE = ROOT / "generated" / "docs"
CONTRACT = ROOT / "generated" / "python" / "brettwerk" / "published" / "contract.binpb"
SETTINGS = ROOT / "docs" / "site" / "mkdocs.yml"
SITE = ROOT / "dist" / "docs"


def stage() -> None:
    """Put everything that the site is made of into generated/docs. Raises LauncherError, ValueError or OSError."""
    pages.stage(ROOT, STAGE)
    contract = FileDescriptorSet.FromString(CONTRACT.read_bytes())
    folder = STAGE / "contract"
    folder.mkdir()
    (folder / "index.md").write_text(reference.index(contract), "utf-8")
    for name, text in reference.pages(contract).items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    found = node.find(say)
    shutil.copyfile(diagrams.fetch(found.npm, found.environment, ROOT / "generated" / "mermaid"), STAGE / "mermaid.min.js")


def say(line: str) -> None:
    print(f"brettwerk: {line}", flush=True)


def main() -> int:
    """Return the exit code: 1 if the site could not be built, with what is wrong in which page."""
    try:
        stage()
    except (LauncherError, ValueError, OSError, subprocess.CalledProcessError) as error:
        say(f"the documentation cannot be built: {error}")
        return 1
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(SETTINGS), "--site-dir", str(SITE)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # it advertises its successor, which is not finished
    # Not --quiet: with that, MkDocs overlooks what --strict is there for.
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        say(f"the documentation cannot be built:\n{done.stderr}")
        return 1
    say(f"the documentation is in {SITE.relative_to(ROOT)}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
