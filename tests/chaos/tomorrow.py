"""A release that is still to come, for tests: this one, and one kind of entry more (Noted) with which every game goes on.

`python -m tests.chaos.tomorrow MODULE` runs a process of it, where the code of its contract is found first.
"""

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from services.session.domain.state import RUNNING, State
from tests.chaos.names import lead_links_here
from tests.chaos.releases import Release, generate
from tests.deploy.tools import ROOT

NAME = "tomorrow"
KIND = "noted"
_NUMBER = 900
PLIES_BEFORE = 2
"""A game can be gone on with by releases that do not know the kind until so many plies were played."""


def tomorrow(folder: Path) -> Release:
    """Return the release; its contract is generated into a folder that is not there yet."""
    protos = folder / "protos"
    for file in (ROOT / "protos").rglob("*.proto"):
        copy = protos / file.relative_to(ROOT / "protos")
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text(encoding="utf-8")
        if file.name == "record.proto":
            text = (
                text.replace("  oneof change {\n", f"  oneof change {{\n    Noted {KIND} = {_NUMBER};\n") + "\nmessage Noted {}\n"
            )
        copy.write_text(text, encoding="utf-8")
    generate(protos, folder / "contract")
    return Release(NAME, ROOT, contract=folder / "contract", starter=("-m", "tests.chaos.tomorrow"))


def add_the_kind() -> None:
    """Make the session service of this process one that knows the kind, and uses it."""
    from brettwerk.v1 import record_pb2, sessions_pb2
    from services.session.domain import fold, storage_format, updates
    from services.session.live import transaction

    modules: Sequence[Any] = (fold, storage_format, updates, transaction)
    folds, formats, happenings, transactions = modules
    formats.FORMAT += 1
    formats._SINCE = {**storage_format._SINCE, KIND: storage_format.FORMAT}
    folds._FOLDS = {**folds._FOLDS, KIND: lambda state, *_: state}
    happenings._HAPPENINGS = {**happenings._HAPPENINGS, KIND: lambda *_: sessions_pb2.Happening()}
    before = transactions.next_effect

    def following(state: State) -> record_pb2.Entry | None:
        is_new = state.min_reader >= formats.FORMAT
        # After a computer's action only: who acts is told the newest version, and tests look for that of the action in the log.
        is_due = state.status == RUNNING and state.ply_count >= PLIES_BEFORE and state.seats[state.to_act[0]].is_person
        if is_due and not is_new:
            entry: Any = record_pb2.Entry()
            getattr(entry, KIND).SetInParent()
            return entry  # type: ignore[no-any-return]
        return before(state)  # type: ignore[no-any-return]

    transactions.next_effect = following


if __name__ == "__main__":
    module = sys.argv.pop(1)
    lead_links_here()
    if module == "services.session":
        add_the_kind()
    runpy.run_module(module, run_name="__main__", alter_sys=True)
