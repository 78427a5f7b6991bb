"""Mermaid, which draws the diagrams of the pages in the browser: one pinned file of its npm package."""

import base64
import hashlib
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

VERSION = "11.17.2"
SHA512 = "V6K3C8EBdEsPFZXSKMJe6ppQOENxuHARr9GvHX4hh47lAbhMRD9qf4oEK7LoaRQxULMa80/qt5gHO73aCleBBg=="
"""Of the package, as the npm registry states it (dist.integrity)."""
_SCRIPT = "package/dist/mermaid.min.js"


def fetch(npm: str, environment: Mapping[str, str], kept: Path) -> Path:
    """Return the script, which is kept in a folder once it has been fetched.

    Raises ValueError where it is another than the pinned one, CalledProcessError where npm cannot fetch it.
    """
    script = kept / f"mermaid-{VERSION}.min.js"
    if script.exists():
        return script
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [npm, "pack", "--silent", f"mermaid@{VERSION}", "--pack-destination", str(folder)]
        subprocess.run(command, cwd=folder, env=dict(environment), check=True, stdout=subprocess.DEVNULL)
        (package,) = folder.glob("*.tgz")
        found = base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode()
        if found != SHA512:
            raise ValueError(f"mermaid {VERSION} has the hash {found}, which is not the pinned one")
        with tarfile.open(package) as archive:
            file = archive.extractfile(_SCRIPT)
            assert file is not None
            kept.mkdir(parents=True, exist_ok=True)
            script.write_bytes(file.read())
    return script
