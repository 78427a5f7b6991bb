"""Keeps which tests were unsteady: they failed in a run of many, and passed when they were run again, alone.

Each is a line of a CSV file: when, at which commit, how busy the machine was, and which test. One in a run may be the fault of
the machine, and a few runs of the file tell; more than one in a run is not forgiven.
"""

import csv
import datetime
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_UNSTEADY = 1
"""How many unsteady tests a run may have, all its checks together."""
COLUMNS = ("time", "commit", "load_1_min", "load_5_min", "cores", "check", "test")


def kept_in(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the file: the one that is named in UNSTEADY_FILE, so that a CI can keep it, or one beside what pytest remembers."""
    return Path(environment.get("UNSTEADY_FILE") or ROOT / ".pytest_cache" / "unsteady.csv")


class Unsteady:
    """The unsteady tests of one run."""

    def __init__(self, file: Path) -> None:
        """Append to this file, which is made when it is needed."""
        self.tests: list[str] = []
        self._file = file

    @property
    def are_too_many(self) -> bool:
        """Whether they fail the run."""
        return len(self.tests) > MAX_UNSTEADY

    def note(self, check: str, tests: Sequence[str]) -> None:
        """Keep that these tests of a check were unsteady. Raises OSError when the file cannot be written."""
        self.tests += tests
        self._file.parent.mkdir(parents=True, exist_ok=True)
        is_new = not self._file.exists()
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        last_minute, last_five, _ = os.getloadavg()
        with self._file.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(COLUMNS)
            for test in tests:
                writer.writerow((now, commit(), f"{last_minute:.1f}", f"{last_five:.1f}", os.cpu_count(), check, test))


def commit() -> str:
    """Return the commit that is checked out, with a + when something was changed since; a ? where git does not know."""
    done = subprocess.run(
        ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "?"
