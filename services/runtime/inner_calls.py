"""Calls between the services: by which names their methods are called, and who calls.

Up to 1.0 the inner services were in the package of the public contract. They are called by those names until no release
that knows only them can be updated from, and are offered by both, so that a later release may call them as the contract does.

Every call carries a token, which cannot be made without the installation's key. A token is valid for one service and for the
minutes around the time in it, so that a leaked one is soon useless. It is made again every few seconds, not for each call, and
checked once for each call or stream: calls over a link cost nothing more. TLS secures the channel of a call, the token identifies
its sender; if both are set, both are required. The key is BRETTWERK_INNER_KEY, or is derived from BRETTWERK_SECRET_KEY if that is
known. It cannot sign players' tokens.
"""

import hashlib
import hmac
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import grpc

from brettwerk.v1 import errors_pb2
from services.runtime.cannot_start import cannot_start
from services.runtime.refusal import Refused
from services.runtime.settings import Settings, settings

AnyChannel = TypeVar("AnyChannel")

KINDS = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")
"""The names by which a channel opens methods."""
_PACKAGE = "brettwerk.internal.v1."
_PACKAGE_OF_1_0 = "brettwerk.v1."


def on_the_wire(path: str) -> str:
    """Return the path that calls a method; `path` has the service's name in the contract, or is that name alone."""
    return path.replace(_PACKAGE, _PACKAGE_OF_1_0, 1)


def offered(service: str) -> tuple[str, ...]:
    """Return all names of a service: the one in the contract, and if it is an inner one, the one of release 1.0."""
    return tuple(dict.fromkeys((service, on_the_wire(service))))


def by_wire_names(channel: AnyChannel) -> AnyChannel:
    """Return the channel, which calls inner methods by their names on the wire from now on."""
    for kind in KINDS:
        setattr(channel, kind, _renaming(getattr(channel, kind)))
    return channel


def _renaming(open_method: Callable[..., Any]) -> Callable[..., Any]:
    def opened(path: str, *arguments: Any, **options: Any) -> Any:
        # gRPC's registered methods are known by the path that they were registered with: without that mark any path will do.
        return open_method(on_the_wire(path), *arguments, **{**options, "_registered_method": False})

    return opened


def by_all_names(*servers: Any) -> Any:
    """Return what generated code takes for a server: what it registers there, each of the servers offers by all its names.

    They are gRPC servers, or Methods, which see to the names themselves.
    """
    return _ByAllNames(servers)


class _ByAllNames:
    def __init__(self, servers: Sequence[Any]) -> None:
        self._servers = servers

    def add_generic_rpc_handlers(self, handlers: Any) -> None:
        """Do what generated code asks for."""
        for server in self._servers:
            server.add_generic_rpc_handlers(handlers)

    def add_registered_method_handlers(self, service: str, handlers: "Mapping[str, grpc.RpcMethodHandler[Any, Any]]") -> None:
        """Do what generated code asks for, and the same for the older name."""
        older = on_the_wire(service)
        for server in self._servers:
            server.add_registered_method_handlers(service, handlers)
            if older != service:  # grpcio's asynchronous server knows generic handlers only
                server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(older, dict(handlers)),))


HEADER = "brettwerk-caller"
"""The metadata in which a token travels."""
MAX_AGE_S = 600
"""How far the time in a token may be from the server's: calls wait for servers, and clocks of hosts differ."""
RENEW_S = 10.0
"""How long a caller uses a token."""
MIN_KEY = 32
"""The minimum number of characters of a key."""
MAX_KEYS = 2
_TOKEN = re.compile(r"1\.([a-z0-9-]{1,32})\.([0-9]{1,12})\.([0-9a-f]{64})", re.ASCII)


class InnerKeys:
    """The keys of an installation: the first signs, and all are accepted, so that a key can be replaced while games go on."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = [key.encode() for key in keys]

    def key(self, purpose: str) -> bytes:
        """Return a key of the installation for one purpose."""
        return hmac.digest(self._keys[0], b"brettwerk " + purpose.encode(), hashlib.sha256)

    def token(self, caller: str, service: str, now_s: float | None = None) -> str:
        """Return a token with which `caller` (a short name, for logs) may call a service (brettwerk.internal.v1.RulesService)."""
        at = str(int(time.time() if now_s is None else now_s))
        return f"1.{caller}.{at}.{_signature(self._keys[0], caller, at, service)}"

    def check(self, token: str, service: str) -> str:
        """Return the caller's name. Raises Refused (UNKNOWN_CALLER) if the token is not valid for this service and time."""
        read = _TOKEN.fullmatch(token)
        if read is None:
            raise _refused("the call has no token of this installation" if not token else "the call's token cannot be read")
        caller, at, signature = read.groups()
        if not any(hmac.compare_digest(signature, _signature(key, caller, at, service)) for key in self._keys):
            raise _refused("the call's token was made with another key or for another service")
        off = time.time() - int(at)
        if abs(off) > MAX_AGE_S:
            raise _refused(f"the time in the call's token is {off:.0f} s from this server's: it has expired, or a clock is wrong")
        return caller


def _signature(key: bytes, caller: str, at: str, service: str) -> str:
    return hmac.new(key, f"brettwerk call\n{caller}\n{at}\n{service}".encode(), hashlib.sha256).hexdigest()


def _refused(message: str) -> Refused:
    return Refused(errors_pb2.REASON_UNKNOWN_CALLER, message)


def inner_keys(config: Settings | None = None) -> InnerKeys | None:
    """Return the keys of this process; None if it has none. Exits with 2 and a plain sentence if they are invalid."""
    config = config or settings()
    given = config.inner_key.get_secret_value()
    if not given:
        try:
            return InnerKeys([config.derived_inner_key()]) if config.secret_key.get_secret_value() else None
        except ValueError as error:
            raise cannot_start(str(error)) from None
    keys = [key.strip() for key in given.split(",")]
    if len(keys) > MAX_KEYS or any(len(key) < MIN_KEY for key in keys):
        raise cannot_start(f"BRETTWERK_INNER_KEY must be one key, or two by a comma, of {MIN_KEY} characters or more each")
    return InnerKeys(keys)


def needed_inner_keys(config: Settings) -> InnerKeys:
    """Return the keys of this process. Exits with 2 and a plain sentence if it has none."""
    keys = inner_keys(config)
    if keys is None:
        raise cannot_start("BRETTWERK_INNER_KEY is not set: without the key of the installation no service answers another")
    return keys


def signing(channel: AnyChannel, caller: str, keys: InnerKeys) -> AnyChannel:
    """Return the channel, whose calls carry a token from now on.

    Not done by interceptors: gRPC's own put a task between a stream and its writer. Nor by call credentials: they need TLS.
    """
    tokens = Tokens(caller, keys)
    for kind in KINDS:
        setattr(channel, kind, _opening(getattr(channel, kind), tokens))
    return channel


class Tokens:
    """The tokens that a caller uses now."""

    def __init__(self, caller: str, keys: InnerKeys) -> None:
        self._caller = caller
        self._keys = keys
        self._made: dict[str, tuple[float, str]] = {}

    def now(self, service: str) -> str:
        """Return the token for a service."""
        made, now_s = self._made.get(service), time.time()
        # by the clock that the server judges by: of a host that has slept, the monotonic one has stood still meanwhile
        if made is None or not 0 <= now_s - made[0] < RENEW_S:
            made = self._made[service] = now_s, self._keys.token(self._caller, service, now_s)
        return made[1]


def _opening(open_method: Callable[..., Callable[..., Any]], tokens: Tokens) -> Callable[..., Callable[..., Any]]:
    def opened(path: str, *arguments: Any, **options: Any) -> Callable[..., Any]:
        method = open_method(path, *arguments, **options)
        service = service_of(path)

        def call(*request: Any, metadata: Any = None, **terms: Any) -> Any:
            return method(*request, metadata=(*(metadata or ()), (HEADER, tokens.now(service))), **terms)

        return call

    return opened


def service_of(path: str) -> str:
    """Return the service in the path of a method (/brettwerk.internal.v1.RulesService/ApplyAction)."""
    return path.removeprefix("/").partition("/")[0]


class Callers:
    """The requirements of a server on its callers."""

    def __init__(self, keys: InnerKeys, *, are_required: bool = True) -> None:
        """`are_required`: whether a call without a token is refused; one with an invalid token always is."""
        self._keys = keys
        self._are_required = are_required

    def check(self, path: str, metadata: Sequence[tuple[str, str | bytes]]) -> str:
        """Return the name of the caller of a method, empty for one without a token. Raises Refused (UNKNOWN_CALLER)."""
        token = next((str(value) for name, value in metadata if name == HEADER), "")
        return self._keys.check(token, service_of(path)) if token or self._are_required else ""
