"""Each command of the load tests says what it lacks where only what everybody plays with is installed."""

import json
import subprocess
import sys

from tests.deploy.tools import ROOT

SENTENCE = "load tests need the packages for development: run scripts/prepare.py --dev, and start them with .venv/bin/python"
RUN = """
import json, runpy, sys
sys.path.insert(0, ".")
said = {}
for command in sys.argv[1:]:
    try:
        runpy.run_module(command, run_name="__main__")
    except BaseException as error:
        said[command] = f"{type(error).__name__}: {error}"
print(json.dumps(said))
"""


def commands() -> list[str]:
    """Return the names of all modules that can be run."""
    runnable = [path for path in (ROOT / "loadtests").rglob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8")]
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in runnable]
    return sorted({".".join(each).removesuffix(".__main__") for each in parts})


def test_every_command_without_packages_says_in_one_sentence_how_to_get_them() -> None:
    without_packages = [sys.executable, "-I", "-S", "-c", RUN, *commands()]
    done = subprocess.run(without_packages, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert len(commands()) > 20
    assert json.loads(done.stdout) == dict.fromkeys(commands(), f"SystemExit: {SENTENCE}")
