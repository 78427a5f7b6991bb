"""Every method of every inner service, asked by real calls of real processes: the services are answered, and nobody else."""

import contextlib
import importlib
import pkgutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.rpc import status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

import brettwerk.internal.v1
import brettwerk.v1
from brettwerk.v1 import errors_pb2
from services.runtime.identity import Identity
from services.runtime.inner_calls import HEADER, MAX_AGE_S, InnerKeys
from tests.callers import keys
from tests.certificates import Authority
from tests.night import at_night
from tests.ports import free_port
from tests.redis_server import running_redis
from tests.services.runtime.process import ServiceProcess

RULES = "brettwerk.internal.v1.RulesService"
MODULES = {
    RULES: "services.rules",
    "brettwerk.internal.v1.SessionService": "services.session",
    "brettwerk.internal.v1.AiService": "services.ai",
    "brettwerk.internal.v1.PlayersService": "services.players",
}
ENDPOINTS = {"brettwerk.v1.PlayService"}
LINKS = {"brettwerk.internal.v1.LinkService"}
"""At ports of their own; who may call there, tests/services/runtime/link/test_callers.py looks at."""
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
REFUSED = grpc.StatusCode.UNAUTHENTICATED, errors_pb2.REASON_UNKNOWN_CALLER
UNANSWERED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.INTERNAL, grpc.StatusCode.DEADLINE_EXCEEDED)
STRANGER = InnerKeys(["another key of another installation"])


def services() -> list[ServiceDescriptor]:
    """Return all services of the contract that are not for clients."""
    packages = (brettwerk.v1, brettwerk.internal.v1)
    modules = [
        importlib.import_module(f"{each.__name__}.{one.name}") for each in packages for one in pkgutil.iter_modules(each.__path__)
    ]
    found = [service for module in modules if module.__name__.endswith("_pb2") for service in module.DESCRIPTOR.services_by_name.values()]  # fmt: skip # noqa: E501
    return [service for service in found if service.full_name not in ENDPOINTS | LINKS]


def methods(service: str) -> list[MethodDescriptor]:
    """Return the methods of a service."""
    return [method for one in services() if one.full_name == service for method in one.methods]


class Inside:
    """The inner services as processes, and how to reach them."""

    def __init__(self, start: Callable[[str], str], own: Identity | None) -> None:
        self.addresses: dict[str, str] = {}
        self._start = start
        self._own = own

    def channel(self, service: str) -> grpc.Channel:
        """Return a channel whose calls carry no token, but that shows a certificate where that is asked for.

        A service that does not run is started, after the rules: without them, the session service is not ready.
        """
        for needed in (RULES, service):
            if needed not in self.addresses:
                self.addresses[needed] = self._start(needed)
        if self._own is not None:
            return grpc.secure_channel(self.addresses[service], self._own.for_channel())
        return grpc.insecure_channel(self.addresses[service])


def ask(channel: grpc.Channel, path: str, token: str | None) -> tuple[grpc.StatusCode, errors_pb2.Reason.ValueType]:
    """Return code and reason with which an empty request is answered."""
    method: Any = channel.stream_stream(path)
    try:
        for _ in method(iter([b""]), timeout=30, metadata=() if token is None else ((HEADER, token),)):
            pass
    except grpc.RpcError as error:
        trailers: Any = error.trailing_metadata()
        refusal = errors_pb2.Refusal()
        status = status_pb2.Status.FromString(dict(trailers)["grpc-status-details-bin"])
        assert any(detail.Unpack(refusal) for detail in status.details)
        return error.code(), refusal.reason
    return grpc.StatusCode.OK, errors_pb2.REASON_UNSPECIFIED


@pytest.fixture(scope="module", params=[at_night("plain"), "encrypted"])
def inside(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    folder = tmp_path_factory.mktemp(request.param)
    authority = Authority(folder) if request.param == "encrypted" else None

    def files(part: str) -> dict[str, str]:
        return {} if authority is None else authority.issue(part)

    own = Identity(*(Path(files("caller")[f"BRETTWERK_TLS_{name}"]) for name in ("CERTIFICATE", "KEY", "AUTHORITY"))) if authority else None  # type: ignore[arg-type] # fmt: skip # noqa: E501
    with contextlib.ExitStack() as started:
        redis_url = started.enter_context(running_redis())
        rules, rules_links = (f"127.0.0.1:{free_port()}" for _ in range(2))

        def start(service: str) -> str:
            module, health = MODULES[service], f"127.0.0.1:{free_port()}"
            settings = {
                "BRETTWERK_HEALTH_LISTEN": health,
                "BRETTWERK_RULES_ADDRESS": rules,
                "BRETTWERK_RULES_LINK_ADDRESS": rules_links,
                "BRETTWERK_REDIS_URL": redis_url,
                "BRETTWERK_BROKER_URL": redis_url,
                "BRETTWERK_SECRET_KEY": "s" * 32,
                "BRETTWERK_DATABASE_URL": f"sqlite:///{folder}/archive.sqlite3",
                "BRETTWERK_PLAYERS_DATABASE_URL": f"sqlite:///{folder}/players.sqlite3",
            }
            address = rules if module == "services.rules" else f"127.0.0.1:{free_port()}"
            links = rules_links if module == "services.rules" else f"127.0.0.1:{free_port()}"
            process = ServiceProcess(
                module,
                **files(module.rpartition(".")[2]),
                **settings,
                BRETTWERK_LISTEN=address,
                BRETTWERK_LINK_LISTEN=links,
            )
            process.address = health
            started.enter_context(process)
            return address

        yield Inside(start, own)


def test_there_is_a_process_for_every_inner_service() -> None:
    assert {service.full_name for service in services()} == set(MODULES)


def refuse_all_but_callers_with_the_key(inside: Inside, service: str) -> None:
    """Call every method with tokens that are none, and with one that is."""
    others = RULES if service != RULES else "brettwerk.internal.v1.SessionService"
    bad = {
        "none": None,
        "empty": "",
        "nonsense": "Bearer nonsense",
        "another key": STRANGER.token("gateway", service),
        "expired": keys().token("gateway", service, time.time() - MAX_AGE_S - 60),
        "not yet": keys().token("gateway", service, time.time() + MAX_AGE_S + 60),
        "another service": keys().token("gateway", others),
    }
    with inside.channel(service) as channel:
        for method in methods(service):
            path = f"/{service}/{method.name}"
            for name, token in bad.items():
                assert ask(channel, path, token) == REFUSED, (method.name, name)
            code, reason = ask(channel, path, keys().token("gateway", service))
            assert code not in UNANSWERED, (method.name, code)
            assert code is grpc.StatusCode.OK or reason != errors_pb2.REASON_UNSPECIFIED, f"{method.name} was read, and answered"


def tell_strangers_how_it_is_and_nothing_else(inside: Inside, service: str) -> None:
    """Ask for health, for what is not there, and for what there is."""
    with inside.channel(service) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", "live", service):
            response = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=10)
            assert response.status == health_pb2.HealthCheckResponse.SERVING
        for path in (REFLECTION, f"/{service}/NoSuchMethod", "/brettwerk.v1.PlayService/Act"):
            assert ask(channel, path, None) == REFUSED, path
        code, _ = ask(channel, REFLECTION, keys().token("tests", "grpc.reflection.v1alpha.ServerReflection"))
        assert code is grpc.StatusCode.OK
        code, reason = ask(channel, f"/{service}/NoSuchMethod", keys().token("tests", service))
    assert (code, reason) == (grpc.StatusCode.UNIMPLEMENTED, errors_pb2.REASON_NO_SUCH_METHOD)


@pytest.mark.nightly
def test_a_service_answers_callers_with_the_key_and_tells_strangers_only_how_it_is(inside: Inside) -> None:
    # One test for all, since each process that ran one of several would start the services for itself.
    for service in MODULES:
        refuse_all_but_callers_with_the_key(inside, service)
        tell_strangers_how_it_is_and_nothing_else(inside, service)
