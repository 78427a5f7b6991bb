"""The command that checks a saved game."""

import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import json_format

from brettwerk.v1 import games_pb2, record_pb2
from services.rules.verify import main
from tests.services.rules.recording import EINSTEIN, SESSION, acted, played


def _saved(folder: Path, record: record_pb2.Record) -> str:
    path = folder / "game.json"
    path.write_text(json_format.MessageToJson(record), encoding="utf-8")
    return str(path)


def test_the_command_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(EINSTEIN).done()
    assert main([_saved(tmp_path, record)]) == 0
    received = capsys.readouterr().out
    assert "GOOD" in received
    assert SESSION in received
    assert f"won by seat {record.outcome.winners[0]}" in received
    assert record.outcome.rule in received
    acted(record).acted.ply.seed = bytes(32)
    assert main([_saved(tmp_path, record)]) == 1
    assert "WRONG at version 7" in capsys.readouterr().out
    record = played(EINSTEIN).done()
    record.secret = b""
    assert main([_saved(tmp_path, record)]) == 0
    assert "not proved" in capsys.readouterr().out


def test_the_command_says_who_won_and_the_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(EINSTEIN).done()
    for outcome, received in (
        (games_pb2.Outcome(winners=[0, 2], places=[1, 3, 1, 3]), "won by seat 0 and seat 2; seat 0 is 1., seat 1 is 3."),
        (games_pb2.Outcome(places=[1, 1]), "a draw; seat 0 is 1., seat 1 is 1."),
        (games_pb2.Outcome(scores=[1, 0]), "outcome: 1 : 0 ("),
    ):
        record.outcome.CopyFrom(outcome)
        main([_saved(tmp_path, record)])
        assert received in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["", "{", "7", '{"format": "x"}', '{"entries": [{"created": {"options": {"@type": "no/such"}}}]}', "\0"]
)
def test_a_file_that_is_no_record_is_not_a_bad_one(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 2
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize("more", ["", ', "foretold": 3'])
def test_the_command_says_that_a_newer_release_wrote_a_file(
    tmp_path: Path, more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(f'{{"format": 2, "game": "einstein"{more}}}', encoding="utf-8")
    assert main([str(path)]) == (2 if more else 1)
    said = capsys.readouterr()
    assert "a newer release has written this record: its format is 2, known here: 1" in said.out + said.err


def test_the_command_needs_a_file(tmp_path: Path) -> None:
    assert main([]) == 2
    assert main([str(tmp_path / "none.json")]) == 2
    assert main([str(tmp_path)]) == 2


def test_the_command_runs_without_any_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "services.rules.verify", _saved(tmp_path, played(EINSTEIN).done())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "GOOD" in done.stdout
