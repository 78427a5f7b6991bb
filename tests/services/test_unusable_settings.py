"""A service with settings that it cannot start with says so in one sentence and ends with 2."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.tools import ROOT
from tests.night import at_night
from tests.ports import free_port

MODULES = {name: f"services.{name}" for name in ("rules", "session", "ai", "players")} | {
    "worker": "services.ai.worker",
    "gateway": "gateway",
}
NO_ADDRESS = "is no address: host:port, with brackets around an IPv6 address"
NOT_OURS = "cannot listen on {}: the port is taken or the address is not ours"


def set_to(tmp_path: Path, settings: dict[str, str]) -> dict[str, str]:
    """Return the environment of a service with these settings, and usable ones for everything else."""
    usable = {
        "SECRET_KEY": "k" * 40,
        "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
        "BROKER_URL": f"redis://127.0.0.1:{free_port()}/1",
        "DATABASE_URL": f"sqlite:///{tmp_path}/archive.sqlite3",
        "PLAYERS_DATABASE_URL": f"sqlite:///{tmp_path}/players.sqlite3",
        **{name: f"127.0.0.1:{free_port()}" for name in ("LISTEN", "LINK_LISTEN", "GATEWAY_LISTEN", "HTTP_LISTEN")},
    }
    (tmp_path / "text").write_text("this is no certificate")
    own = {f"BRETTWERK_{name}": value.replace("TMP", str(tmp_path)) for name, value in (usable | settings).items()}
    return {name: value for name, value in os.environ.items() if not name.startswith("BRETTWERK_")} | own


TEXT_AS_TLS = {f"TLS_{name}": "TMP/text" for name in ("CERTIFICATE", "KEY", "AUTHORITY")}
NOTHING_AS_TLS = {f"TLS_{name}": "TMP/none" for name in ("CERTIFICATE", "KEY", "AUTHORITY")}


@pytest.mark.parametrize(
    ("service", "settings", "said"),
    [
        at_night("rules", {"LINK_LISTEN": "192.0.2.1:7811"}, NOT_OURS.format("192.0.2.1:7811")),
        ("rules", {"LISTEN": "127.0.0.1:99999"}, f"BRETTWERK_LISTEN: 127.0.0.1:99999 {NO_ADDRESS}"),
        at_night("worker", {"METRICS_LISTEN": "192.0.2.1:9000"}, NOT_OURS.format("192.0.2.1:9000")),
        at_night("worker", NOTHING_AS_TLS, "none cannot be read: No such file or directory"),
        at_night("gateway", {"GATEWAY_TLS": "true"}, "BRETTWERK_GATEWAY_TLS needs a certificate"),
        at_night(
            "players", {"PLAYERS_DATABASE_URL": "sqlite:////proc/none/players.sqlite3"}, "the folder /proc/none cannot be made"
        ),
        at_night("players", {"SIGN_IN_ORIGINS": "nonsense"}, "BRETTWERK_SIGN_IN_ORIGINS: 'nonsense' is no origin"),
        ("ai", {"BROKER_URL": "redis://host:99999/0"}, "BRETTWERK_BROKER_URL: Port out of range 0-65535"),
        at_night("rules", {"LISTEN": "192.0.2.1:7801"}, NOT_OURS.format("192.0.2.1:7801")),
        at_night("rules", {"HEALTH_LISTEN": "nonsense"}, f"BRETTWERK_HEALTH_LISTEN: nonsense {NO_ADDRESS}"),
        at_night("rules", {"METRICS_LISTEN": "192.0.2.1:9000"}, NOT_OURS.format("192.0.2.1:9000")),
        at_night("rules", {"LINK_LISTEN": "unix:TMP/no/such/folder"}, "cannot listen on unix:"),
        at_night("rules", TEXT_AS_TLS, "(BRETTWERK_TLS_CERTIFICATE) holds no certificate in PEM"),
        at_night("rules", {"TRACE_ENDPOINT": "nonsense"}, "BRETTWERK_TRACE_ENDPOINT: nonsense is no http:// or https:// URL"),
        at_night("session", {"LINK_LISTEN": "192.0.2.1:7811"}, NOT_OURS.format("192.0.2.1:7811")),
        at_night("session", {"DATABASE_URL": "nonsense"}, "the database URL cannot be read"),
        at_night("session", {"DATABASE_URL": "mysql://host/archive"}, "the archive can be SQLite or PostgreSQL, not mysql"),
        at_night("session", {"DATABASE_URL": "sqlite:////proc/none/archive.sqlite3"}, "BRETTWERK_DATABASE_URL: the folder"),
        at_night("session", {"RULES_LINK_ADDRESS": "nonsense"}, f"BRETTWERK_RULES_LINK_ADDRESS: nonsense {NO_ADDRESS}"),
        at_night("session", {"TALK_WORDS": "TMP/none"}, "BRETTWERK_TALK_WORDS: "),
        at_night("worker", {"METRICS_LISTEN": "nonsense"}, f"BRETTWERK_METRICS_LISTEN: nonsense {NO_ADDRESS}"),
        at_night("worker", TEXT_AS_TLS, "(BRETTWERK_TLS_CERTIFICATE) holds no certificate in PEM"),
        at_night("gateway", {"PLAYERS_ADDRESS": "nonsense"}, f"BRETTWERK_PLAYERS_ADDRESS: nonsense {NO_ADDRESS}"),
        at_night("gateway", {"GATEWAY_LISTEN": "192.0.2.1:7800"}, NOT_OURS.format("192.0.2.1:7800")),
        at_night("players", {"PLAYERS_DATABASE_URL": "nonsense"}, "the database URL cannot be read"),
        at_night("players", {"TALK_WORDS": "TMP/none"}, "BRETTWERK_TALK_WORDS: "),
        at_night("players", {"PUSH_KEY": "short"}, "BRETTWERK_PUSH_KEY must be one key"),
        at_night("players", {"MAIL_SERVER": "localhost"}, "BRETTWERK_MAIL_FROM is needed with BRETTWERK_MAIL_SERVER"),
        at_night("players", {"OPENID_ISSUER": "https://id.example.org"}, "are set together"),
        at_night(
            "players", {"SIGN_IN_ORIGINS": "https://a.example", "PASSKEY_DOMAIN": "b.example"}, "BRETTWERK_PASSKEY_DOMAIN: "
        ),
    ],
)
def test_it_says_one_sentence_and_ends_with_2(service: str, settings: dict[str, str], said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", MODULES[service]]
    done = subprocess.run(
        command, cwd=ROOT, env=set_to(tmp_path, settings), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert [said in line for line in done.stderr.splitlines()] == [True], done.stderr


WITHOUT_DRIVER = "import runpy, sys; sys.modules['psycopg'] = None; runpy.run_module(sys.argv.pop(1), run_name='__main__')"
"""Runs a service as where nobody has installed the driver of PostgreSQL."""


@pytest.mark.parametrize("service", ["session", at_night("players")])
def test_postgresql_without_its_driver_is_refused_with_the_command_that_installs_it(service: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_DRIVER, MODULES[service]]
    urls = dict.fromkeys(("DATABASE_URL", "PLAYERS_DATABASE_URL"), "postgresql+psycopg://anna:right@127.0.0.1:1/postgres")
    done = subprocess.run(command, cwd=ROOT, env=set_to(tmp_path, urls), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "the driver of PostgreSQL is not installed: pip install 'brettwerk[postgresql]'\n"
