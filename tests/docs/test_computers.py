"""The page about computer players names only what there is: series, settings, classes."""

import re
from pathlib import Path

import yaml

from services.ai.board.order import Urgency
from services.runtime.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "computers.md").read_text()


def test_its_series_are_declared_or_recorded() -> None:
    declared = (ROOT / "services" / "runtime" / "metrics.py").read_text()
    rules = yaml.safe_load((ROOT / "deploy" / "chart" / "files" / "rules" / "recording.yaml").read_text())["groups"][0]["rules"]
    named = set(re.findall(r"`(brettwerk[_:][\w:]+)(?![\w:/])", PAGE))
    assert named
    assert [one for one in named if f'"{one}"' not in declared and one not in {rule["record"] for rule in rules}] == []


def test_its_settings_are_there() -> None:
    known = {f"BRETTWERK_{field.upper()}" for field in Settings.model_fields}
    named = set(re.findall(r"`(BRETTWERK_\w+)`", PAGE))
    assert named
    assert named - known == set()


def test_it_says_of_every_class_who_waits() -> None:
    assert re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Thinking time")[0], re.MULTILINE) == [
        waits.label for waits in Urgency
    ]
