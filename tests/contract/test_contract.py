"""The contract is well written, and stays what clients were promised: lint, format, and nothing that breaks the last release."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from scripts.breaking_changes import breaking_changes
from services.runtime.version import CONTRACT
from tests.night import at_night

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
PUBLISHED = ROOT / "generated" / "python" / "brettwerk" / "published" / "contract.binpb"
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
    assert breaking_changes() == [], "see protos/README.md"


def test_a_field_without_a_comment_is_found(copy: Path) -> None:
    replace(copy / "brettwerk" / "v1" / "record.proto", "  // The level's id.\n", "")
    done = buf("lint", protos=copy)
    assert done.returncode
    assert "record.proto" in done.stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  string level = 1 [(limit).length = 32];", "  string level = 3 [(limit).length = 32];"),
        at_night("  string level = 1 [(limit).length = 32];", "  string strength = 1 [(limit).length = 32];"),
        at_night("  string level = 1 [(limit).length = 32];", "  bytes level = 1 [(limit).length = 32];"),
        at_night("    KIND_TOTAL = 2;", "    KIND_TOTAL = 3;"),
    ],
)
def test_a_change_that_clients_would_notice_is_found(copy: Path, old: str, new: str) -> None:
    replace(copy / "brettwerk" / "v1" / "record.proto", old, new)
    (found,) = {line.split(":")[0] for line in breaking_changes(copy)}
    assert found == "brettwerk/v1/record.proto"


def test_a_change_of_what_services_store_is_found_though_it_was_in_the_public_package_before(copy: Path) -> None:
    state = copy / "brettwerk" / "internal" / "v1" / "session_state.proto"
    replace(state, "message StoredState {", "message StoredState {\n  reserved 1;")
    line = next(line for line in state.read_text(encoding="utf-8").splitlines() if " = 1" in line and "Stored" not in line)
    replace(state, f"{line}\n", "")
    assert any(line.startswith("brettwerk/internal/v1/session_state.proto") for line in breaking_changes(copy))


def test_the_public_contract_imports_nothing_of_what_services_say_to_each_other() -> None:
    for path in (PROTOS / "brettwerk" / "v1").glob("*.proto"):
        assert "internal" not in path.read_text(encoding="utf-8"), path.name


def test_a_new_field_breaks_nothing(copy: Path) -> None:
    message = "// A rematch was created.\nmessage Rematched {\n"
    replace(copy / "brettwerk" / "v1" / "record.proto", message, f"{message}  // New.\n  bool new = 15;\n")
    assert breaking_changes(copy) == []


def test_a_stated_change_that_was_not_made_is_found(copy: Path) -> None:
    with (copy / "stated-changes.txt").open("a", encoding="utf-8") as stated:
        stated.write('brettwerk/v1/play.proto: Previously present message "Nothing" was deleted from file.\n')
    (wrong,) = breaking_changes(copy)
    assert "Nothing" in wrong


def test_the_release_holds_every_file() -> None:
    image = descriptor_pb2.FileDescriptorSet.FromString(RELEASED.read_bytes())
    names = {file.name for file in image.file}
    assert {"brettwerk/v1/play.proto", "brettwerk/v1/record.proto", "brettwerk/v1/errors.proto"} <= names


def test_the_published_contract_is_the_service_for_clients_and_all_that_it_needs() -> None:
    files = {file.name: file for file in descriptor_pb2.FileDescriptorSet.FromString(PUBLISHED.read_bytes()).file}
    assert [service.name for file in files.values() for service in file.service] == ["PlayService"]
    own = {name for name in files if name.startswith("brettwerk/")}
    assert own == {path.relative_to(PROTOS).as_posix() for path in (PROTOS / "brettwerk" / "v1").glob("*.proto")}
    assert files["brettwerk/v1/play.proto"].source_code_info.location, "with comments"
    assert all(needed in files for file in files.values() for needed in file.dependency)


def _names(files: descriptor_pb2.FileDescriptorSet, only: set[str]) -> dict[str, str]:
    """Return the methods, fields and values of these files, each with the message or enum that it belongs to."""
    found: dict[str, str] = {}

    def enums(before: str, types: Iterable[descriptor_pb2.EnumDescriptorProto]) -> None:
        for each in types:
            found.update({f"{before}{each.name}.{value.name}": before + each.name for value in each.value})

    def messages(before: str, types: Iterable[descriptor_pb2.DescriptorProto]) -> None:
        for each in types:
            name = before + each.name
            found[name] = ""
            found.update({f"{name}.{field.name}": name for field in each.field})
            messages(f"{name}.", [inner for inner in each.nested_type if not inner.options.map_entry])
            enums(f"{name}.", each.enum_type)

    for file in files.file:
        if file.name in only:
            messages("", file.message_type)
            enums("", file.enum_type)
            found.update({method.name: "" for service in file.service for method in service.method})
    return found


def test_additions_since_the_last_release_stand_among_the_changes_of_the_contract() -> None:
    page = (ROOT / "docs" / "contract.md").read_text("utf-8")
    numbers = re.findall(r"^## (1\.\d+)$", page, re.MULTILINE)
    assert numbers[0] == CONTRACT
    published = descriptor_pb2.FileDescriptorSet.FromString(PUBLISHED.read_bytes())
    now = _names(published, {file.name for file in published.file if file.name.startswith("brettwerk/")})
    before = _names(descriptor_pb2.FileDescriptorSet.FromString(RELEASED.read_bytes()), {file.name for file in published.file})
    added = {name for name, whole in now.items() if name not in before and (not whole or whole in before)}
    # A method stands for its messages, and for its fields in Call and Answer; a message for what is in it.
    added -= {name for name in added if name in now and "." not in name and not _is_method(name, published)}
    added -= {name for name in added if name.startswith(("Call.", "Answer."))}
    entry = page.partition(f"## {CONTRACT}")[2].partition("\n## ")[0]
    assert sorted(name for name in added if f"`{name}`" not in entry) == [], "say it in docs/contract.md"
    assert bool(added) == (len(numbers) > 1 and "Not released yet" in entry)


def _is_method(name: str, files: descriptor_pb2.FileDescriptorSet) -> bool:
    return any(method.name == name for file in files.file for service in file.service for method in service.method)
