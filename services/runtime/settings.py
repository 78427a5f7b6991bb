"""The one table of settings. Every process reads its own from the environment (`BRETTWERK_` and the field's name in capitals).

`python -m services.runtime.settings` prints them as Markdown: the page docs/settings.md.
"""

from functools import cache
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError

from services.runtime import server_socket
from services.runtime.cannot_start import cannot_start
from services.runtime.keys import Keys
from services.runtime.redis_address import checked_url

_NAMING = ("unix:", "ipv4:", "ipv6:", "dns://")


def _checked_addresses(addresses: str) -> str:
    """Return addresses by commas; raises ValueError for one that is neither host:port nor unix:/path. Empty is for none.

    An address with another scheme of gRPC's naming (ipv4:, dns://server/name:port) is left to it.
    """
    for address in addresses.split(",") if addresses else ():
        plain = address.strip().removeprefix("dns:///")
        if not plain.startswith(_NAMING):
            server_socket.split(plain)
    return addresses


def _checked_endpoint(url: str) -> str:
    """Return the URL of a collector; raises ValueError for one that is not of HTTP. Empty is for none."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError(f"{url} is no http:// or https:// URL")
    return url


RedisUrl: TypeAlias = Annotated[str, AfterValidator(checked_url)]
Addresses: TypeAlias = Annotated[str, AfterValidator(_checked_addresses)]


class Settings(Keys):
    """Everything that can be set, the keys first. A process ignores fields that it does not use."""

    redis_url: RedisUrl = Field(
        default="redis://127.0.0.1:6379/0",
        description="Live sessions (Redis 7 or Valkey, AOF on, noeviction): redis://, "
        "sentinel://host:port,host:port/name/database or redis+cluster://host:port,host:port; "
        "with TLS rediss://, rediss+sentinel:// or rediss+cluster://.",
    )
    redis_replicas: int = Field(
        default=-1,
        ge=-1,
        le=8,
        description="How many replicas must have a move before it is acknowledged, as long as they keep up; -1: one if "
        "Sentinels or a cluster are used, otherwise none.",
    )
    broker_url: RedisUrl = Field(
        default="redis://127.0.0.1:6379/1",
        description="Celery's broker, with the same kinds of URL except a cluster's; may be the same server.",
    )
    database_url: str = Field(
        default="sqlite:///data/archive.sqlite3",
        description="The archive: SQLAlchemy URL, SQLite or PostgreSQL (postgresql+psycopg://).",
    )
    players_database_url: str = Field(
        default="sqlite:///data/players.sqlite3",
        description="Accounts, and what players gained from finished games; the same kinds of URL. May be the archive's "
        "PostgreSQL.",
    )
    sign_in_origins: str = Field(
        default="",
        description="Origins of the web client (https://play.example.org, by commas) at which players may sign in with passkeys "
        "(https and localhost only) or through the OpenID provider; empty for none.",
    )
    passkey_domain: str = Field(
        default="",
        description="Domain that passkeys are for, where several of these origins share one (example.org); empty: its host.",
    )
    openid_issuer: str = Field(
        default="",
        description="An OpenID provider through which players may sign in, by its name as an issuer (https://id.example.org); "
        "empty for none.",
    )
    openid_client_id: str = Field(default="", description="The client id that the provider knows Brettwerk by.")
    openid_client_secret: SecretStr = Field(
        default=SecretStr(""), description="The secret of that client id; empty for a client without one."
    )
    openid_name: str = Field(
        default="", description="What players call the provider: the button says `Sign in with` and this; empty: its host."
    )
    openid_scopes: str = Field(
        default="openid",
        description="What the provider is asked for, separated by spaces; `groups` where it needs that to name them.",
    )
    openid_role_claim: str = Field(
        default="groups",
        description="The claim in the provider's ID token that says who is a moderator or an operator; realm_access.roles for "
        "one within another.",
    )
    openid_moderators: str = Field(
        default="", description="Values of that claim that make moderators, separated by commas; empty for none."
    )
    openid_operators: str = Field(default="", description="Values of that claim that make operators; empty for none.")
    appeal_address: str = Field(
        default="",
        description="Where players whom a moderator has muted or suspended can object: mailto:appeals@example.org or the address "
        "of a page; empty: they are not told of one.",
    )
    push_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of push messages (Web Push): 32 characters or more; a new one and the former one, separated by a comma, "
        "while it is being replaced. Empty: players get no push messages.",
    )
    push_hosts: str = Field(
        default="fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com",
        description="Push services that may be called, by host names (push.example.org, *.example.org, separated by commas; * "
        "for any). A name without * is called whatever address it has, all others only at public addresses.",
    )
    push_contact: str = Field(
        default="",
        description="Where push services can reach you (mailto:admin@example.org); empty: the first of the sign-in origins.",
    )
    webhook_hosts: str = Field(
        default="discord.com,discordapp.com,hooks.slack.com,ntfy.sh",
        description="Hosts that players' webhooks may be at, as in BRETTWERK_PUSH_HOSTS: * for any public address over https, "
        "http://ntfy.lan:8080 for one host at home without TLS. Empty: this server sends to no webhooks.",
    )
    mail_server: str = Field(
        default="",
        description="The mail server that takes mail for players (SMTP), host or host:port; empty: nobody gets mail. Links in "
        "mail lead to the first of the sign-in origins.",
    )
    mail_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection to it is encrypted: starttls (port 587), tls (465) or none (25)."
    )
    mail_user: str = Field(default="", description="The user name at the mail server; empty for none.")
    mail_password: SecretStr = Field(default=SecretStr(""), description="The password of that user.")
    mail_from: str = Field(
        default="", description="The sender of mail: Brettwerk <noreply@play.example.org>; needed with a mail server."
    )
    operator_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of whoever operates the server, 32 characters or more; a new one and the former one, separated by a "
        "comma, while it is being replaced. With it /operator shows what operators look at first. Empty: nobody sees that.",
    )
    metrics_addresses: str = Field(
        default="",
        description="host:port of /metrics of all processes, separated by commas, for that page; a name that leads to several "
        "processes is all of them. Empty: it shows this gateway only.",
    )
    metrics_on_demand: str = Field(
        default="",
        description="The same for processes that run only while they have something to do, such as the workers of "
        "`scripts/play`: that they are silent is no concern.",
    )
    backup_marker: str = Field(
        default="",
        description="File whose time of change says when a backup last succeeded (scripts/backup touches last_backup in the data "
        "folder; other means can do the same). Empty: that is not known.",
    )
    rules_address: Addresses = Field(default="127.0.0.1:7801", description="Address of the rules service.")
    session_address: Addresses = Field(default="127.0.0.1:7802", description="Address of the session service.")
    ai_address: Addresses = Field(default="127.0.0.1:7803", description="Address of the AI service.")
    players_address: Addresses = Field(default="127.0.0.1:7804", description="Address of the players service.")
    rules_link_address: Addresses = Field(
        default="127.0.0.1:7811",
        description="Where rules services accept links, over which the session service calls them: host:port or unix:/path, "
        "separated by commas.",
    )
    session_link_address: Addresses = Field(
        default="127.0.0.1:7812",
        description="Where session processes accept links, over which gateways and other session processes call them: "
        "host:port or unix:/path, separated by commas.",
    )
    link_listen: Addresses = Field(
        default="",
        description="host:port or unix:/path where a service accepts links; empty for its own of the two addresses above.",
    )
    listen: Addresses = Field(
        default="",
        description="host:port where a gRPC service listens, here as below with [::] for all addresses of IPv4 and IPv6; empty "
        "for the port of its address above.",
    )
    gateway_listen: Addresses = Field(default="127.0.0.1:7800", description="host:port of the gateway's gRPC endpoint.")
    http_listen: Addresses = Field(
        default="127.0.0.1:8000", description="host:port of the gateway's web endpoint: WebSocket, JSON, web client."
    )
    metrics_listen: Addresses = Field(default="", description="host:port of this process's /metrics; empty for none.")
    health_listen: Addresses = Field(
        default="", description="host:port where a gRPC service answers only health checks, never encrypted; empty for none."
    )
    scaler_listen: Addresses = Field(
        default="",
        description="host:port where the AI service tells KEDA how many workers are needed (an external scaler); with a "
        "certificate, callers must show one of the same authority. Empty for none.",
    )
    tls_certificate: str = Field(
        default="",
        description="File with this process's certificate (PEM, including its chain). Empty: connections are not encrypted.",
    )
    tls_key: str = Field(default="", description="File with the key of that certificate (PEM).")
    tls_authority: str = Field(default="", description="File with the authority that issues every service's certificate (PEM).")
    gateway_tls: bool = Field(default=False, description="Whether the gateway's two endpoints also present its certificate.")
    hsts_days: int = Field(
        default=365,
        ge=0,
        le=3650,
        description="For how many days browsers that have reached a web endpoint with TLS use no other one under its name, at "
        "any port (HSTS, RFC 6797); 0: they are told nothing.",
    )
    web_folder: str = Field(default="clients/web/dist", description="The built web client.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="debug, info, warning or error.")
    reflection: bool = Field(default=True, description="Whether gRPC reflection is on.")
    drain_s: float = Field(
        default=1.0,
        ge=0,
        le=120,
        description="On SIGTERM: how long a service reports that it is not ready before it stops accepting calls.",
    )
    grace_s: float = Field(default=10.0, ge=0, le=300, description="On SIGTERM: how long open calls may take to finish.")
    call_timeout_s: float = Field(default=5.0, gt=0, le=120, description="Deadline of calls between services.")
    heavy_processes: int = Field(
        default=1,
        ge=1,
        le=64,
        description="How many processes the gateway and the rules service each start for heavy requests (records, large JSON) "
        "as long as there are any; each takes 100 MB, and at most 512 MB.",
    )
    heartbeat_s: float = Field(default=5.0, gt=0, le=300, description="How often an idle watch sends a sign of life.")
    sweep_s: float = Field(default=0.25, gt=0, le=60, description="How often a session process checks what is due.")
    ai_grace_s: float = Field(
        default=3.0, gt=0, le=600, description="How far a computer's move may exceed its level's thinking time."
    )
    ai_silence_s: float = Field(
        default=20.0,
        gt=0,
        le=3600,
        description="How long there must be no worker before a session moves on behalf of a computer that somebody is waiting "
        "for; at least ten minutes if nobody is.",
    )
    ai_wants_bound: int = Field(
        default=20_000,
        ge=10,
        description="How many computer moves and hints may be wanted at once. The last tenth is reserved for those that "
        "somebody is waiting for, and while it is in use no new tables with computers are created.",
    )
    worker_concurrency: int = Field(
        default=0,
        ge=0,
        description="How many moves a worker can think about at once; 0 for one per CPU. For a worker of runs: its number of "
        "processes; 0 for one.",
    )
    worker_queue: Literal["think", "statistics"] = Field(
        default="think",
        description="think: a worker thinks for computer players. statistics: it plays runs of games among computers, at a "
        "lower priority than everything else on its machine.",
    )
    worker_idle_s: float = Field(
        default=0,
        ge=0,
        le=86400,
        description="After how many seconds with nothing to do a worker ends by itself, with exit status 0; 0: never. It is for "
        "starters that start it again when it is needed (services/runtime/bell.py), as `scripts/play` does.",
    )
    bell_folder: str = Field(
        default="",
        description="The folder of the Unix sockets at which services ring for workers that rest, on the same host; empty where "
        "they never rest.",
    )
    results_worker: bool = Field(
        default=True,
        description="Whether the players service runs the worker of finished games beside it; not where its starter does, as "
        "`scripts/play`, which lets it rest.",
    )
    first_games: str = Field(
        default="",
        description="Games that are listed first, by id and in this order, separated by commas (wec,einstein); all others follow "
        "in order of id.",
    )
    run_games: int = Field(
        default=10_000,
        ge=0,
        le=100_000,
        description="Maximum number of games of a run among computers, whatever its levels allow; 0: nobody can start a run.",
    )
    runs_nice: int = Field(
        default=19,
        ge=0,
        le=19,
        description="Niceness of the processes that play runs; at 19 they get only what other processes leave.",
    )
    runs_per_player: int = Field(default=2, ge=1, description="How many unfinished runs a player may have at a time.")
    runs_per_address: int = Field(default=6, ge=1, description="How many unfinished runs a network address may have at a time.")
    runs_total: int = Field(default=100, ge=1, description="How many unfinished runs there may be at a time.")
    runs_kept: int = Field(
        default=20,
        ge=2,
        le=100,
        description="How many runs are kept for each player; a new one replaces the oldest that has ended.",
    )
    runs_keep_s: float = Field(
        default=86400 * 30,
        gt=0,
        le=86400 * 366,
        description="How long a run is kept in the broker's Redis: from when it was requested, and again from its end.",
    )
    puzzle_games: int = Field(
        default=6,
        ge=0,
        le=1000,
        description="How many finished public games of each kind are looked through for puzzles in 24 hours, when there is "
        "nothing else to do; 0: the server keeps to the puzzles that come with it.",
    )
    tables_folder: str = Field(
        default="generated/tables",
        description="Endgame tables of the EinStein player: built there if missing, and shared by all workers of a machine.",
    )
    tables_stones: int = Field(
        default=4,
        ge=0,
        le=6,
        description="Up to how many stones a worker has missing tables built (4: 24 MB, a second; 5: 1.1 GB, a minute or more; "
        "6: 34 GB, an hour; 0: none).",
    )
    tables_room_mib: int = Field(
        default=0,
        ge=0,
        description="How many MiB all tables of that folder may take; 0: as much as the disk has. Whatever that is, no table is "
        "begun that would leave less than 1 GB of the disk.",
    )
    keep_finished_s: float = Field(default=3600, ge=0, description="How long a finished and archived session stays in Redis.")
    abandon_s: float = Field(
        default=86400 * 14,
        gt=0,
        description="How long a session without a clock may be inactive before it is closed and archived.",
    )
    unmoved_s: float = Field(
        default=86400,
        gt=0,
        description="The same for a session in which no person has moved yet; it stays as long as somebody is connected to a "
        "seat. Tables of tournaments wait for as long as their owners say.",
    )
    sessions_per_address: int = Field(
        default=2000,
        ge=1,
        description="How many unfinished sessions may have been created from one network address (an IPv4 address, or the /64 "
        "of an IPv6 address).",
    )
    sessions_total: int = Field(
        default=50_000,
        ge=1,
        description="How many sessions may be in Redis, including finished ones that have not been removed yet.",
    )
    memory_share: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="Share of Redis' maxmemory beyond which no new sessions are created; existing games continue.",
    )
    talk: bool = Field(default=True, description="Whether people can talk at tables and in clubs; false switches it off.")
    talk_words: str = Field(
        default="",
        description="File with words that nobody may say at a table or in a club (UTF-8, one entry per line, # begins a "
        "comment); read again when it changes. Empty: all words are allowed.",
    )
    talk_per_minute: float = Field(
        default=20,
        gt=0,
        le=600,
        description="Lines that a player may say at tables per minute, at each gateway (refill rate of a token bucket).",
    )
    talk_burst: int = Field(default=8, ge=1, le=600, description="Lines that a player may say at once.")
    trace_endpoint: Annotated[str, AfterValidator(_checked_endpoint)] = Field(
        default="",
        description="URL that accepts spans by OTLP over HTTP (http://collector:4318/v1/traces); empty for no tracing.",
    )
    trace_share: float = Field(default=1.0, ge=0, le=1, description="Share of the traces begun here that are sent there.")
    spectator_delay: int = Field(
        default=0,
        ge=0,
        le=50,
        description="After how many further actions spectators of a competitive game see an action, at least; its table may "
        "have more. 0: as each table says.",
    )
    arena_games: int = Field(
        default=2,
        ge=0,
        le=100,
        description="How many games the arena plays at the same time, of all games together; 0 closes it. "
        "It plays only while a bot has entered.",
    )
    join_timeout_s: float = Field(
        default=60.0,
        ge=5,
        le=3600,
        description="How long a session that a pool has arranged waits for both players to come before it is closed.",
    )
    sign_outs_s: float = Field(
        default=3.0, gt=0, le=600, description="How often a gateway asks the players service which API tokens have changed."
    )
    player_token_days: int = Field(default=365, ge=1, description="How long a player token is valid.")
    rate_per_s: float = Field(
        default=50, gt=0, description="Calls per second of one player at each gateway (refill rate of a token bucket)."
    )
    rate_burst: int = Field(default=200, ge=1, description="Calls that a player may make at once.")
    address_rate_per_s: float = Field(default=200, gt=0, description="Calls per second of one network address at each gateway.")
    address_rate_burst: int = Field(default=800, ge=1, description="Calls that a network address may make at once.")
    streams_per_player: int = Field(
        default=64, ge=1, description="How many watches, Connect streams and JSON calls a player may have open at each gateway."
    )
    streams_per_address: int = Field(
        default=1000,
        ge=1,
        description="How many watches, Connect streams and JSON calls a network address may have open at each gateway.",
    )
    web_connections: int = Field(
        default=20_000,
        ge=100,
        description="How many connections each gateway's web endpoint takes, some 33 kB each; at most three quarters of the "
        "files that a process may have open.",
    )
    web_connections_per_address: int = Field(
        default=2000,
        ge=8,
        description="How many of them a network address may have, other than a trusted proxy. When three quarters are taken, it "
        "is 8.",
    )
    connections_per_address: int = Field(
        default=256,
        ge=1,
        description="How many connections a network address may have open at each gateway's gRPC endpoint; further ones take the "
        "place of idle ones.",
    )
    allowed_origins: str = Field(
        default="",
        description="Origins whose pages may open a WebSocket and make calls over HTTP, in addition to the gateway's own: "
        "https://play.example.org, separated by commas; null for pages from files, * for any.",
    )
    embed_ancestors: str = Field(
        default="",
        description="Origins whose pages may show boards in a frame (/embed/<session>): https://club.example.org, "
        "https://*.example.org, separated by commas; * for any. Empty: no page may. All other pages of this server are in no "
        "frame, whatever this says.",
    )
    own_hosts: str = Field(
        default="",
        description="Names by which clients reach the web endpoint (play.example.org, *.example.org, separated by commas; * "
        "for any), in addition to addresses, localhost and the machine's own name. Requests for other names are "
        "refused.",
    )
    security_contact: str = Field(
        default="",
        description="Whom to tell about weaknesses: mailto:security@example.org, tel:+... or https://..., separated by commas. "
        "The web endpoint says so in /.well-known/security.txt (RFC 9116); empty for no such file.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Networks (10.0.0.0/8, separated by commas) of proxies that state the address of whom they serve.",
    )
    proxy_header: Literal["x-forwarded-for", "forwarded"] = Field(
        default="x-forwarded-for",
        description="The header in which they do: x-forwarded-for, or forwarded (RFC 7239). The other one is ignored, since a "
        "proxy passes it on as its client wrote it.",
    )


@cache
def settings() -> Settings:
    """Return the settings of this process. Exits with 2 and a sentence for each variable whose value is invalid."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = [("_".join(map(str, one["loc"])).upper(), one["msg"].removeprefix("Value error, ")) for one in error.errors()]
        raise cannot_start(*(f"BRETTWERK_{name}: {said}" for name, said in wrong)) from None


def table() -> str:
    """Return the table of all settings as Markdown."""
    rows = ["| variable | default | what it is |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "" if isinstance(field.default, SecretStr) else str(field.default)
        rows.append(f"| `BRETTWERK_{name.upper()}` | {f'`{default}`' if default else ''} | {field.description} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print("# Settings\n\nEvery process reads these from its environment.\n\n" + table(), end="")
