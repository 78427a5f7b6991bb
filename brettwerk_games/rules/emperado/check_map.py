"""Tells what keeps a map from being played on.

python -m brettwerk_games.rules.emperado.check_map FILE...
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from brettwerk_games.rules.emperado.map_faults import faults
from brettwerk_games.rules.emperado.world import read_world


def main(files: Sequence[str]) -> int:
    """Print what each file is, or all that is wrong with it; return how many cannot be played on."""
    bad = 0
    for file in map(Path, files):
        try:
            world = read_world(file, file.stem)
            found = faults(world)
        except (OSError, ValueError) as error:
            found = (str(error),)
        for fault in found:
            print(f"{file}: {fault}")
        if not found:
            print(f"{file}: {world.count} countries, for 2 to {world.max_seats} seats")
        bad += bool(found)
    return bad


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
