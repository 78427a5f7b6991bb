"""The deployment that the club plays on: its processes under the simulated clock, and calls of members that survive a kill."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc
import redis

from brettwerk.v1 import play_pb2_grpc
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from loadtests.club.clock import PROCESSES, Clock
from loadtests.club.people import Person
from loadtests.club.receivers import Receivers
from loadtests.limits import UNLIMITED

_PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED)
_ATTEMPTS = 150
_PAUSE_S = 0.2
TIMEOUT_S = 30


@contextmanager
def serving(data: Path, clock: Clock, receivers: Receivers, of_players: Mapping[str, str]) -> Iterator[Deployment]:
    """Run the deployment with its data in a folder. `of_players`: further settings of the players service."""
    given = {
        **UNLIMITED,
        "BRETTWERK_PLAYER_TOKEN_DAYS": "1000",
        "BRETTWERK_MAIL_SERVER": f"127.0.0.1:{receivers.mail_port}",
        "BRETTWERK_MAIL_SECURITY": "none",
        "BRETTWERK_MAIL_FROM": "Brettwerk <noreply@example.org>",
        "BRETTWERK_PUSH_HOSTS": receivers.pushes,
        "BRETTWERK_WEBHOOK_HOSTS": receivers.hooks,
        "SSL_CERT_FILE": str(receivers.certificate),
    }
    own = {name: dict(settings) for name, settings in clock.environments().items()}
    for name in PROCESSES:
        if name != "redis":
            own[name] |= given
    own["players"] |= of_players
    # A process that is forked from another one would not load the library of the clock.
    with Deployment(data=data, processes=Processes(web=False, reload=True, own_environment=own)) as deployment:
        yield deployment


class Server:
    """The way of members to it."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self._channel = grpc.aio.insecure_channel(deployment.grpc_address)
        self.stub: Any = play_pb2_grpc.PlayServiceStub(self._channel)
        said = (deployment.data / "redis" / "redis.conf").read_text().splitlines()
        stated = dict(line.split(" ", 1) for line in said if " " in line)
        self.store = redis.Redis(port=int(stated["port"]), password=stated["requirepass"])
        self.retries = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        await self._channel.close()
        self.store.close()

    async def ask(self, person: Person | None, method: str, request: Any) -> Any:
        """Return the answer to a call, which is made again, the same, while a service is away. Raises grpc.aio.AioRpcError."""
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            request.request_id = secrets.token_hex(8)
        for attempt in range(_ATTEMPTS):
            try:
                metadata = person.metadata if person is not None and person.token else ()
                return await getattr(self.stub, method)(request, metadata=metadata, timeout=TIMEOUT_S)
            except grpc.aio.AioRpcError as error:
                if error.code() not in _PASSING or attempt == _ATTEMPTS - 1 or "FULL" in (error.details() or ""):
                    raise
                self.retries += 1
                await asyncio.sleep(_PAUSE_S)
        raise AssertionError

    async def stream(self, person: Person, method: str, request: Any) -> AsyncIterator[Any]:
        """Yield the messages of a watch, until the caller ends it."""
        watch = getattr(self.stub, method)(request, metadata=person.metadata, timeout=TIMEOUT_S)
        try:
            async for message in watch:
                yield message
        finally:
            watch.cancel()
