"""The parts of the URL of a Redis: one server, the Sentinels that know which one is the master, or the nodes of a Redis Cluster.

- redis://, rediss:// (TLS) and unix:// as in redis-py
- sentinel://[[user]:password@]host:port,host:port/master/database; with TLS rediss+sentinel://. The password is the servers' and
  the Sentinels', unless ?sentinel_password= (and sentinel_username=) name another one for the Sentinels
- redis+cluster://[[user]:password@]host:port,host:port; with TLS rediss+cluster://. Some of the nodes: they know the others

What else follows a ? is as in redis-py: ssl_ca_certs, ssl_certfile, ssl_keyfile, ssl_check_hostname, ssl_cert_reqs and so on.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import parse_qsl, unquote, urlsplit

_ONE = ("redis://", "rediss://", "unix://")
_PORTS = {"sentinel": 26379, "cluster": 6379}
_SHAPE = re.compile(
    r"(?P<scheme>sentinel|rediss\+sentinel|rediss?\+cluster)://(?:(?P<user>[^:@/]*):(?P<password>[^@/]*)@)?(?P<hosts>[^/@?]+)"
    r"(?:/(?P<name>[^/?]+)(?:/(?P<database>\d+))?)?/?(?:\?(?P<query>.*))?"
)
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(?P<port>\d{1,5}))?")
_SENTINEL_SHAPE = "a Sentinel URL is sentinel://[user:password@]host:port,host:port/master/database"
_CLUSTER_SHAPE = "a Redis Cluster's URL is redis+cluster://[user:password@]host:port,host:port, without a database"
_GUARDS = "sentinel_"


class Kind(Enum):
    """The kinds of targets of a URL."""

    SERVER = "server"
    SENTINELS = "sentinels"
    CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """The parts of a URL; of one server only that it is one, since redis-py reads the rest."""

    kind: Kind
    url: str = field(repr=False)
    hosts: tuple[tuple[str, int], ...] = ()
    """The Sentinels, or nodes of the cluster."""
    name: str = ""
    """Of the master, as the Sentinels call it."""
    database: int = 0
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    is_encrypted: bool = False
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Options of connections to the servers."""
    guards: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The `username` and `password` of the Sentinels, where they differ."""

    @classmethod
    def of(cls, url: str) -> "RedisAddress":
        """Return what a URL says. Raises ValueError with the sentence that tells what is wrong with it."""
        if url.startswith(_ONE):
            _ = urlsplit(url).port  # raises ValueError for one that there is not
            return cls(Kind.SERVER, url, is_encrypted=url.startswith("rediss://"))
        match = _SHAPE.fullmatch(url)
        if match is None:
            raise ValueError(_wrong(url))
        is_cluster = match["scheme"].endswith("cluster")
        hosts = tuple(_host(entry, url, _PORTS["cluster" if is_cluster else "sentinel"]) for entry in match["hosts"].split(","))
        if is_cluster == bool(match["name"]):
            raise ValueError(_wrong(url))
        query = dict(parse_qsl(match["query"] or "", keep_blank_values=True))
        guards = {key.removeprefix(_GUARDS): query.pop(key) for key in list(query) if key.startswith(_GUARDS)}
        return cls(
            Kind.CLUSTER if is_cluster else Kind.SENTINELS,
            url,
            hosts,
            match["name"] or "",
            int(match["database"] or 0),
            unquote(match["user"]) if match["user"] else None,
            unquote(match["password"]) if match["password"] else None,
            match["scheme"].startswith("rediss"),
            query,
            guards,
        )


def checked_url(url: str) -> str:
    """Return the URL of a server, of Sentinels or of a cluster. Raises ValueError with the sentence that tells what is wrong."""
    RedisAddress.of(url)
    return url


def _host(entry: str, url: str, usual: int) -> tuple[str, int]:
    match = _HOST.fullmatch(entry)
    if match is None or not 0 < int(match["port"] or usual) < 65536:
        raise ValueError(_wrong(url))
    return match["host"].strip("[]"), int(match["port"] or usual)


def _wrong(url: str) -> str:
    scheme = url.partition("://")[0]
    if scheme.endswith("cluster"):
        return _CLUSTER_SHAPE
    if scheme.endswith("sentinel"):
        return _SENTINEL_SHAPE
    return "the URL of a Redis begins with redis://, rediss://, unix://, sentinel:// or redis+cluster:// (rediss+ for TLS)"
