"""The parts of a deployment: which processes, in which order, with which settings, and how each shows that it is ready."""

import functools
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from deploy.local import observe, ports, probes, redis
from deploy.local.folder import BACKUP_MARKER, DataFolder, inner_key, operator_key, push_key, redis_password
from deploy.local.fork_server import PYTHON
from deploy.local.options import NOT_FOR_ALL, OF_PLAYERS, ROOT
from deploy.local.ports import Ports, join
from deploy.local.processes import Processes, Store
from deploy.local.web import BUILT
from services.runtime.probe import Probe, SignOfLife, sign_of_life
from services.runtime.supervisor import MISSES, PROBE_TIMEOUT_S

STOP_ORDER = (
    ("prometheus", "gateway", "services"),
    ("worker", "statistics", "results", "players"),
    ("ai",),
    ("session",),
    ("rules",),
    ("redis",),
)
"""Endpoints first, the store last: nobody loses what they need while they end. Those that need nothing of each other end at the
same time: a Celery worker takes a second or two."""
REST_PERIOD_S = 5.0
"""How often a process that does hardly anything is asked for a sign of life on a machine of people who rest at times."""
IDLE_S = "45"
"""How long a worker waits for something to do before it ends, where it is started again when there is."""
REDIS_MISSES = 5
"""Redis waits for its disk at times, and is up again soon after it was killed: it may be silent for longer than others."""


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """One process."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    probe: Probe
    """Whether it is ready for its work."""
    live: SignOfLife
    """Whether it answers at all, whatever it depends on."""
    module: str = ""
    """The module whose `main` it runs, where it may be forked (fork_server.py) instead of running the command."""
    misses: int = MISSES
    """After how many unanswered probes of `live` in a row it counts as hung."""
    fresh: Path | None = None
    """A folder that is to be empty whenever the process starts."""
    holds: int = -1
    """A file descriptor that it keeps open: the lock of the data folder."""
    rest_period_s: float = 1.0
    """How often it is asked for a sign of life while it does hardly anything."""
    bell: str = ""
    """The name of what wakes it when it rests (services/runtime/bell.py); empty: it always runs."""
    rests_at_first: bool = False
    explain: Callable[[], tuple[str, bool]] | None = None
    """Returns why it did not start, if its files are damaged, and whether that is mended; asked while it does not run."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything is in one deployment."""

    folder: DataFolder
    ports: Ports
    processes: Processes = field(default_factory=Processes)
    store: Store = field(default_factory=Store)
    environment: Mapping[str, str] = field(default_factory=dict)
    """Settings that come before everything here."""

    @property
    def grpc_address(self) -> str:
        """host:port of the gateway's gRPC endpoint."""
        return join(self.ports.near, self.ports.grpc)

    @property
    def web_address(self) -> str:
        """host:port of the gateway's web endpoint."""
        return join(self.ports.near, self.ports.web)

    def own_environment(self, process: str) -> Mapping[str, str]:
        """Return the settings of one process that come before all others."""
        return self.processes.own_environment.get(process, {})

    def link_address(self, process: str) -> str:
        """Return where a process takes links: a Unix socket."""
        return f"unix:{self.folder.sockets / f'{process}.link'}"

    def metrics_address(self, process: str) -> str:
        """Return the host:port of a process's /metrics, /live and /ready."""
        return self.inner_address(f"{process}_metrics")

    def inner_address(self, name: str) -> str:
        """Return the host:port of an endpoint for this machine only, by its name in `ports`."""
        return join(self.ports.loopback, getattr(self.ports, name))


def environment(plan: Plan) -> dict[str, str]:
    """Return the environment of the deployment: all that any of its processes needs.

    A BRETTWERK_ setting of the launcher's own environment comes before the launcher's choice, but for addresses and stores.
    """
    key = os.environ.get("BRETTWERK_SECRET_KEY") or plan.folder.secret_key()
    password = redis_password(key)
    store = plan.store.redis_url or redis.url(plan.ports.redis, password, 0, plan.ports.loopback)
    gentle = {"BRETTWERK_DRAIN_S": "0", "BRETTWERK_GRACE_S": "3"}  # nobody balances load here: ending is quick
    if plan.processes.on_demand:
        gentle |= {"BRETTWERK_WORKER_IDLE_S": IDLE_S, "BRETTWERK_RESULTS_WORKER": "false"}
        gentle["BRETTWERK_BELL_FOLDER"] = str(plan.folder.sockets)
    fixed = {
        "BRETTWERK_SECRET_KEY": key,
        "BRETTWERK_INNER_KEY": os.environ.get("BRETTWERK_INNER_KEY") or inner_key(key),
        "BRETTWERK_PUSH_KEY": os.environ.get("BRETTWERK_PUSH_KEY") or push_key(key),
        "BRETTWERK_OPERATOR_KEY": os.environ.get("BRETTWERK_OPERATOR_KEY") or operator_key(key),
        "BRETTWERK_METRICS_ADDRESSES": "" if plan.processes.one_process else ",".join(_metrics(plan, on_demand=False).values()),
        "BRETTWERK_METRICS_ON_DEMAND": ",".join(_metrics(plan, on_demand=True).values()),
        "BRETTWERK_BACKUP_MARKER": str(plan.folder.path / BACKUP_MARKER),
        "BRETTWERK_REDIS_URL": store,
        "BRETTWERK_BROKER_URL": redis.other_database(store, 1),
        "BRETTWERK_DATABASE_URL": os.environ.get("BRETTWERK_DATABASE_URL") or plan.folder.archive_url,
        "BRETTWERK_PLAYERS_DATABASE_URL": os.environ.get("BRETTWERK_PLAYERS_DATABASE_URL") or plan.folder.players_url,
        "BRETTWERK_PLAYERS_ADDRESS": plan.inner_address("players"),
        "BRETTWERK_RULES_ADDRESS": plan.inner_address("rules"),
        "BRETTWERK_SESSION_ADDRESS": plan.inner_address("session"),
        "BRETTWERK_RULES_LINK_ADDRESS": plan.link_address("rules"),
        "BRETTWERK_SESSION_LINK_ADDRESS": plan.link_address("session"),
        "BRETTWERK_AI_ADDRESS": plan.inner_address("ai"),
        "BRETTWERK_GATEWAY_LISTEN": join(plan.ports.host, plan.ports.grpc),
        "BRETTWERK_HTTP_LISTEN": join(plan.ports.host, plan.ports.web),
        "BRETTWERK_OWN_HOSTS": ",".join(filter(None, (os.environ.get("BRETTWERK_OWN_HOSTS"), ports.name_in(plan.ports.host)))),
        "BRETTWERK_WEB_FOLDER": str(BUILT) if plan.processes.web else "",
        **PYTHON,
    }
    if plan.store.redis_url and (broker := os.environ.get("BRETTWERK_BROKER_URL")):
        fixed["BRETTWERK_BROKER_URL"] = broker
    if plan.processes.workers:
        fixed["BRETTWERK_WORKER_CONCURRENCY"] = str(plan.processes.workers)
    inherited = {name: value for name, value in os.environ.items() if name not in ("BRETTWERK_LISTEN", "BRETTWERK_LINK_LISTEN")}
    named = dict.fromkeys(("localhost", "127.0.0.1", ports.name_in(plan.ports.host)))
    is_encrypted = (plan.environment.get("BRETTWERK_GATEWAY_TLS") or inherited.get("BRETTWERK_GATEWAY_TLS")) == "true"
    scheme = "https" if is_encrypted else "http"
    gentle["BRETTWERK_SIGN_IN_ORIGINS"] = ",".join(f"{scheme}://{name}:{plan.ports.web}" for name in named if name)
    return gentle | inherited | fixed | dict(plan.environment)


def specs(plan: Plan) -> tuple[ProcessSpec, ...]:
    """Return the processes in the order in which they start. Raises LauncherError when there is no Redis to start."""
    whole = environment(plan)
    shared = {name: value for name, value in whole.items() if name not in NOT_FOR_ALL}
    players = {name: whole[name] for name in OF_PLAYERS if name in whole}
    python = (sys.executable, "-m")

    def service(name: str, module: str, *, also: Probe = lambda: True) -> ProcessSpec:
        own = plan.own_environment(name)
        asked = own.get("BRETTWERK_METRICS_LISTEN") or plan.metrics_address(name)
        secret = {"BRETTWERK_SECRET_KEY": whole["BRETTWERK_SECRET_KEY"]} if name in ("session", "gateway") else {}
        operator = {"BRETTWERK_OPERATOR_KEY": whole["BRETTWERK_OPERATOR_KEY"]} if name == "gateway" else {}
        given = shared | secret | operator | (players if name == "players" else {})
        given["BRETTWERK_METRICS_LISTEN"] = plan.metrics_address(name)
        ready = probes.both(probes.http_ok(asked, "/ready"), also)
        return ProcessSpec(name, (*python, module), given, ready, _live(f"http://{asked}/live"), module)

    made = []
    if not plan.store.redis_url:
        password = redis_password(whole["BRETTWERK_SECRET_KEY"])
        configuration = redis.write_configuration(
            plan.folder.redis,
            plan.ports.redis,
            password,
            host=plan.ports.loopback,
            appendfsync=plan.store.appendfsync,
            memory_mb=plan.store.memory_mb,
        )
        ready = probes.own_redis(plan.inner_address("redis"), password)
        command = (str(redis.find_server()), str(configuration))
        live = _live(f"redis://{plan.inner_address('redis')}")
        explain = functools.partial(_explain_store, plan.folder.path)
        made.append(
            ProcessSpec(
                "redis", command, dict(os.environ), ready, live, misses=REDIS_MISSES, holds=plan.folder.lock, explain=explain
            )
        )
    # Its processes count in files that they map, in a temporary folder: on the disk of the data they would die when that is full.
    worker = {"BRETTWERK_METRICS_LISTEN": plan.metrics_address("worker")}
    if plan.processes.observe:
        made.append(_prometheus(plan))
    if plan.processes.one_process:
        return tuple(made)
    page = probes.http_ok(plan.web_address, "/v1/health")
    if plan.processes.small:
        address, module = plan.metrics_address("gateway"), "deploy.local.all_services"
        ready, live = probes.both(probes.http_ok(address, "/ready"), page), _live(f"http://{address}/live")
        given = {**whole, "BRETTWERK_METRICS_LISTEN": address}
        made.append(ProcessSpec("services", (*python, module), given, ready, live, module))
    else:
        made += [service(name, f"services.{name}") for name in ("rules", "session")]
        if plan.processes.on_demand:
            made.append(service("players", "deploy.local.players_and_ai"))
        else:
            made += [service(name, f"services.{name}") for name in ("ai", "players")]
        made.append(service("gateway", "gateway", also=page))
    made.append(
        ProcessSpec(
            "worker",
            (*python, plan.processes.worker_program),
            shared | worker,
            probes.http_ok(plan.metrics_address("worker"), "/metrics"),
            _live(f"http://{plan.metrics_address('worker')}/live"),
            plan.processes.worker_program,
            bell="think" if plan.processes.on_demand else "",
        )
    )
    if plan.processes.statistics:
        made.append(_statistics(plan, shared))
    if plan.processes.on_demand:
        made.append(_results(shared | players))
    own = {spec.name: {**spec.environment, **plan.own_environment(spec.name)} for spec in made}
    # To fork a single process would cost the memory of another.
    is_forked = not plan.processes.reload and not plan.processes.small
    rest_period_s = REST_PERIOD_S if plan.processes.on_demand else 1.0
    return tuple(
        replace(spec, environment=own[spec.name], module=spec.module if is_forked else "", rest_period_s=rest_period_s)
        for spec in made
    )


def _statistics(plan: Plan, environment: Mapping[str, str]) -> ProcessSpec:
    """Return the worker that plays runs, one batch at a time; it lets everybody else on the machine go first."""
    address = plan.metrics_address("statistics")
    own = {
        "BRETTWERK_METRICS_LISTEN": address,
        "BRETTWERK_WORKER_QUEUE": "statistics",
        "BRETTWERK_WORKER_CONCURRENCY": "1",
    }
    module, bell = "services.ai.worker", "statistics" if plan.processes.on_demand else ""
    ready, live = probes.http_ok(address, "/metrics"), _live(f"http://{address}/live")
    command = (sys.executable, "-m", module)
    return ProcessSpec(
        "statistics", command, {**environment, **own}, ready, live, module, bell=bell, rests_at_first=plan.processes.on_demand
    )


def _results(environment: Mapping[str, str]) -> ProcessSpec:
    """Return the worker of finished games. It answers no probes, as where the players service runs it."""
    module = "services.players.intake.worker"
    return ProcessSpec(
        "results",
        (sys.executable, "-m", module),
        environment,
        lambda: True,
        lambda: 0.0,
        module,
        bell="results",
        rests_at_first=True,
    )


def _metrics(plan: Plan, *, on_demand: bool) -> dict[str, str]:
    """Return host:port of the /metrics of each process, by its name: of those that always run, or of those that do not."""
    which = plan.processes
    workers = () if which.one_process else ("worker", "statistics") if which.statistics else ("worker",)
    alone = () if which.on_demand else ("ai",)  # elsewhere it is in the process of the players service
    services = ("gateway",) if which.one_process or which.small else ("rules", "session", *alone, "players", "gateway")
    always, sometimes = (services, workers) if which.on_demand else ((*services, *workers), ())
    return {process: plan.metrics_address(process) for process in (sometimes if on_demand else always)}


def _prometheus(plan: Plan) -> ProcessSpec:
    """Return the Prometheus of the deployment. Raises LauncherError when none is installed."""
    listen = plan.inner_address("prometheus")
    folder = plan.folder.run / "prometheus"
    configuration = observe.write_configuration(folder, _metrics(plan, on_demand=False))
    command = observe.command(observe.find(), configuration, listen)
    ready, live = probes.http_ok(listen, "/-/ready"), _live(f"http://{listen}/-/healthy")
    return ProcessSpec("prometheus", command, dict(os.environ), ready, live, fresh=folder / "series")


def _explain_store(data: Path) -> tuple[str, bool]:
    from deploy.local import damage  # what reads games takes memory that a launcher hardly ever needs

    return damage.explain_store(data)


def _live(url: str) -> SignOfLife:
    return sign_of_life(url, PROBE_TIMEOUT_S)


def working_folder() -> Path:
    """Return the folder in which all processes run."""
    return ROOT
