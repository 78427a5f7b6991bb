"""The last release comes out of the history."""

import json
from pathlib import Path

import pytest
import yaml

from deploy.cluster import release
from deploy.cluster.unavailable import Unavailable


def test_it_is_checked_out_once_with_its_chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    try:
        last = release.last()
    except Unavailable as missing:
        pytest.skip(str(missing))
    chart = yaml.safe_load(Path(last.chart, "Chart.yaml").read_text())
    assert (chart["name"], chart["version"]) == ("brettwerk", last.version)
    Path(last.chart, "mark").touch()
    assert Path(release.last().chart, "mark").exists()


def test_a_history_that_does_not_reach_back_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    named = tmp_path / "release.json"
    named.write_text(json.dumps({"version": "9.9.9", "commit": "0" * 40}))
    monkeypatch.setattr(release, "NAMED", named)
    with pytest.raises(Unavailable, match=r"release 9\.9\.9 is not in this clone's history: git fetch --unshallow"):
        release.last()
