import io
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
    assert files[0].read_bytes().endswith(b"line 999\n")
    assert len(heard) == 1000


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=3000))
def test_whatever_a_process_says_is_read_to_the_end_and_its_last_lines_are_remembered(tmp_path: Path, said: bytes):
    book = LogTail(tmp_path / "process.log")
    (tmp_path / "process.log").unlink(missing_ok=True)
    book.follow(io.BytesIO(said)).join()
    written = (tmp_path / "process.log").read_bytes() if said else b""
    assert written == said + (b"" if said.endswith(b"\n") or not said else b"\n")
    assert len(book.tail()) <= log_tail.TAIL_LINES


def test_a_file_that_cannot_be_written_does_not_stop_the_reading(tmp_path: Path):
    book = LogTail(tmp_path / "missing" / "process.log")
    book.follow(io.BytesIO(b"one\ntwo\n")).join()
    assert book.tail() == ["one", "two"]


def test_what_is_written_goes_on_when_the_disk_has_room_again(tmp_path: Path):
    folder = tmp_path / "later"
    book = LogTail(folder / "process.log")
    book.note("one")
    folder.mkdir()
    book.note("two")
    assert (folder / "process.log").read_text() == "launcher: two\n"
    assert not book.tail()
