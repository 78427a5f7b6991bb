"""The game of examples/connect_four is installed as a package, and is then one of the games."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.installing import ROOT, environment, installed, run_kit
from tests.night import at_night
from tests.services.games.conformance import CHECKS

PACKAGE = ROOT / "examples" / "connect_four"
LINES = 200
OWN_GAMES = ["einstein", "emperado", "plateau", "wec"]
GAMES = "from services.games.registry import games; print(*games())"
FOLDERS = "from services.players.game_data import every_game, folder; print(*(folder(game).name for game in every_game()))"
POOL = """
import gateway.messages.contract
from google.protobuf import descriptor_pool
print(descriptor_pool.Default().FindMessageTypeByName("connect_four.v1.ConnectFourView").full_name)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(PACKAGE, tmp_path_factory.mktemp("connect_four"))


def said(program: str, *sites: Path) -> list[str]:
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environment(*sites), capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.split()


@pytest.mark.nightly
def test_it_passes_the_conformance_kit(site: Path) -> None:
    assert f"{len(CHECKS)} passed" in run_kit(site, "connect_four")


@pytest.mark.parametrize("program", [pytest.param(GAMES, id="rules"), at_night(FOLDERS, id="players")])
def test_it_is_one_of_the_games_where_it_is_installed_and_nowhere_else(site: Path, program: str) -> None:
    assert said(program, site) == sorted([*OWN_GAMES, "connect_four"])
    assert said(program) == OWN_GAMES


def test_the_gateway_can_read_its_messages_without_its_rules(site: Path) -> None:
    assert said(POOL, site) == ["connect_four.v1.ConnectFourView"]


CONTRACT = """
from google.protobuf import descriptor_pb2
from services.rules.contracts import contract
files = descriptor_pb2.FileDescriptorSet.FromString(contract("connect_four")).file
print(*(file.package for file in files), *(m.name for file in files for m in file.message_type if m.name.endswith("Options")))
print(len(contract("einstein")))
"""


def test_clients_are_told_its_contract_and_that_of_no_game_that_comes_with_brettwerk(site: Path) -> None:
    assert said(CONTRACT, site) == ["connect_four.v1", "ConnectFourOptions", "0"]


def test_rules_facts_and_words_are_at_most_200_lines() -> None:
    own = [
        PACKAGE / "setup.py",
        *(path for path in (PACKAGE / "connect_four").iterdir() if path.suffix in (".py", ".md", ".json")),
    ]
    assert sum(len(path.read_text().splitlines()) for path in own) <= LINES
