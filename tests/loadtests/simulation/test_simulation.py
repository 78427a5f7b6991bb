"""The command: its exit status, its tables, and its plots."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from loadtests.simulation.__main__ import main


def test_a_missed_bar_is_an_exit_status_if_one_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["crowd", "--games", "60000", "--hours", "24", "--no-faults", "--owners", "1"]
    assert main(few) == 0
    assert main([*few, "--strict"]) == 1
    assert "missed" in capsys.readouterr().out


def test_a_day_that_keeps_its_bars_is_none() -> None:
    assert main(["crowd", "--games", "60000", "--hours", "6", "--strict"]) == 0
    assert main(["day", "--games", "1000", "--hours", "1", "--strict"]) == 0


def test_plots_are_written_and_can_be_read(tmp_path: Path) -> None:
    main(["crowd", "--games", "20000", "--hours", "24", "--pictures", str(tmp_path)])
    main(["day", "--games", "100", "--hours", "1", "--pictures", str(tmp_path)])
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == [
        "crowd-cores.svg",
        "crowd-games.svg",
        "crowd-stalls.svg",
        "crowd-workers.svg",
        "workers-day-waits.svg",
        "workers-day.svg",
    ]
    for name in written:
        assert ET.parse(tmp_path / name).getroot().tag.endswith("svg")


def test_the_plan_has_a_table_for_every_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan"]) == 0
    assert "| concurrent games | 1,000 | 100,000 | 10,000,000 |" in capsys.readouterr().out


def test_a_setting_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError):
        main(["plan", "--set", "owner_busi=0.5"])
