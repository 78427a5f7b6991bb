"""The game of examples/connect_four is installed as a package, and is then one of the games."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.brettwerk_games.rules.conformance import CHECKS
from tests.examples.installing import ROOT, environment, installed, run_kit
from tests.night import at_night

PACKAGE = ROOT / "examples" / "connect_four"
OWN_GAMES = ["einstein", "emperado", "plateau", "wec"]
GAMES = "from brettwerk_games.rules.registry import games; print(*games())"
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


@pytest.mark.nightly
@pytest.mark.parametrize("program", [pytest.param(GAMES, id="rules"), pytest.param(FOLDERS, id="players")])
def test_it_is_one_of_the_games_where_it_is_installed_and_nowhere_else(site: Path, program: str) -> None:
    assert said(program, site) == sorted([*OWN_GAMES, "connect_four"])
    assert said(program) == OWN_GAMES


@pytest.mark.nightly
def test_the_gateway_can_read_its_messages_without_its_rules(site: Path) -> None:
    assert said(POOL, site) == ["connect_four.v1.ConnectFourView"]


CONTRACT = """
from google.protobuf import descriptor_pb2
from services.rules.facts import contract
files = descriptor_pb2.FileDescriptorSet.FromString(contract("connect_four")).file
print(*(file.package for file in files), *(m.name for file in files for m in file.message_type if m.name.endswith("Options")))
print(len(contract("einstein")))
"""


def test_clients_are_told_its_contract_and_that_of_no_game_that_comes_with_brettwerk(site: Path) -> None:
    assert said(CONTRACT, site) == ["connect_four.v1", "ConnectFourOptions", "0"]


FIELDS = """
from google.protobuf import descriptor_pb2, descriptor_pool
from brettwerk_games.packages.contract import contracts
contracts()
file = descriptor_pb2.FileDescriptorProto()
descriptor_pool.Default().FindMessageTypeByName("connect_four.v1.ConnectFourView").file.CopyToProto(file)
for message in file.message_type:
    for field in message.field:
        limit = field.options.SerializeToString().hex() or "none"
        print(message.name, field.name, field.number, field.type, field.type_name or "-", field.label, limit, sep="/")
for enum in file.enum_type:
    for value in enum.value:
        print(enum.name, value.name, value.number, sep="/")
"""
BYTES = """
from brettwerk_games.packages.contract import contracts
contracts()
from connect_four import GAME
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.presets import preset_options
options = GAME.codec.decode(Kind.OPTIONS, preset_options(GAME, 2))
step = GAME.new(options, 2, None, bytes(32))
said = [preset_options(GAME, 2), GAME.codec.encode(Kind.OPTIONS, options), GAME.codec.encode(Kind.POSITION, step.position)]
for column in (0, 1, 0, 1, 0, 1, 0):
    seat = step.position.to_move
    action = GAME.actions(GAME.view(step.position, seat))[column]
    said.append(GAME.codec.encode(Kind.ACTION, action))
    step = GAME.apply(step.position, seat, action, bytes(32))
    said.extend(GAME.codec.encode(Kind.EVENT, event) for event in step.events)
    said.extend((GAME.codec.encode(Kind.POSITION, step.position), GAME.codec.encode(Kind.VIEW, GAME.view(step.position, 1))))
print(*(data.hex() or "empty" for data in said))
print(GAME.facts.options)
"""


@pytest.fixture(scope="module")
def former(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the example of 1.0.0 is installed: with a .proto file, options in facts.json and a class for the game."""
    return installed(ROOT / "tests" / "examples" / "connect_four_1_0", tmp_path_factory.mktemp("former"))


@pytest.mark.parametrize("program", [at_night(FIELDS, id="contract"), pytest.param(BYTES, id="bytes")])
def test_the_contract_made_of_its_values_is_the_one_of_the_first_release(site: Path, former: Path, program: str) -> None:
    of_then = said(program, former)
    assert len(of_then) > 15
    assert sorted(said(program, site)) == sorted(of_then)


@pytest.mark.nightly
def test_the_package_of_the_first_release_still_passes_the_kit(former: Path) -> None:
    assert f"{len(CHECKS)} passed" in run_kit(former, "connect_four")
