"""The faults of the URL of a Redis, found by trying it: a password, a certificate, or TLS where the server speaks none.

A server that is away, or not ready yet, is no fault of the URL: readiness tells of that.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import redis.asyncio
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError

from services.runtime.cannot_start import cannot_start
from services.runtime.redis_address import Kind, RedisAddress
from services.runtime.redis_url import guards_of, is_cluster_node, open_redis, seeds_of

LOOK_S = 2.0
"""How long a server may take to answer."""
_ONCE: dict[str, Any] = {"socket_timeout": LOOK_S, "socket_connect_timeout": LOOK_S, "retry": Retry(NoBackoff(), 0)}
_TLS = {"redis": "rediss", "sentinel": "rediss+sentinel", "redis+cluster": "rediss+cluster"}
_PLAIN = {encrypted: plain for plain, encrypted in _TLS.items()}
_WANTS_CERTIFICATE = "wants a certificate from us: name it with ?ssl_certfile= and &ssl_keyfile="


@dataclass(frozen=True, slots=True)
class _Found:
    """The result of asking one server."""

    answer: Any = None
    fault: str = ""


async def fault_of(setting: str, url: str) -> str:
    """Return what is wrong with the URL of a setting, as a sentence; nothing when it is right, or nobody answers there now.

    Raises ValueError and exits as `redis_url.open_redis`.
    """
    address = RedisAddress.of(url)
    asking = _Asking(setting, url)
    if address.kind is Kind.CLUSTER:
        nodes = await asyncio.gather(*(asking.ask(node, "node", _ping) for node in seeds_of(address, **_ONCE)))
        return _common_fault(nodes)
    if address.kind is Kind.SENTINELS:
        guards = await asyncio.gather(*(asking.ask(guard, "Sentinel", _watched) for guard in guards_of(address, **_ONCE)))
        known = [found.answer for found in guards if found.answer is not None]
        if not known:
            return _common_fault(guards)
        if not any(address.name in names for names in known):
            return f"{setting} names the master {address.name}, and the Sentinels know none of that name"
        return (await asking.ask(open_redis(url, **_ONCE), "server", _ping)).fault
    found = await asking.ask(open_redis(url, **_ONCE), "server", _is_of_cluster)
    if found.answer:
        return f"{setting} leads to a node of a Redis Cluster, where only live sessions can be: name another server, or Sentinels"
    return found.fault


async def require_no_fault(setting: str, url: str) -> None:
    """Exit with 2 and a sentence when something is wrong with the URL of a setting."""
    if fault := await fault_of(setting, url):
        raise cannot_start(fault)


def _common_fault(found: Sequence[_Found]) -> str:
    """Return the first fault of servers of which none has answered."""
    return "" if any(one.answer is not None for one in found) else next((one.fault for one in found if one.fault), "")


async def _ping(client: "redis.asyncio.Redis") -> Any:
    return await client.ping()


async def _is_of_cluster(client: "redis.asyncio.Redis") -> bool:
    """Return whether a server is a node of a cluster, as far as it lets us ask."""
    await client.ping()
    with contextlib.suppress(ResponseError):
        return await is_cluster_node(client)
    return False


async def _watched(client: "redis.asyncio.Redis") -> Any:
    """Return the names of what a Sentinel watches."""
    return set(await client.sentinel_masters())


class _Asking:
    """Asks servers, and puts what goes wrong into words."""

    def __init__(self, setting: str, url: str) -> None:
        self._setting = setting
        self._scheme = url.partition("://")[0]

    async def ask(
        self, client: "redis.asyncio.Redis", what: str, question: Callable[["redis.asyncio.Redis"], Awaitable[Any]]
    ) -> _Found:
        """Return what a server answers, or what is wrong; neither when it is away. The client is closed."""
        pool = client.connection_pool
        pool.connection_class = _closing(pool.connection_class)
        try:
            return _Found(answer=await question(client))
        except (RedisError, OSError, TimeoutError) as error:
            return _Found(fault=await self._fault(client, what, error))
        finally:
            await client.aclose()
            with contextlib.suppress(AttributeError):
                await client.connection_pool.sentinel_manager.aclose()  # type: ignore[attr-defined]

    async def _fault(self, client: "redis.asyncio.Redis", what: str, error: BaseException) -> str:
        options = client.connection_pool.connection_kwargs
        host, port = str(options.get("host") or ""), int(options.get("port") or 0)
        where = f"{self._setting}: the {what}" + (f" at {host}:{port}" if host else " that is the master")
        for cause in _causes(error):
            if said := _refused(what, cause):
                return f"{where} {said}"
            if isinstance(cause, ssl.SSLCertVerificationError):
                # Some reasons of OpenSSL's end with a full stop, which is not the end of this sentence.
                why = (cause.verify_message or str(cause)).rstrip(".")
                return f"{where} has a certificate that cannot be trusted: {why} (?ssl_ca_certs= names who signs it)"
            if _requires_certificate(cause):
                return f"{where} {_WANTS_CERTIFICATE}"
        if host and self._scheme in _TLS and await _speaks_tls(host, port):
            return f"{where} speaks TLS: say {_TLS[self._scheme]}:// instead of {self._scheme}://"
        if host and self._scheme in _PLAIN and await _speaks_plainly(host, port):
            return f"{where} speaks no TLS: say {_PLAIN[self._scheme]}:// instead of {self._scheme}://"
        if self._scheme in _PLAIN and not options.get("ssl_certfile"):
            place = (host, port) if host else getattr(client.connection_pool, "master_address", None)
            if place and await _refuses_without_certificate(*place):
                return f"{where} {_WANTS_CERTIFICATE}"
        return ""


def _closing(kind: type[AbstractConnection]) -> type[AbstractConnection]:
    """Return a kind of connection that is closed when it says so: redis-py does not wait for TLS when a server has refused it."""

    class Closing(kind):  # type: ignore[misc, valid-type]
        async def disconnect(self, *arguments: Any, **options: Any) -> None:
            writer = self._writer
            try:
                await super().disconnect(*arguments, **options)
            finally:
                if writer is not None:
                    try:
                        async with asyncio.timeout(LOOK_S):
                            await writer.wait_closed()
                    except TimeoutError:
                        writer.transport.abort()
                    except OSError:
                        pass  # it is closed all the same

    return Closing


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that led to it: redis-py wraps what the connection says."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _refused(what: str, error: BaseException) -> str:
    """Return how a server has refused whom the URL names; nothing when it has not."""
    if isinstance(error, NoPermissionError):
        return f"does not let the user do what is needed: {error}"
    if not isinstance(error, AuthenticationError):
        return ""
    hint = " (?sentinel_password= names the Sentinels' own)" if what == "Sentinel" else ""
    if "already authenticated" in str(error) or "required" in str(error):
        return f"wants a password, and the URL has none for it{hint}"
    return f"refuses the password of the URL{hint}"


def _requires_certificate(error: BaseException) -> bool:
    return isinstance(error, ssl.SSLError) and "CERTIFICATE_REQUIRED" in str(error)


def _of_anybody() -> ssl.SSLContext:
    """Return TLS with a server, whoever it is."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def _refuses_without_certificate(host: str, port: int) -> bool:
    """Return whether a server refuses who shows no certificate, asked by somebody who listens only.

    In TLS 1.3 the refusal comes after the handshake, when a command is under way already. A server that closes without having
    read it resets the connection, and that may overtake the refusal.
    """
    try:
        async with asyncio.timeout(LOOK_S):
            reader, writer = await asyncio.open_connection(host, port, ssl=_of_anybody())
            try:
                await reader.read(1)
            finally:
                writer.transport.abort()
    except (OSError, TimeoutError) as error:
        return _requires_certificate(error)
    return False


async def _speaks_tls(host: str, port: int) -> bool:
    """Return whether a server answers to TLS, whoever it is."""
    try:
        async with asyncio.timeout(LOOK_S):
            _, writer = await asyncio.open_connection(host, port, ssl=_of_anybody())
            writer.transport.abort()  # nothing was sent that has to arrive
    except ssl.SSLError as error:
        return "ALERT" in str(error)  # it has refused in TLS
    except (OSError, TimeoutError):
        return False
    return True


async def _speaks_plainly(host: str, port: int) -> bool:
    """Return whether a server answers without TLS."""
    try:
        async with asyncio.timeout(LOOK_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"PING\r\n")
                return await reader.read(1) in (b"+", b"-")
            finally:
                writer.transport.abort()
    except (OSError, TimeoutError):
        return False
