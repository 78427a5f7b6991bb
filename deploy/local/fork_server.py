"""Forks services from a process that has imported what they need: they are ready sooner, and share the memory of it.

Twelve processes that import the same libraries and rules by themselves take seconds of a processor and hundreds of MB. One that
has imported them before any thread exists can be forked as often as one likes, and the kernel keeps one copy of what none of
them writes to: two thirds, since the garbage collector leaves it alone (`gc.freeze`), and only reference counts are written.

Where people rest at times, one that is asked for nothing gives all of that back, and imports again when it is asked
(resting_fork_server.py).

A fork server is a process of whoever starts services, asked over a socket, one message for each request. When it dies, the kernel
ends what it has forked (die_with_parent.py), and when its starter dies, it ends: the socket is closed.
"""

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO

from deploy.local.die_with_parent import tie_to
from deploy.local.options import ROOT
from deploy.local.resting_fork_server import NUMBER, read, report_ends, rest
from services.runtime.memory import give_back
from services.runtime.supervisor import gone_within

_PR_SET_NAME = 15
_MESSAGE_BYTES = 128 * 1024
"""An environment and a command, as JSON: the kernel takes that much of an environment for a single variable."""
PYTHON = {"PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
"""The common settings of Python for all services: what they read and write is no matter of the locale."""
ANSWER_S = 60.0
"""How long a fork server may take to answer: it may still import, from a cold disk. One that takes longer hangs, and is ended."""
REST_S = 30.0
"""How long one has been asked for nothing when it rests."""
_END_S = 5.0
_MODULE = "deploy.local.fork_server"
_ARGUMENTS = 6
"""Of the command that starts one: Python, -m, its name, the channel, when it rests, and what it imports."""
SERVICES = frozenset({"gateway", "services.rules", "services.session", "services.ai", "services.players"})
OF_SERVICES = SERVICES | {"deploy.local.players_and_ai", "services.players.intake.worker"}
"""The modules that are forked from a process that has imported the services."""
WORKERS = frozenset({"services.ai.worker"})
"""They decide how they count before they import prometheus_client, which nothing in LIBRARIES does."""
RESTING = WORKERS | {"services.players.intake.worker"}
"""Where they rest (BRETTWERK_BELL_FOLDER), they are started as programs: memory is not kept for them meanwhile."""
LIBRARIES = (
    "celery.apps.worker",
    "celery.concurrency.prefork",
    "grpc.aio",
    "kombu.transport.redis",
    *(f"brettwerk_games.{of}.{game}" for of in ("rules", "players") for game in ("einstein", "emperado", "plateau", "wec")),
    "services.ai.celery_worker.app",
    "services.ai.board.worker_board",
    "services.ai.puzzles.criteria",
    "services.ai.runs.store",
)


class Forked:
    """A process that was forked by a fork server, with what `subprocess.Popen` offers for one."""

    def __init__(self, pid: int, status: int, stdout: IO[bytes]) -> None:
        """`status` is the end of a pipe at which the fork server says the exit code; `stdout` reads what the process writes."""
        self.pid, self.stdout = pid, stdout
        self.returncode: int | None = None
        self._status = status
        self._reading = threading.Lock()

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        return self._code(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code as soon as there is one. Raises subprocess.TimeoutExpired."""
        code = self._code(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _code(self, within_s: float | None) -> int | None:
        with self._reading:
            if self.returncode is None:
                poll = select.poll()
                poll.register(self._status, select.POLLIN)
                if not poll.poll(None if within_s is None else within_s * 1000):
                    return None
                said = os.read(self._status, NUMBER.size)
                # Nothing is said when the fork server has died, at which the kernel ends what it has forked.
                if not said and not gone_within(self.pid, within_s):
                    return None
                self.returncode = NUMBER.unpack(said)[0] if said else -signal.SIGTERM
                os.close(self._status)
            return self.returncode


class ForkServer:
    """The starter's end of a fork server."""

    def __init__(
        self,
        modules: Sequence[str],
        environment: Mapping[str, str],
        origin: "ForkServer | None" = None,
        rest_s: float | None = None,
    ) -> None:
        """Start it, or fork it from another one; it imports the modules meanwhile. Raises OSError where that is not to be had.

        `rest_s`: for how long it is asked for nothing before it rests, which one that was forked never does; None for never.
        """
        # Its own environment can be read at all that it forks (/proc/PID/environ), and no secret is for all.
        own = {name: value for name, value in environment.items() if not name.startswith("BRETTWERK_")}
        self._asking = threading.Lock()
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process: subprocess.Popen[bytes] | Forked
        with theirs:
            if origin:
                try:
                    self._process = origin.fork(_MODULE, own, 0o077, [theirs.fileno()], ["", ",".join(modules)])
                except OSError:
                    self._channel.close()
                    raise
                self._process.stdout.close()
                return
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", _MODULE, str(theirs.fileno()), str(rest_s or ""), ",".join(modules)],
                cwd=ROOT,
                env=own,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )

    def fork(
        self,
        module: str,
        environment: Mapping[str, str],
        umask: int,
        kept: Sequence[int] = (),
        arguments: Sequence[str] = (),
    ) -> Forked:
        """Run a module's `main` in a new process, the leader of a session of its own; return what tells of it.

        Its arguments are the descriptors that it is to keep, and these. Raises OSError where that is not to be had.
        """
        request = json.dumps([module, arguments, dict(environment), umask]).encode()
        (output, written), (status, said) = os.pipe(), os.pipe()
        try:
            with self._asking:
                self._channel.settimeout(ANSWER_S)
                socket.send_fds(self._channel, [request], [written, said, *kept])
                answer = self._channel.recv(NUMBER.size)
            if not answer:
                raise ConnectionError("the fork server has ended")
        except OSError:
            os.close(output)
            os.close(status)
            raise
        finally:
            os.close(written)
            os.close(said)
        (pid,) = NUMBER.unpack(answer)
        return Forked(pid, status, open(output, "rb", buffering=0))

    def close(self) -> None:
        """End it, and what it has forked."""
        self._channel.close()
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):  # one that hangs does not say that what it has forked is gone
            self._process.wait(_END_S)


class ForkServers:
    """The fork servers of this process, whose services share them."""

    def __init__(self) -> None:
        self._python = python_variables({**os.environ, **PYTHON})
        self._starting = threading.Lock()
        self._running: dict[str, ForkServer] = {}

    def fork(self, module: str, environment: Mapping[str, str], umask: int) -> Forked | None:
        """Run the module of a service in a new process; return None where it has to be started as any program is."""
        if sys.platform != "linux" or module not in OF_SERVICES | WORKERS or python_variables(environment) != self._python:
            return None
        if len(json.dumps(dict(environment))) > _MESSAGE_BYTES - 1024 or (module in RESTING and _rest(environment)):
            return None
        name = "libraries" if module in WORKERS else "services"
        for _ in range(2):  # one that has died is found out when it is asked
            server = None
            try:
                with self._starting:
                    server = self._running.get(name) or self._start(name, environment)
                return server.fork(module, environment, umask)
            except OSError:
                with self._starting:
                    if self._running.get(name) is server:
                        self._end(name if server else "libraries")  # without one, it was the origin that did not answer
        return None

    def close(self) -> None:
        """End them, and what they have forked; who asks for more gets new ones."""
        with self._starting:
            self._end("libraries")

    def _start(self, name: str, environment: Mapping[str, str]) -> ForkServer:
        if name == "libraries":
            return self._running.setdefault(name, ForkServer(LIBRARIES, environment))
        modules = [f"{service}.__main__" for service in sorted(SERVICES)]
        if _rest(environment):
            return self._running.setdefault(name, ForkServer(modules, environment, rest_s=REST_S))
        origin = self._running.get("libraries") or self._start("libraries", environment)
        return self._running.setdefault(name, ForkServer(modules, environment, origin))

    def _end(self, name: str) -> None:
        """End one, and the other if that was forked from it."""
        for one in ("libraries", "services") if name == "libraries" else ("services",):
            if server := self._running.pop(one, None):
                server.close()


def _rest(environment: Mapping[str, str]) -> bool:
    return bool(environment.get("BRETTWERK_BELL_FOLDER"))


def python_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what Python itself reads, at its start only: a process that is forked has what its fork server had."""
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


fork_servers = ForkServers()
"""Those of this process."""
atexit.register(fork_servers.close)


def serve(channel: socket.socket, reports: dict[int, int], rest_s: float | None) -> tuple[list[str], Mapping[str, str]] | None:
    """Fork whatever is asked for, until the asking end is closed: then return None. It rests when it has been asked for nothing.

    In a new process it returns the module that it is to run with its arguments, and its environment. `reports`: at which
    descriptor to say how each process ends that was forked before.
    """
    woken, wakes = socket.socketpair()
    woken.setblocking(False)
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    poll.register(woken, select.POLLIN)
    report_ends(reports)  # those that ended before the handler was there
    while True:
        ready = [descriptor for descriptor, _ in poll.poll(None if rest_s is None else rest_s * 1000)]
        if not ready:
            signal.set_wakeup_fd(-1)
            rest(channel.fileno(), reports, sys.orig_argv[:_ARGUMENTS])
        if woken.fileno() in ready:
            woken.recv(1024)
            report_ends(reports)
        if channel.fileno() not in ready:
            continue
        request, descriptors, _, _ = socket.recv_fds(channel, _MESSAGE_BYTES, 3)
        if not request:
            return None
        output, status, *kept = descriptors
        server, pid = os.getpid(), os.fork()
        if not pid:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for one in (channel, woken, wakes):
                one.close()
            for descriptor in (status, *reports.values()):
                os.close(descriptor)
            module, arguments, environment, umask = json.loads(request)
            _become(module.rpartition(".")[2], server, output, umask)
            return [module, *map(str, kept), *arguments], environment
        for descriptor in (output, *kept):
            os.close(descriptor)
        reports[pid] = status
        channel.send(NUMBER.pack(pid))


def _become(name: str, server: int, output: int, umask: int) -> None:
    """Be a process as `subprocess.Popen` would have started it, but of this name, and one that ends with the fork server."""
    os.setsid()
    tie_to(server)
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.umask(umask)


def run(command: list[str], environment: Mapping[str, str]) -> None:
    """Run a module's `main` as `python -m` would."""
    module = command[0]
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = command
    importlib.invalidate_caches()
    package = importlib.import_module(module)
    program = importlib.import_module(f"{module}.__main__") if hasattr(package, "__path__") else package
    program.main()


def main() -> None:
    """Import modules, and fork, until the starter has gone."""
    _, channel, rest_s, modules, *reports = sys.argv
    for module in modules.split(","):
        importlib.import_module(module)
    gc.collect()
    give_back()  # what was used to import is not to be copied
    gc.freeze()
    with socket.socket(fileno=int(channel)) as asked:
        found = serve(asked, read(reports[0] if reports else ""), float(rest_s) if rest_s else None)
    if found:
        run(*found)


if __name__ == "__main__":
    main()
