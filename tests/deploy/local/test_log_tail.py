import io
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deploy.local import log_tail
from deploy.local.log_tail import LogTail
from tests.night import examples


def test_a_log_is_bounded_and_the_newest_lines_are_there(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(log_tail, "FILE_BYTES", 1000)
    heard: list[str] = []
    LogTail(tmp_path / "process.log", heard.append).follow(io.BytesIO(b"".join(b"line %d\n" % n for n in range(1000)))).join()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["process.log", "process.log.1"]
    assert all(file.stat().st_size <= 1000 for file in files)
    assert json.loads(files[0].read_text().splitlines()[-1])["event"] == "line 999"
    assert len(heard) == 1000


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=3000))
def test_all_output_of_a_process_is_read_and_its_last_lines_are_remembered(tmp_path: Path, said: bytes):
    book = LogTail(tmp_path / "process.log")
    (tmp_path / "process.log").unlink(missing_ok=True)
    book.follow(io.BytesIO(said)).join()
    file = tmp_path / "process.log"
    written = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    lines = [text for line in said.split(b"\n") if (text := line.decode(errors="replace").strip())]
    assert [line["event"] for line in written] == lines
    assert {line["service"] for line in written} <= {"process"}
    assert len(book.tail()) <= log_tail.TAIL_LINES


def test_lines_that_are_json_are_written_as_they_are(tmp_path: Path):
    said = b'{"event": "listening", "service": "rules"}\n'
    LogTail(tmp_path / "process.log").follow(io.BytesIO(said)).join()
    assert (tmp_path / "process.log").read_bytes() == said


def test_a_file_that_cannot_be_written_does_not_stop_the_reading(tmp_path: Path):
    book = LogTail(tmp_path / "missing" / "process.log")
    book.follow(io.BytesIO(b"one\ntwo\n")).join()
    assert book.tail() == ["one", "two"]


def test_writing_goes_on_when_the_disk_has_room_again(tmp_path: Path):
    folder = tmp_path / "later"
    book = LogTail(folder / "process.log")
    book.note("one")
    folder.mkdir()
    book.note("two")
    (noted,) = (folder / "process.log").read_text().splitlines()
    assert {name: json.loads(noted)[name] for name in ("event", "service")} == {"event": "two", "service": "launcher"}
    assert not book.tail()
