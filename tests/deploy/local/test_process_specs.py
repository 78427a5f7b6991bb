"""Settings that the processes of a deployment are started with."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deploy.local import process_specs
from deploy.local.folder import DataFolder, inner_key
from deploy.local.ports import choose
from deploy.local.process_specs import Plan
from deploy.local.processes import Processes

SECRET = "BRETTWERK_SECRET_KEY"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plan]:
    """A plan where nobody has set anything."""
    for name in (SECRET, "BRETTWERK_INNER_KEY", "BRETTWERK_DATABASE_URL", "BRETTWERK_OWN_HOSTS", "BRETTWERK_SIGN_IN_ORIGINS"):
        monkeypatch.delenv(name, raising=False)
    with DataFolder(tmp_path) as folder:
        yield Plan(folder, choose(), Processes(web=False))


def test_the_key_is_that_of_the_folder_unless_one_is_set(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = plan.folder.secret_key()
    assert process_specs.environment(plan)[SECRET] == kept
    monkeypatch.setenv(SECRET, "k" * 48)
    given = process_specs.environment(plan)
    assert given[SECRET] == "k" * 48 != kept
    assert given["BRETTWERK_INNER_KEY"] == inner_key("k" * 48)


def test_a_setting_of_the_launcher_counts_for_what_is_not_an_address(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRETTWERK_DATABASE_URL", "postgresql+psycopg://h/d")
    monkeypatch.setenv("BRETTWERK_RULES_ADDRESS", "elsewhere:1")
    monkeypatch.setenv("BRETTWERK_OWN_HOSTS", "play.example")
    given = process_specs.environment(plan)
    assert given["BRETTWERK_DATABASE_URL"] == "postgresql+psycopg://h/d"
    assert given["BRETTWERK_RULES_ADDRESS"] == f"127.0.0.1:{plan.ports.rules}"
    assert given["BRETTWERK_OWN_HOSTS"] == "play.example"


def test_players_sign_in_at_the_pages_of_the_launcher_unless_others_are_set(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    own = f"http://localhost:{plan.ports.web},http://127.0.0.1:{plan.ports.web}"
    assert process_specs.environment(plan)["BRETTWERK_SIGN_IN_ORIGINS"] == own
    monkeypatch.setenv("BRETTWERK_SIGN_IN_ORIGINS", "https://play.example")
    assert process_specs.environment(plan)["BRETTWERK_SIGN_IN_ORIGINS"] == "https://play.example"


def test_the_players_service_alone_has_the_key_of_push_messages_which_stays_as_long_as_the_folder(plan: Plan) -> None:
    one, other = ({spec.name: spec.environment for spec in process_specs.specs(plan)} for _ in range(2))
    assert {name for name, environment in one.items() if "BRETTWERK_PUSH_KEY" in environment} == {"players"}
    assert one["players"]["BRETTWERK_PUSH_KEY"] == other["players"]["BRETTWERK_PUSH_KEY"]
    assert len(one["players"]["BRETTWERK_PUSH_KEY"]) >= 32


def test_only_services_that_give_or_read_tokens_of_players_have_their_key(plan: Plan) -> None:
    specs = {spec.name: spec.environment for spec in process_specs.specs(plan)}
    assert {name for name, environment in specs.items() if SECRET in environment} == {"session", "gateway"}


def test_a_setting_of_one_process_comes_before_that_of_all(plan: Plan) -> None:
    own = Processes(web=False, own_environment={"ai": {"BRETTWERK_DRAIN_S": "2"}})
    changed = replace(plan, processes=own, environment={"BRETTWERK_DRAIN_S": "1"})
    drains = {spec.name: spec.environment.get("BRETTWERK_DRAIN_S") for spec in process_specs.specs(changed)}
    assert drains.pop("ai") == "2"
    assert set(drains.values()) - {None} == {"1"}
