from pathlib import Path

import pytest

from deploy.local.command import main
from deploy.local.options import parse
from services.runtime.settings import table


def test_it_prints_the_settings(capsys: pytest.CaptureFixture[str]):
    assert main(["settings"]) == 0
    assert capsys.readouterr().out == table()


def test_it_verifies_a_file_and_says_when_it_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "game.json").write_text("{}")
    assert main(["verify", str(tmp_path / "game.json")]) == 1
    assert "WRONG" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "missing.json")]) == 2
    assert "missing.json" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["dance"], ["settings", "please"]])
def test_it_says_what_it_can_do_when_it_is_asked_for_something_else(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(words) == 2
    assert "brettwerk play" in capsys.readouterr().err


def test_a_path_of_another_site_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        parse(["--base-path", "/play"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("give it a name of its own, as docs/proxies.md shows")


@pytest.mark.parametrize(
    "words", ["--port 65536", "--port x", "--workers -1", "--appendfsync no", "--maxmemory 63", "--por 1", "extra"]
)
def test_wrong_options_end_with_a_usage_line(words: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        parse(words.split())
    assert ended.value.code == 2
    assert "usage: scripts/play" in capsys.readouterr().err
