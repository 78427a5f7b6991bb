"""The one table of settings. Every process reads it from the environment (`BRETTWERK_` and the field's name in capitals).

`python -m services.runtime.settings` prints the table as Markdown: docs/settings.md is made that way.
"""

import hashlib
import hmac
import sys
from functools import cache
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What can be set. Fields that a process does not use are ignored by it."""

    model_config = SettingsConfigDict(env_prefix="BRETTWERK_", frozen=True, extra="ignore")

    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of player tokens, worker tickets and sealed saves: 32 characters or more, the same on every process.",
    )
    player_keys: SecretStr = Field(
        default=SecretStr(""),
        description="Keys of player tokens, while they are replaced: id:key by commas, 32 characters or more each; the first "
        "signs, all are taken, others are not. The id 0 is the key made from the secret key, which is used when this is empty.",
    )
    inner_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of calls between the services: 32 characters or more, the same on every process; two by a comma while "
        "it is replaced (the first signs, both are taken). Empty: made from the secret key, where a process has that.",
    )
    inner_auth: Literal["required", "offered"] = Field(
        default="required",
        description="required: a service answers only callers with that key. offered: it answers callers without any token, too: "
        "only while a version that sends none is replaced.",
    )
    redis_url: str = Field(
        default="redis://127.0.0.1:6379/0",
        description="Live sessions (Redis 7 or Valkey, AOF on, noeviction): redis://, rediss:// or "
        "sentinel://host:port,host:port/name/database.",
    )
    redis_replicas: int = Field(
        default=-1,
        ge=-1,
        le=8,
        description="How many replicas have a move before it is acknowledged, if they keep up; "
        "-1: one where Sentinels watch, none elsewhere.",
    )
    broker_url: str = Field(
        default="redis://127.0.0.1:6379/1", description="Celery's broker, by the same kinds of URL; may be the same server."
    )
    database_url: str = Field(
        default="sqlite:///data/archive.sqlite3",
        description="The archive: SQLAlchemy URL, SQLite or PostgreSQL (postgresql+psycopg://).",
    )
    players_database_url: str = Field(
        default="sqlite:///data/players.sqlite3",
        description="Accounts, and what finished games gave to players: the same kinds of URL; may be the archive's PostgreSQL.",
    )
    sign_in_origins: str = Field(
        default="",
        description="Origins of the web client (https://play.example.org, by commas) at which players may sign in with passkeys; "
        "empty for none.",
    )
    passkey_domain: str = Field(
        default="",
        description="Domain that passkeys are for, where several of these origins share one (example.org); empty: its host.",
    )
    rules_address: str = Field(default="127.0.0.1:7801", description="Where the rules service is.")
    session_address: str = Field(default="127.0.0.1:7802", description="Where the session service is.")
    ai_address: str = Field(default="127.0.0.1:7803", description="Where the AI service is.")
    players_address: str = Field(default="127.0.0.1:7804", description="Where the players service is.")
    rules_link_address: str = Field(
        default="127.0.0.1:7811",
        description="Where rules services take links, by which the session service calls them: host:port or unix:/path, several "
        "by commas.",
    )
    session_link_address: str = Field(
        default="127.0.0.1:7812",
        description="Where session processes take links, by which gateways and other session processes call them: host:port or "
        "unix:/path, several by commas.",
    )
    link_listen: str = Field(
        default="",
        description="host:port or unix:/path at which a service takes links; empty for its own of the two addresses above.",
    )
    listen: str = Field(
        default="", description="host:port that a gRPC service listens on; empty for the port of its address above."
    )
    gateway_listen: str = Field(default="127.0.0.1:7800", description="host:port of the gateway's gRPC endpoint.")
    http_listen: str = Field(
        default="127.0.0.1:8000", description="host:port of the gateway's web endpoint: WebSocket, JSON, web client."
    )
    metrics_listen: str = Field(default="", description="host:port of /metrics of this process; empty for none.")
    health_listen: str = Field(
        default="", description="host:port where a gRPC service answers health checks only, never encrypted; empty for none."
    )
    tls_certificate: str = Field(
        default="", description="File: this process's certificate (PEM, with its chain). Empty: connections are not encrypted."
    )
    tls_key: str = Field(default="", description="File: the key of that certificate (PEM).")
    tls_authority: str = Field(default="", description="File: the authority that every service's certificate comes from (PEM).")
    gateway_tls: bool = Field(default=False, description="Whether the gateway's two endpoints show its certificate, too.")
    web_folder: str = Field(default="gateway/web/dist", description="The built web client.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="debug, info, warning or error.")
    reflection: bool = Field(default=True, description="Whether gRPC reflection is on.")
    drain_s: float = Field(
        default=1.0, ge=0, le=120, description="On SIGTERM: how long a service says it is not ready before it stops taking calls."
    )
    grace_s: float = Field(default=10.0, ge=0, le=300, description="On SIGTERM: how long open calls may take to end.")
    call_timeout_s: float = Field(default=5.0, gt=0, le=120, description="Deadline of calls between services.")
    heavy_processes: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Processes that the gateway and the rules service each start for heavy requests (records, large JSON) "
        "while there are any; one takes 100 MB, and 512 MB at most.",
    )
    heartbeat_s: float = Field(default=5.0, gt=0, le=300, description="How often a silent watch shows that it lives.")
    sweep_s: float = Field(default=0.25, gt=0, le=60, description="How often a session process looks for what is due.")
    ai_grace_s: float = Field(
        default=3.0, gt=0, le=600, description="How much longer than its level's thinking time a computer's move may take."
    )
    ai_silence_s: float = Field(
        default=20.0,
        gt=0,
        le=3600,
        description="How long no worker must live before a session moves itself for a computer that somebody waits for; "
        "ten minutes at least where nobody does.",
    )
    ai_wants_bound: int = Field(
        default=20_000,
        ge=10,
        description="Moves and hints that may be wanted of computer players at once. The last tenth is for those that somebody "
        "waits for, and while it is touched no new tables with computers are created.",
    )
    worker_concurrency: int = Field(
        default=0,
        ge=0,
        description="Thoughts that a worker can have at once; 0 for one per CPU. Of a worker of runs: processes; 0 for one.",
    )
    worker_queue: Literal["think", "statistics"] = Field(
        default="think",
        description="think: a worker thinks for computer players. statistics: it plays runs of games among computers, behind "
        "everybody else on its machine.",
    )
    run_games: int = Field(
        default=10_000,
        ge=0,
        le=100_000,
        description="Games of a run among computers at most, whatever its levels allow; 0: nobody can start a run.",
    )
    runs_nice: int = Field(
        default=19,
        ge=0,
        le=19,
        description="How far the processes that play runs stand back behind all others on their machine (nice); 19: they have "
        "what others leave.",
    )
    runs_per_player: int = Field(default=2, ge=1, description="Runs of a player that have not ended, at a time.")
    runs_per_address: int = Field(default=6, ge=1, description="Runs from one network address that have not ended, at a time.")
    runs_total: int = Field(default=100, ge=1, description="Runs that have not ended, at a time.")
    runs_kept: int = Field(
        default=20, ge=2, le=100, description="Runs that are kept of a player; the oldest that has ended goes for a new one."
    )
    runs_keep_s: float = Field(
        default=86400 * 30,
        gt=0,
        le=86400 * 366,
        description="How long a run is kept, in the broker's Redis: from when it was asked for, and anew from its end on.",
    )
    tables_folder: str = Field(
        default="generated/tables",
        description="Endgame tables of the EinStein player: built there when missing, shared by all workers of a machine.",
    )
    tables_stones: int = Field(
        default=4,
        ge=0,
        le=6,
        description="Up to how many stones a worker has missing tables built (4: 24 MB, seconds; 5: 1.1 GB, minutes; 0: none).",
    )
    keep_finished_s: float = Field(default=3600, ge=0, description="How long a finished and archived session stays in Redis.")
    abandon_s: float = Field(
        default=86400 * 14,
        gt=0,
        description="How long a session without a clock may stand still before it is closed and archived.",
    )
    unmoved_s: float = Field(
        default=86400,
        gt=0,
        description="The same for a session at which no person has moved yet; while somebody is connected to a seat, it stays.",
    )
    sessions_per_address: int = Field(
        default=2000,
        ge=1,
        description="Unfinished sessions created from one network address (an IPv4 address, the /64 of an IPv6 one).",
    )
    sessions_total: int = Field(
        default=50_000, ge=1, description="Sessions in Redis, those included that are over and have not left yet."
    )
    memory_share: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="Share of Redis' maxmemory beyond which no new sessions are created; games that there are go on.",
    )
    trace_endpoint: str = Field(
        default="", description="URL that takes spans by OTLP over HTTP (http://collector:4318/v1/traces); empty for no tracing."
    )
    trace_share: float = Field(default=1.0, ge=0, le=1, description="Share of the traces begun here that are sent there.")
    sign_outs_s: float = Field(
        default=3.0, gt=0, le=600, description="How often a gateway asks the players service who has signed out everywhere."
    )
    player_token_days: int = Field(default=365, ge=1, description="How long a player token is good.")
    rate_per_s: float = Field(default=50, gt=0, description="Calls per second of one player (tokens of a bucket).")
    rate_burst: int = Field(default=200, ge=1, description="Calls that a player may make at once.")
    address_rate_per_s: float = Field(default=200, gt=0, description="Calls per second of one network address.")
    address_rate_burst: int = Field(default=800, ge=1, description="Calls that a network address may make at once.")
    streams_per_player: int = Field(
        default=64, ge=1, description="Watches, Connect streams and JSON calls that a player may have open."
    )
    streams_per_address: int = Field(
        default=1000, ge=1, description="Watches, Connect streams and JSON calls that a network address may have open."
    )
    allowed_origins: str = Field(
        default="",
        description="Origins (https://play.example.org, by commas; null for pages from files, * for any) whose pages may open a "
        "WebSocket and make calls over HTTP, besides the gateway's own.",
    )
    own_hosts: str = Field(
        default="",
        description="Names by which clients reach the web endpoint (play.example.org, *.example.org, by commas; * for any), "
        "besides addresses, localhost and the machine's own name. Requests for other names are refused.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Networks (10.0.0.0/8, by commas) of proxies whose X-Forwarded-For says which address a client has.",
    )

    def key(self, purpose: str) -> bytes:
        """Return the 32-byte key for one purpose, made from secret_key (HKDF-like: HMAC-SHA256 of the purpose).

        Raises ValueError when secret_key is too short to be secret.
        """
        secret = self.secret_key.get_secret_value().encode()
        if len(secret) < 32:
            raise ValueError("BRETTWERK_SECRET_KEY must have at least 32 characters")
        return hmac.new(secret, b"brettwerk " + purpose.encode(), hashlib.sha256).digest()

    def derived_inner_key(self) -> str:
        """Return the key of inner calls that is made from secret_key. Raises ValueError when that is too short to be secret."""
        return self.key("inner calls").hex()


@cache
def settings() -> Settings:
    """Return the settings of this process. Exits with 2 and a sentence for each variable whose value cannot be."""
    try:
        return Settings()
    except ValidationError as error:
        for wrong in error.errors():
            name = "_".join(str(part) for part in wrong["loc"]).upper()
            print(f"BRETTWERK_{name}: {wrong['msg']}", file=sys.stderr, flush=True)
        raise SystemExit(2) from None


def table() -> str:
    """Return the table of all settings as Markdown."""
    rows = ["| variable | at first | what it is |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        preset = "" if isinstance(field.default, SecretStr) else str(field.default)
        rows.append(f"| `BRETTWERK_{name.upper()}` | {f'`{preset}`' if preset else ''} | {field.description} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print("# Settings\n\nEvery process reads these from its environment.\n\n" + table(), end="")
