"""Names that games written for 1.0 import, and where what they name is now: one warning for each, and the same modules.

`services.games` and `services.game_packages` are `brettwerk_games.rules` and `brettwerk_games.packages` today.
"""

import importlib
import importlib.util
import logging
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

log = logging.getLogger(__name__)

FORMER = {"services.games": "brettwerk_games.rules", "services.game_packages": "brettwerk_games.packages"}


class FormerNames(MetaPathFinder, Loader):
    """Finds modules under the names that they had in 1.0."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a former name; None for any other, and for one that names nothing today."""
        if not fullname.startswith(tuple(FORMER)) or (name := _today(fullname)) is None:
            return None
        if fullname in FORMER:
            log.warning("%s is %s since 1.1: games import that", fullname, name)
        return ModuleSpec(fullname, self, is_package=True) if importlib.util.find_spec(name) else None

    def exec_module(self, module: ModuleType) -> None:
        """Put today's module in the place of the one that was made for the former name. Raises what importing it raises."""
        name = _today(module.__name__)
        assert name is not None
        sys.modules[module.__name__] = importlib.import_module(name)


def _today(fullname: str) -> str | None:
    """Return what a former name is called today; None for a name that is none."""
    for former, name in FORMER.items():
        if fullname == former or fullname.startswith(f"{former}."):
            return name + fullname.removeprefix(former)
    return None


def understand() -> None:
    """Let this process import former names."""
    sys.meta_path.insert(0, FormerNames())
