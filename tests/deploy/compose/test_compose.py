"""The compose file is what the specification says, and gives secrets only to those who need them."""

import os
import re
import stat
import subprocess
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from services.runtime.settings import Settings
from services.runtime.version import VERSION
from tests.deploy.tools import ROOT

FILE = ROOT / "deploy" / "compose" / "compose.yaml"
SERVICES = ("rules", "session", "ai", "players", "worker", "gateway")


def text() -> str:
    """Return the file with the values that its variables have by themselves."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", FILE.read_text())


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text())["services"]
    return found


def test_it_is_what_the_compose_specification_says() -> None:
    # The library knows no merge keys of YAML, which the specification allows: they are carried out before.
    PyCompose.from_yaml(yaml.safe_dump(yaml.safe_load(text()))).validate()


def test_the_operators_order_of_games_reaches_the_rules_service_only() -> None:
    given = yaml.safe_load(FILE.read_text())["services"]
    order = {service: given[service]["environment"].get("BRETTWERK_FIRST_GAMES") for service in SERVICES}
    assert order == {**dict.fromkeys(SERVICES), "rules": "${BRETTWERK_FIRST_GAMES:-}"}


def test_something_that_is_not_is_found() -> None:
    wrong = yaml.safe_load(text())
    wrong["services"]["rules"]["nonsense"] = True
    with pytest.raises(Exception, match="nonsense"):
        PyCompose.from_yaml(yaml.safe_dump(wrong)).validate()


def test_services_have_their_image_and_a_bound_of_memory(services: dict[str, Any]) -> None:
    for service in SERVICES:
        assert services[service]["image"] == f"brettwerk-{service}:{VERSION}"
        assert services[service]["build"]["target"] == service
        assert (FILE.parent / services[service]["build"]["context"] / services[service]["build"]["dockerfile"]).exists()
    for service in (*SERVICES, "redis"):
        assert "mem_limit" in services[service], service


def test_secrets_go_only_to_those_who_need_them(services: dict[str, Any]) -> None:
    given = {service: [file.removeprefix("./") for file in services[service]["env_file"]] for service in SERVICES}
    assert given == {
        "rules": ["inner.env"],
        "session": ["key.env", "inner.env", "store.env"],
        "ai": ["inner.env", "store.env"],
        "players": ["inner.env", "store.env", "push.env"],
        "worker": ["inner.env", "store.env"],
        "gateway": ["key.env", "inner.env", "operator.env"],
    }


def test_variables_are_settings_that_there_are(services: dict[str, Any]) -> None:
    known = {f"BRETTWERK_{field.upper()}" for field in Settings.model_fields}
    for service in SERVICES:
        assert set(services[service].get("environment", {})) <= known


OPENID = ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "NAME", "SCOPES", "ROLE_CLAIM", "MODERATORS", "OPERATORS")
"""The settings of a provider, which also says who moderates."""


def test_only_the_gateway_and_the_players_service_reach_the_outside(services: dict[str, Any]) -> None:
    assert {service for service in services if "outside" in services[service].get("networks", [])} == {"gateway", "players"}
    assert "ports" not in services["players"]
    passed_on = {one for one in services["players"]["environment"] if one.startswith("BRETTWERK_OPENID_")}
    assert passed_on == {f"BRETTWERK_OPENID_{name}" for name in OPENID}
    passed_on = {one for one in services["players"]["environment"] if "_PUSH_" in one or "_MAIL_" in one}
    assert passed_on == {
        *(f"BRETTWERK_PUSH_{name}" for name in ("HOSTS", "CONTACT")),
        *(f"BRETTWERK_MAIL_{name}" for name in ("SERVER", "SECURITY", "USER", "PASSWORD", "FROM")),
    }


def test_several_session_processes_reach_one_another_where_the_gateway_reaches_them(services: dict[str, Any]) -> None:
    addresses = {service: services[service]["environment"].get("BRETTWERK_SESSION_LINK_ADDRESS") for service in SERVICES}
    assert addresses == dict.fromkeys(SERVICES) | {"session": "session:7812", "gateway": "session:7812"}
    assert "container_name" not in services["session"], "a name can be had once"
    assert "ports" not in services["session"]


def test_the_mounts_of_a_service_do_not_depend_on_its_own_variables() -> None:
    """podman-compose puts these in place of the host's: it once mounted a path of the container from the host."""
    for name, service in yaml.safe_load(FILE.read_text())["services"].items():
        used = set(re.findall(r"\$\{(\w+)", " ".join(service.get("volumes", []))))
        assert not used & set(service.get("environment", {})), name


def test_large_tables_are_for_those_who_ask_and_on_the_disk(services: dict[str, Any]) -> None:
    worker = services["worker"]
    assert worker["environment"]["BRETTWERK_TABLES_STONES"] == 4
    assert worker["volumes"] == [f"tables:{worker['environment']['BRETTWERK_TABLES_FOLDER']}"]


def test_secrets_are_made_once_and_only_their_owner_may_read_them(tmp_path: Any) -> None:
    command = ["sh", str(FILE.parent / "secrets.sh"), str(tmp_path)]
    for _ in range(2):
        subprocess.run(command, check=True, capture_output=True, timeout=30, env={"PATH": os.environ["PATH"]})
        made = {file.name: file.read_text() for file in tmp_path.iterdir()}
        assert set(made) == {"key.env", "inner.env", "store.env", "push.env", "operator.env"}
    values = dict(line.split("=", 1) for text in made.values() for line in text.splitlines())
    assert len(values["BRETTWERK_SECRET_KEY"]) >= 32
    assert len(values["BRETTWERK_INNER_KEY"]) >= 32
    assert len(values["BRETTWERK_OPERATOR_KEY"]) >= 32
    assert values["BRETTWERK_INNER_KEY"] != values["BRETTWERK_SECRET_KEY"]
    assert values["REDIS_PASSWORD"] in values["BRETTWERK_REDIS_URL"]
    again = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert again == made
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in tmp_path.iterdir())
