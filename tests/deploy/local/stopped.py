"""A launcher whose first actions of EinStein stop at a breakpoint: `python -m tests.deploy.local.stopped FILE OPTIONS…`.

Whoever "looks at the stack" there writes down which process and thread it was, and stays for longer than a lease lasts.
"""

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from brettwerk_games.rules.einstein.game import Einstein
from deploy.local.options import parse
from deploy.local.play import play

STAYS_S = 7.0
LOOKS = 2


def main() -> int:
    """Run it."""
    notes, apply = Path(sys.argv[1]), Einstein.apply
    seen: list[str] = []

    def look() -> None:
        seen.append(f"{os.getpid()} {threading.current_thread().name}")
        notes.write_text("\n".join(seen), encoding="utf-8")
        time.sleep(STAYS_S)  # it stays in the debugger for so long: this is the fault

    def stopping(*arguments: Any) -> Any:
        if len(seen) < LOOKS and threading.current_thread().name == "services":
            breakpoint()
        return apply(*arguments)

    sys.breakpointhook = look
    setattr(Einstein, "apply", stopping)  # noqa: B010 - mypy takes it for a method
    return play(parse(sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
