"""Records that earlier releases wrote hold, as docs/compatibility.md promises."""

from pathlib import Path

import pytest

from brettwerk.v1 import record_pb2
from services.rules.verify import verify
from tests.services.rules.keeping import KEPT

RECORDS = sorted(KEPT.glob("*/*.record"))


def test_every_game_has_kept_records() -> None:
    assert {path.stem.rpartition("-")[0] for path in RECORDS} >= {"einstein", "emperado", "plateau", "wec"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_of_an_earlier_release_holds(path: Path) -> None:
    verification = verify(record_pb2.Record.FromString(path.read_bytes()), lambda: True)
    assert verification.good, verification.fault
    assert verification.plies > 0


@pytest.mark.parametrize("path", RECORDS[:1], ids=lambda path: path.stem)
def test_a_kept_record_with_another_result_does_not_hold(path: Path) -> None:
    record = record_pb2.Record.FromString(path.read_bytes())
    record.position_hash = bytes(32)
    assert not verify(record, lambda: True).good
