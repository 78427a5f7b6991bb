"""Generators of other languages put what clients need where programs in that language look for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.night import at_night

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
PROTOC = Path(sys.executable).parent / "protoc"


@pytest.mark.parametrize(
    ("option", "file", "said"),
    [
        ("java_out", "brettwerk/v1/ActRequest.java", "package brettwerk.v1;"),
        at_night("kotlin_out", "brettwerk/v1/ActRequestKt.kt", "package brettwerk.v1"),
        ("csharp_out", "Play.cs", "namespace Brettwerk.V1 {"),
        at_night("php_out", "Brettwerk/V1/ActRequest.php", "namespace Brettwerk\\V1;"),
        at_night("ruby_out", "brettwerk/v1/play_pb.rb", "module Brettwerk\n  module V1\n"),
        at_night("objc_out", "brettwerk/v1/Play.pbobjc.h", "@interface BWKActRequest : GPBMessage"),
    ],
)
def test_a_generated_client_has_its_languages_names(option: str, file: str, said: str, tmp_path: Path) -> None:
    files = [str(path.relative_to(PROTOS)) for path in sorted((PROTOS / "brettwerk" / "v1").glob("*.proto"))]
    command = [str(PROTOC), f"-I{PROTOS}", f"--{option}={tmp_path}"]
    subprocess.run([*command, *files], check=True, capture_output=True)
    assert said in (tmp_path / file).read_text()
