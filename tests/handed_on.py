"""A deployment that tests harm one after the other: whoever gets it finds it whole, though others have killed processes of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc
import psutil

from deploy.local.deployment import Deployment
from deploy.local.launcher_error import LauncherError
from services.runtime.probe import serves

WHOLE_S = 30.0
"""How long processes may take to be back, and to find each other."""
UNABLE = (psutil.STATUS_ZOMBIE, psutil.STATUS_STOPPED)


class HandedOn:
    """Starts a deployment when there is none that is whole, so that a dozen tests pay for one start."""

    def __init__(self, start: Callable[[], Deployment]) -> None:
        """Take what makes one that is not started."""
        self._start = start
        self._left: Deployment | None = None

    @contextmanager
    def lent(self) -> Iterator[Deployment]:
        """Yield a deployment that nobody else has meanwhile."""
        deployment, self._left = self._left, None
        if deployment is None or not is_whole(deployment):
            if deployment is not None:
                deployment.__exit__()
            deployment = self._start().__enter__()
        try:
            yield deployment
        except BaseException:
            deployment.__exit__()
            raise
        self._left = deployment

    def close(self) -> None:
        """End what is left."""
        if self._left is not None:
            self._left.__exit__()
            self._left = None


def is_whole(deployment: Deployment) -> bool:
    """Return whether every process runs and can do its work, or does so soon, and a computer answers at a new table."""
    try:
        for name in deployment.processes:
            deployment.wait(name, WHOLE_S)
        if any(psutil.Process(pid).status() in UNABLE for pid in deployment.pids().values()):
            return False
    except (LauncherError, psutil.NoSuchProcess):
        return False
    until = time.monotonic() + WHOLE_S
    while time.monotonic() < until:
        if not _is_ready(deployment):
            time.sleep(0.1)
            continue
        try:
            return _is_played_at(deployment.grpc_address, until)
        except grpc.RpcError:
            time.sleep(0.1)  # who has lost a service tries again
    return False


def _is_ready(deployment: Deployment) -> bool:
    """Return whether all services say that they can do their work: one may play already and not have noticed yet that it can."""
    addresses = [deployment.environment[f"BRETTWERK_{service}_ADDRESS"] for service in ("RULES", "SESSION", "AI", "PLAYERS")]
    return all(serves(address, "", 1.0) for address in (*addresses, deployment.grpc_address))


def _is_played_at(address: str, until: float) -> bool:
    from tests.e2e.stranger import Stranger, computer, me

    eve = Stranger(address, "Eve")
    try:
        session, seats = eve.create(me(), computer())
        while time.monotonic() < until:
            update = eve.look(session.id, seats[0])
            if update.actions:
                eve.act(update, seats[0])
                return True
            time.sleep(0.05)
    finally:
        eve.close()
    return False
