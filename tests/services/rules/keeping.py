"""Keeps records of this release for all later ones: `python -m tests.services.rules.keeping`, once, when it is made.

They stay as they are: test_kept_records.py verifies them for good. `wec-4` has games by the fourth
revision of Weaponized Chess's rules, which was the newest one in no release; the second has a closed history.
"""

from pathlib import Path

from brettwerk_games.rules import registry
from services.runtime.version import VERSION
from tests.services.rules.recording import played

KEPT = Path(__file__).with_name("kept")
_SEEDS = (1, 2, 3)
_SHIPPED = ("einstein", "emperado", "plateau", "wec")


def main() -> None:
    """Write three records of every game. Raises FileExistsError where this release has some."""
    folder = KEPT / VERSION
    folder.mkdir(parents=True)
    for name in _SHIPPED:
        for seed in _SEEDS:
            record = played(registry.games()[name], seed).done()
            (folder / f"{name}-{seed}.record").write_bytes(record.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
