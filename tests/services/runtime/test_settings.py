import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from services.runtime.settings import Settings, table

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_of_settings_is_current() -> None:
    command = [sys.executable, "-m", "services.runtime.settings"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == printed


def test_every_setting_is_explained() -> None:
    assert all(field.description for field in Settings.model_fields.values())
    assert all(f"`BRETTWERK_{name.upper()}`" in table() for name in Settings.model_fields)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRETTWERK_GRACE_S", "3.5")
    monkeypatch.setenv("BRETTWERK_SOMETHING_ELSE", "ignored")
    assert Settings().grace_s == 3.5


def test_a_setting_does_not_change_while_the_process_runs() -> None:
    with pytest.raises(ValidationError):
        Settings().grace_s = 1.0


def test_keys_of_different_purposes_differ_and_need_a_secret() -> None:
    config = Settings(secret_key="s" * 32)  # type: ignore[arg-type]
    assert config.key("player") == Settings(secret_key="s" * 32).key("player")  # type: ignore[arg-type]
    keys = {config.key("player"), config.key("ticket"), Settings(secret_key="t" * 32).key("player")}  # type: ignore[arg-type]
    assert len(keys) == 3
    assert {len(key) for key in keys} == {32}
    with pytest.raises(ValueError, match="BRETTWERK_SECRET_KEY"):
        Settings(secret_key="s" * 31).key("player")  # type: ignore[arg-type]


def test_the_secret_is_not_shown() -> None:
    config = Settings(secret_key="very-secret-very-secret-very-secret")  # type: ignore[arg-type]
    assert "very-secret" not in f"{config!r} {config} {table()}"


def test_a_value_that_cannot_be_ends_the_process_with_a_sentence() -> None:
    command = [sys.executable, "-c", "from services.runtime.settings import settings; settings()"]
    environment = {"BRETTWERK_GRACE_S": "soon", "BRETTWERK_LOG_LEVEL": "loud", "BRETTWERK_SECRET_KEY": "hidden"}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert ended.returncode == 2
    lines = ended.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["BRETTWERK_LOG_LEVEL", "BRETTWERK_GRACE_S"]
    assert "hidden" not in ended.stderr
