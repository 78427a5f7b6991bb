"""The parts of a deployment on this machine: its processes, and the store that they share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from deploy.local.options import MEMORY_MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """Which processes there are, and how they run."""

    web: bool = True
    """Whether the built web client is served (web.py builds it)."""
    workers: int = 1
    """How many moves of computers are thought about at a time; 0 for what the settings say."""
    worker_program: str = "services.ai.worker"
    """The module that runs as the worker; another one is for measurements."""
    statistics: bool = False
    """Whether a worker plays runs of games among computers for statistics."""
    observe: bool = False
    """Whether a Prometheus reads the metrics."""
    on_demand: bool = False
    """Whether workers end when they have had nothing to do for a while, and start when they have, and what else is done to take
    little at rest: the players service and the AI service are one process (players_and_ai.py)."""
    small: bool = False
    """Whether all services are one process (all_services.py)."""
    one_process: bool = False
    """Whether the launcher is all services itself (one_process.py): then only its Redis is a process, and Prometheus."""
    reload: bool = False
    """Whether each start of a process reads the sources anew (reload.py): then none is forked from one that has read them."""
    own_environment: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Settings of single processes, by their names; they come before all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The Redis of a deployment: its own one, or another one at an address."""

    redis_url: str = ""
    """Of a Redis that is not started here; empty for an own one."""
    appendfsync: str = "everysec"
    """When an own one syncs its file: everysec or always."""
    memory_mb: int = MEMORY_MB
    """MB that an own one may hold."""
