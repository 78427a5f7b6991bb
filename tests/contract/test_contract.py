"""The contract is well written, and stays what clients were promised: lint, format, and nothing that breaks the last release."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
RELEASED = PROTOS / "released.binpb"
BUF = Path(sys.executable).parent / "buf"


def buf(*arguments: str, protos: Path = PROTOS) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BUF, *arguments], cwd=protos, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the contract that a test may spoil."""
    return Path(shutil.copytree(PROTOS, tmp_path / "protos"))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_contract_is_well_written() -> None:
    done = buf("lint")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_contract_is_well_formatted() -> None:
    done = buf("format", "--diff", "--exit-code")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_contract_breaks_nothing_that_was_released() -> None:
    done = buf("breaking", "--against", str(RELEASED))
    assert (done.returncode, done.stdout + done.stderr) == (0, ""), "see protos/README.md"


def test_a_field_without_a_comment_is_found(copy: Path) -> None:
    replace(copy / "brettwerk" / "v1" / "record.proto", "  // The level's id.\n", "")
    done = buf("lint", protos=copy)
    assert done.returncode
    assert "record.proto" in done.stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  string level = 1 [(limit).length = 32];", "  string level = 3 [(limit).length = 32];"),
        ("  string level = 1 [(limit).length = 32];", "  string strength = 1 [(limit).length = 32];"),
        ("  string level = 1 [(limit).length = 32];", "  bytes level = 1 [(limit).length = 32];"),
        ("    KIND_TOTAL = 2;", "    KIND_TOTAL = 3;"),
    ],
)
def test_a_change_that_clients_would_notice_is_found(copy: Path, old: str, new: str) -> None:
    replace(copy / "brettwerk" / "v1" / "record.proto", old, new)
    assert buf("breaking", "--against", str(RELEASED), protos=copy).returncode


def test_a_new_field_breaks_nothing(copy: Path) -> None:
    message = "// A rematch was created.\nmessage Rematched {\n"
    replace(copy / "brettwerk" / "v1" / "record.proto", message, f"{message}  // New.\n  bool new = 15;\n")
    assert buf("breaking", "--against", str(RELEASED), protos=copy).returncode == 0


def test_the_release_holds_every_file() -> None:
    image = descriptor_pb2.FileDescriptorSet.FromString(RELEASED.read_bytes())
    names = {file.name for file in image.file}
    assert {"brettwerk/v1/play.proto", "brettwerk/v1/record.proto", "brettwerk/v1/errors.proto"} <= names
