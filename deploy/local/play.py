"""The program of `scripts/play`: starts a deployment, says where it is, and ends it on Ctrl-C."""

import contextlib
import os
import time
import webbrowser
from importlib.metadata import entry_points
from importlib.util import find_spec

from deploy.local import ports, tables, web
from deploy.local.deployment import Deployment
from deploy.local.folder import UMASK
from deploy.local.fork_server import fork_servers
from deploy.local.interrupts import Interrupts
from deploy.local.launcher_error import LauncherError
from deploy.local.options import IS_CHECKOUT, Options
from deploy.local.processes import Processes, Store
from deploy.local.terminal import Terminal
from deploy.local.web import Say
from services.runtime import memory

NOT_COMPILED = (
    "the computer players are not compiled: in the same time they look at a hundredth of the positions or less, and play worse. "
    "Install a C compiler, and then Brettwerk once more"
)

PAGES_BEING_WRITTEN = 5173
"""The port of the web client with --reload, or another one when that is taken: the port that Vite's users know."""

WRITTEN_S = 1.0
"""How long it is waited, at the end, until everything is written."""


def play(options: Options) -> int:
    """Run a deployment until Ctrl-C or SIGTERM. Returns 0 after that, 1 when something could not be started.

    It ends at the latest `interrupts.END_S` after a signal. The process ends in here where nobody reads what it says.
    """
    memory.return_large_blocks()
    terminal = Terminal()
    try:
        code = _play(options, terminal.say)
    except LauncherError as error:
        terminal.say(str(error), to_errors=True)
        code = 1
    except OSError as error:  # a full disk, or a file where a folder is to be
        terminal.say(f"Brettwerk cannot go on: {error.strerror or error} ({error.filename})", to_errors=True)
        code = 1
    except KeyboardInterrupt:
        terminal.say("stopped before everything had started")
        code = 0
    fork_servers.close()
    try:
        is_written = terminal.is_written(WRITTEN_S)
    except KeyboardInterrupt:
        is_written = False
    if not is_written:
        os._exit(code)  # Python would write the rest first
    return code


def _play(options: Options, say: Say) -> int:
    echo = (lambda process, line: say(f"{process:8}| {line}")) if options.verbose else None
    interrupts = Interrupts()
    chosen = ports.choose(options.host, options.port, options.grpc_port)
    if options.web:
        web.build(say, (lambda line: say(f"web     | {line}")) if options.verbose else None)
    pages = ports.preferred_or_free(PAGES_BEING_WRITTEN, chosen.loopback) if options.reload and options.web else 0
    allowed = ",".join(filter(None, (options.allowed_origins, f"http://{ports.join(chosen.loopback, pages)}" if pages else "")))
    origins = {"BRETTWERK_ALLOWED_ORIGINS": allowed} if allowed else {}
    folder, stones = tables.folder_of(options.data), tables.stones() if options.tables is None else options.tables
    usual = {tables.FOLDER: str(folder), tables.STONES: str(min(stones, tables.USUAL_STONES))}
    deployment = Deployment(
        data=options.data,
        processes=Processes(
            web=options.web,
            workers=options.workers or int(options.small),
            observe=options.observe,
            statistics=options.statistics and not options.one_process,
            # Prometheus would miss workers that rest, and changed sources would wait for one to start.
            on_demand=not (options.observe or options.reload or options.one_process),
            one_process=options.one_process,
            small=options.small,
            reload=options.reload,
        ),
        ports=chosen,
        store=Store(
            appendfsync=options.appendfsync, memory_mb=options.maxmemory, redis_url=os.environ.get("BRETTWERK_REDIS_URL", "")
        ),
        environment={**origins, **usual},
        say=lambda line: say(f"  {line}"),
        echo=echo,
    )
    interrupts.pids = lambda: deployment.pids().values()
    os.umask(UMASK)  # not earlier: the page is built for whoever shares the checkout
    if entry_points(group="brettwerk.games"):
        from brettwerk_games.packages.trial import trial  # it takes memory, which a launcher should have little of

        for sentence in trial().left_out.values():
            say(sentence)
    if not IS_CHECKOUT and find_spec("brettwerk_games.players.kernels_shared") is None:  # in a checkout, what prepares it says so
        say(NOT_COMPILED)
    say("starting Brettwerk")
    began = time.monotonic()
    with deployment, tables.asked_for(folder, stones, lambda line: say(f"  {line}")):
        try:
            if options.one_process:
                _be_all_services(options, deployment, began, say)
            else:
                _greet(options, deployment, began, say)
                _stay(deployment, interrupts, pages, say, reloads=options.reload)
        except KeyboardInterrupt:
            say("stopping (Ctrl-C once more stops at once)")
    say("stopped; games and everything else are kept in " + str(deployment.data))
    return 0


def _greet(options: Options, deployment: Deployment, began: float, say: Say) -> None:
    say(_welcome(options, deployment, time.monotonic() - began))
    if options.open and options.web:
        webbrowser.open(f"http://{deployment.web_address}/")


def _be_all_services(options: Options, deployment: Deployment, began: float, say: Say) -> None:
    """Be all services and the worker until an interrupt. Raises LauncherError."""
    from deploy.local import one_process

    settings = one_process.environment(deployment.plan, log_level="info" if options.verbose else "warning")
    with one_process.serving(settings, one_process.ready(deployment.plan)) as work:
        _greet(options, deployment, began, say)
        work()
        say("stopping")


def _stay(deployment: Deployment, interrupts: Interrupts, pages: int, say: Say, *, reloads: bool) -> None:
    """Stay until an interrupt, with a page of the web client's sources if there is a port for it."""
    with contextlib.ExitStack() as beside:
        if pages:
            from deploy.local import web_dev

            log = deployment.data / "logs" / "vite.log"
            host = deployment.plan.ports.loopback
            address = beside.enter_context(web_dev.served(host, pages, deployment.web_address, log, say))
            say(f"  the page as its sources are: {address}")
        if reloads:
            from deploy.local import reload

            say("  services start again when their sources change")
            reload.keep_current(deployment, lambda line: say(f"  {line}"))
        memory.give_back()
        interrupts.wait()


def _welcome(options: Options, deployment: Deployment, seconds: float) -> str:
    lines = [f"Brettwerk is ready after {seconds:.1f} s", ""]
    if options.web:
        lines.append(f"  play here          http://{deployment.web_address}/")
    else:
        lines.append(f"  programs (HTTP)    http://{deployment.web_address}/v1/")
    if options.host in ports.EVERYWHERE and (address := ports.lan_address()):
        lines.append(f"  from the network   http://{ports.join(address, deployment.plan.ports.web)}/")
    if options.web:
        key = deployment.environment["BRETTWERK_OPERATOR_KEY"].partition(",")[0]
        lines.append(f"  for operators      http://{deployment.web_address}/operator#{key}")
    lines.append(f"  bots (gRPC)        {deployment.grpc_address}")
    if options.observe:
        lines.append(f"  Prometheus         http://{deployment.prometheus_address}/ (docs/operations.md: dashboards)")
    lines.append(f"  games and logs     {deployment.data}")
    return "\n".join([*lines, "", "Ctrl-C stops everything"])
