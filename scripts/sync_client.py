"""Makes the half of the Python client that waits for each answer of the half that runs on asyncio.

    python -m scripts.sync_client [--check]

With --check it only says what would be made otherwise, and fails then. Differences by more than waiting stand in TEXTS, or in
functions that take the same arguments: `heard` and `heard_in_thread`.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "clients" / "python" / "src" / "brettwerk_client"
RUFF = Path(sys.executable).parent / "ruff"
MADE = {"async_client.py": "client.py", "async_seat.py": "seat.py"}
NOTE = "# Made of {source} by scripts/sync_client.py: change that one.\n\n"

TEXTS = {
    '"""The client for programs that run on asyncio."""': '"""The client for programs that wait for each answer."""',
    "done from it, on asyncio.": "done from it.",
    "Make and use it in one event loop.": "Threads may share it.",
    "until this is cancelled": "until this is interrupted",
    "All choices are made in this event loop.": "Each choice is made in a thread of its own.",
    "import asyncio\n": "import threading\nimport time\n",
    "    async def token(self)": "    @property\n    async def token(self)",
    "asyncio.Lock()": "threading.RLock()",
    "asyncio.sleep": "time.sleep",
    "grpc.aio.": "grpc.",
    ": play_pb2_grpc.PlayServiceAsyncStub =": " =",
    "await awaited(bot(update))": "bot(update)",
    "Turns, awaited": "Turns",
    "OnMistake, Running, RunOptions, anything": (
        "OnMistake, RunOptions, anything\nfrom brettwerk_client.bot_loop import run_in_loop"
    ),
    "await Running(self, bot, RunOptions(accepts, at_once, ended, on_mistake, waits, tuple(leave_out))).run()": (
        "run_in_loop(self, bot, RunOptions(accepts, at_once, ended, on_mistake, waits, tuple(leave_out)))"
    ),
}
"""The replacements in the half that waits."""
NAMES = {
    r"\bAsync(?=(Bot|Client|Iterator|Seat|Table)\b)": "",
    r"\basync_(?=(client|seat)\b)": "",
    r"\b__a(?=(enter|exit)__)": "__",
    r"\bheard\b": "heard_in_thread",
    r"\basync (?=(def|for|with)\b)": "",
    r"\(await ((?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)(?=\.)": r"\1",
    r"\bawait ": "",
}
"""How names and keywords differ, as regular expressions."""


def made(source: Path) -> str:
    """Return the half that waits for one module of the other."""
    text = source.read_text("utf-8")
    for before, after in TEXTS.items():
        text = text.replace(before, after)
    for before, after in NAMES.items():
        text = re.sub(before, after, text)
    text = NOTE.format(source=source.name) + text
    name = f"--stdin-filename={PACKAGE / MADE[source.name]}"
    # Imports are sorted, those that are not needed go, and loops that only yield become `yield from`.
    return _ruff(_ruff(text, "check", "--quiet", "--fix", "--unsafe-fixes", "--select=F401,I001,UP028", name), "format", name)


def _ruff(text: str, *arguments: str) -> str:
    done = subprocess.run([str(RUFF), *arguments, "-"], input=text, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def main() -> None:
    """Make both modules, or say which are stale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="make nothing")
    check = parser.parse_args().check
    sources = [PACKAGE / name for name in MADE]
    whole = "".join(source.read_text("utf-8") for source in sources)
    if unknown := [text for text in TEXTS if text not in whole]:
        sys.exit(f"scripts/sync_client.py: nothing says {unknown[0]!r} any more")
    stale = {PACKAGE / MADE[source.name]: made(source) for source in sources}
    stale = {path: text for path, text in stale.items() if not path.exists() or path.read_text("utf-8") != text}
    if check and stale:
        names = ", ".join(path.name for path in stale)
        sys.exit(f"{names}: not as scripts/sync_client.py makes it; run it without --check")
    for path, text in stale.items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
