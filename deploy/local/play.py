"""What `scripts/play` runs: starts a deployment, says where it is, and ends it on Ctrl-C."""

import contextlib
import os
import signal
import sys
import threading
import time
import webbrowser
from types import FrameType

from deploy.local import ports, web
from deploy.local.deployment import Deployment
from deploy.local.launcher_error import LauncherError
from deploy.local.options import Options

TABLES = "BRETTWERK_TABLES_STONES"
"""A deployment that is there to stay gets the endgame tables of five stones, too: a minute or two in the background, 1.1 GB."""

_writing = threading.Lock()


def play(options: Options) -> int:
    """Run a deployment until Ctrl-C or SIGTERM. Returns 0 after that, 1 when something could not be started."""
    try:
        return _play(options)
    except LauncherError as error:
        say(str(error), to_errors=True)
        return 1
    except KeyboardInterrupt:
        say("stopped before everything had started")
        return 0


def say(line: str, *, to_errors: bool = False) -> None:
    """Print a line. A terminal that has gone away is no reason to stop."""
    with _writing, contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr if to_errors else sys.stdout, flush=True)


def _play(options: Options) -> int:
    echo = (lambda process, line: say(f"{process:8}| {line}")) if options.verbose else None
    interrupts = _Interrupts()
    chosen = ports.choose(options.host, options.port, options.grpc_port)
    if options.web:
        web.build(say, (lambda line: say(f"web     | {line}")) if options.verbose else None)
    origins = {"BRETTWERK_ALLOWED_ORIGINS": options.allowed_origins} if options.allowed_origins else {}
    deployment = Deployment(
        data=options.data,
        web=options.web,
        ports=chosen,
        host=options.host,
        workers=options.workers,
        observe=options.observe,
        statistics=options.statistics,
        appendfsync=options.appendfsync,
        memory_mb=options.maxmemory,
        redis_url=os.environ.get("BRETTWERK_REDIS_URL", ""),
        environment={TABLES: os.environ.get(TABLES, "5"), **origins},
        say=lambda line: say(f"  {line}"),
        echo=echo,
    )
    interrupts.deployment = deployment
    say("starting Brettwerk")
    began = time.monotonic()
    with deployment:
        try:
            say(_welcome(options, deployment, time.monotonic() - began))
            if options.open and options.web:
                webbrowser.open(f"http://{deployment.web_address}/")
            threading.Event().wait()
        except KeyboardInterrupt:
            say("stopping (Ctrl-C once more stops at once)")
    say("stopped; games and everything else are kept in " + str(deployment.data))
    return 0


def _welcome(options: Options, deployment: Deployment, seconds: float) -> str:
    lines = [f"Brettwerk is ready after {seconds:.1f} s", ""]
    if options.web:
        lines.append(f"  play here          http://{deployment.web_address}/")
    else:
        lines.append(f"  programs (HTTP)    http://{deployment.web_address}/v1/")
    if options.host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        lines.append(f"  from the network   http://{ports.join(ports.lan_address(), deployment.plan.ports.web)}/")
    lines.append(f"  bots (gRPC)        {deployment.grpc_address}")
    if options.observe:
        lines.append(f"  Prometheus         http://{deployment.prometheus_address}/ (docs/operations.md: dashboards)")
    lines.append(f"  games and logs     {deployment.data}")
    return "\n".join([*lines, "", "Ctrl-C stops everything"])


class _Interrupts:
    """Ctrl-C and SIGTERM: the first one ends the deployment in order, the second one at once."""

    def __init__(self) -> None:
        self.deployment: Deployment | None = None
        self._count = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._receive)

    def _receive(self, _number: int, _frame: FrameType | None) -> None:
        self._count += 1
        if self._count == 1:
            raise KeyboardInterrupt
        for pid in self.deployment.pids().values() if self.deployment else ():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        os._exit(130)
