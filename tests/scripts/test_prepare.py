"""Whoever starts it with a slow build of Python gets an environment of a fast one, if the machine has one."""

import importlib
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = f"python{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a Python into the search path that is not there yet."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / NAME


def _does(python: Path, what: str) -> str:
    python.write_text(f"#!/bin/sh\n{what}\n")
    python.chmod(0o755)
    return str(importlib.import_module("prepare").interpreter())


def test_a_python_that_does_the_same_work_in_less_time_is_taken(another: Path) -> None:
    assert _does(another, "echo 0.000001") == str(another)


def test_one_that_takes_as_long_is_not_worth_another_version(another: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("prepare"), "TRIAL", "print(0.01)")
    assert _does(another, f'exec {sys.executable} "$@"') != str(another)


def test_one_that_cannot_make_an_environment_is_not_taken(another: Path) -> None:
    assert _does(another, "echo 0.000001; exit 1") != str(another)
