"""The web client as it is being written: Vite's development server in front of a deployment's gateway."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from deploy.local import node, web
from deploy.local.ports import join
from deploy.local.web import Say

_DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")


@contextlib.contextmanager
def served(host: str, port: int, gateway: str, log: Path, say: Say) -> Iterator[str]:
    """Serve the sources at a port of `host`, with calls going to the gateway at host:port; yield the page's address.

    Raises LauncherError when Node.js or what the client is made with cannot be installed. The output of Vite is in `log`.
    """
    found = node.find(say)
    web.install(found, say)
    tied = [sys.executable, "-I", "-S", str(_DIE_WITH_PARENT), str(os.getpid())]
    command = [*tied, found.npm, "run", "dev", "--", "--host", host, "--port", str(port), "--strictPort"]
    environment = {**found.environment, "BRETTWERK_GATEWAY": f"http://{gateway}"}
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603
            command,
            cwd=web.SOURCES,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield f"http://{join(host, port)}/"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()
