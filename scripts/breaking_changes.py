"""Says what in the contract breaks the last release and is not stated: `python scripts/breaking_changes.py [PROTOS]`.

It prints a line for each such change, as `buf breaking` does, and exits with 1 when there is one. Stated ones stand in
protos/stated-changes.txt; one that stands there and is not found is named, too, so that the list stays true.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2

ROOT = Path(__file__).resolve().parents[1]
PROTOS = ROOT / "protos"
_PUBLIC, _INNER = "brettwerk/v1/", "brettwerk/internal/v1/"


def breaking_changes(protos: Path = PROTOS) -> list[str]:
    """Return what is wrong, a line each. Raises CalledProcessError when buf itself cannot do its work."""
    with tempfile.NamedTemporaryFile(suffix=".binpb") as released:
        released.write(released_contract().SerializeToString())
        released.flush()
        command: list[str | Path] = [Path(sys.executable).parent / "buf", "breaking", "--against", released.name]
        done = subprocess.run(command, cwd=protos, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 100) or done.stderr:  # 100: something was found
        raise subprocess.CalledProcessError(done.returncode, "buf breaking", done.stdout, done.stderr)
    found = {re.sub(r":\d+:\d+:", ": ", line): line for line in done.stdout.splitlines()}
    lines = (protos / "stated-changes.txt").read_text(encoding="utf-8").splitlines()
    stated = {line for line in lines if line and not line.startswith("#")}
    return [found[change] for change in found if change not in stated] + [
        f"stated-changes.txt: nothing like this is found: {change}" for change in sorted(stated - found.keys())
    ]


def released_contract() -> descriptor_pb2.FileDescriptorSet:
    """Return the contract of the last release, with the messages between services in the package that they are in now.

    Release 1.0 had them in the public package, marked by an option of their files. Bytes are the same in both packages, and
    services/runtime/inner_calls.py sees to the names of methods.
    """
    image = descriptor_pb2.FileDescriptorSet.FromString((PROTOS / "released.binpb").read_bytes())
    inner = {path.name for path in (PROTOS / _INNER).glob("*.proto")}
    moved = [file for file in image.file if file.name.startswith(_PUBLIC) and file.name.removeprefix(_PUBLIC) in inner]
    names = {f".{file.package}.{each.name}" for file in moved for each in (*file.message_type, *file.enum_type)}
    for file in moved:
        file.name = _INNER + file.name.removeprefix(_PUBLIC)
        file.package = "brettwerk.internal.v1"
        file.ClearField("options")  # names in languages that no service is written in
        _rename(file, names)
        kept = [needed for needed in file.dependency if needed != "brettwerk/v1/audience.proto"]
        file.dependency[:] = [needed.replace(_PUBLIC, _INNER) if Path(needed).name in inner else needed for needed in kept]
    files = [file for file in image.file if file.name != "brettwerk/v1/audience.proto"]
    return descriptor_pb2.FileDescriptorSet(file=files)


def _rename(file: descriptor_pb2.FileDescriptorProto, names: set[str]) -> None:
    """Give the types of these names their new package wherever a file uses them."""

    def renamed(name: str) -> str:
        top = ".".join(name.split(".")[:4])
        return name.replace(".brettwerk.v1.", ".brettwerk.internal.v1.", 1) if top in names else name

    def fields(message: descriptor_pb2.DescriptorProto) -> None:
        for field in message.field:
            field.type_name = renamed(field.type_name)
        for nested in message.nested_type:
            fields(nested)

    for message in file.message_type:
        fields(message)
    for service in file.service:
        for method in service.method:
            method.input_type, method.output_type = renamed(method.input_type), renamed(method.output_type)


if __name__ == "__main__":
    wrong = breaking_changes(*map(Path, sys.argv[1:]))
    print("\n".join(wrong))
    sys.exit(bool(wrong))
