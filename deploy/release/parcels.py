"""Files of a release beside its images: the chart, the packages, the contract, and the sums of all."""

import gzip
import hashlib
import shutil
import sys
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from deploy.release import statements
from deploy.release.commands import run
from deploy.release.release_error import ReleaseError
from deploy.release.source import Source

SUMS = "SHA256SUMS"
_CONTRACT = ("contract.zip", "contract.binpb")


def chart(source: Source, into: Path) -> Path:
    """Pack the chart, and return the file: the same bytes whenever the same commit is packed."""
    root = source.root / "deploy" / "chart"
    ignored = {line.strip().rstrip("/") for line in (root / ".helmignore").read_text("utf-8").splitlines() if line.strip()}
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root).as_posix()
            if path.is_file() and inside.partition("/")[0] not in ignored and inside != ".helmignore":
                content = path.read_bytes()
                member = tarfile.TarInfo(f"brettwerk/{inside}")
                member.size, member.mode, member.mtime = len(content), 0o644, source.epoch
                archive.addfile(member, BytesIO(content))
    file = into / f"brettwerk-{source.version}.tgz"
    file.write_bytes(gzip.compress(packed.getvalue(), mtime=source.epoch))
    return file


def clients(source: Source, into: Path) -> None:
    """Build the packages for programs of others, in Python and in TypeScript. Raises ReleaseError."""
    run("client packages", [sys.executable, str(source.root / "scripts" / "build-clients"), "--into", str(into)], cwd=source.root)


def server(source: Source, into: Path, pythons: Sequence[str], page: Iterable[Mapping[str, Any]]) -> None:
    """Build the server's package: a wheel for this Python and for others, and the archive of its sources. Raises ReleaseError.

    Beside them are the list of what they were tried with, with the digests of that, and what is in them.
    """
    others = [word for python in pythons for word in ("--python", python)]
    run("package", [sys.executable, str(source.root / "scripts" / "build-wheel"), "--into", str(into), *others], cwd=source.root)
    pinned = source.root / "requirements" / "play.txt"
    shutil.copyfile(pinned, into / f"brettwerk-{source.version}-requirements.txt")
    document = statements.package_sbom(pinned.read_text("utf-8"), page, source)
    statements.write(into / f"brettwerk-{source.version}.cdx.json", document)


def wheels(source: Source, into: Path, built: Path) -> None:
    """Add wheels of the server that other machines have built. Raises ReleaseError if any file is none of this version."""
    for path in sorted(built.iterdir()):
        if not (path.name.startswith(f"brettwerk-{source.version}-cp") and path.suffix == ".whl"):
            raise ReleaseError(f"{path.name} is no wheel of the server {source.version}")
        shutil.copyfile(path, into / path.name)


def contract(source: Source, into: Path) -> None:
    """Copy what a server publishes of the contract; it is made along with the generated code. Raises ReleaseError."""
    for name in _CONTRACT:
        made = source.root / "generated" / "python" / "brettwerk" / "published" / name
        if not made.exists():
            raise ReleaseError(f"contract: there is no {name}: python3 scripts/prepare.py --dev")
        shutil.copyfile(made, into / f"brettwerk-{source.version}-{name}")


def sums(folder: Path) -> Path:
    """Write the sums of all files in a folder, and return the file, which sha256sum --check reads."""
    lines = []
    for path in files(folder):
        with path.open("rb") as content:
            lines.append(f"{hashlib.file_digest(content, 'sha256').hexdigest()}  {path.relative_to(folder).as_posix()}\n")
    written = folder / SUMS
    written.write_text("".join(lines), "utf-8")
    return written


def files(folder: Path) -> Iterator[Path]:
    """Yield all files of a folder but the sums and their signatures."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.relative_to(folder).as_posix().startswith(SUMS):
            yield path


def empty(folder: Path) -> None:
    """Make a folder. Raises ReleaseError when something is in it already."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ReleaseError(f"folder: something is in {folder} already; name another with --into")
