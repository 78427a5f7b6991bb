"""Says what in the contract breaks the last release and is not stated: `python scripts/breaking_changes.py [PROTOS]`.

It prints a line for each such change, as `buf breaking` does, and exits with 1 when there is one. Stated ones stand in
protos/stated-changes.txt; one that stands there and is not found is named, too, so that the list stays true.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROTOS = ROOT / "protos"


def breaking_changes(protos: Path = PROTOS) -> list[str]:
    """Return what is wrong, a line each. Raises CalledProcessError when buf itself cannot do its work."""
    command: list[str | Path] = [Path(sys.executable).parent / "buf", "breaking", "--against", PROTOS / "released.binpb"]
    done = subprocess.run(command, cwd=protos, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 100) or done.stderr:  # 100: something was found
        raise subprocess.CalledProcessError(done.returncode, "buf breaking", done.stdout, done.stderr)
    found = {re.sub(r":\d+:\d+:", ": ", line): line for line in done.stdout.splitlines()}
    lines = (protos / "stated-changes.txt").read_text(encoding="utf-8").splitlines()
    stated = {line for line in lines if line and not line.startswith("#")}
    return [found[change] for change in found if change not in stated] + [
        f"stated-changes.txt: nothing like this is found: {change}" for change in sorted(stated - found.keys())
    ]


if __name__ == "__main__":
    wrong = breaking_changes(*map(Path, sys.argv[1:]))
    print("\n".join(wrong))
    sys.exit(bool(wrong))
