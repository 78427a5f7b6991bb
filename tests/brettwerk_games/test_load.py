import os
import subprocess
import sys
from pathlib import Path

import pytest

from brettwerk_games import OWN, load
from brettwerk_games.rules.registry import games

ROOT = Path(__file__).parents[2]
WITHOUT = ("grpc", "redis", "celery", "structlog", "prometheus_client", "sqlalchemy", "babel", "services", "gateway", "deploy")
ALONE = f"""
import sys
import time

for name in {WITHOUT}:
    sys.modules[name] = None  # importing it raises ImportError

from brettwerk_games import OWN, load
from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.presets import preset_options

for name in OWN:
    game = load(name)
    options = game.codec.decode(Kind.OPTIONS, preset_options(game, 2))
    position = game.new(options, 2, None, bytes(32)).position
    view = game.view(position, game.to_act(position)[0])
    player = make_player(game, level_of(game, game.facts.levels[0].id), 0)
    print(name, player.think(view, time.monotonic() + 1, 1).action in game.actions(view))
"""


def test_a_game_is_loaded_by_its_id() -> None:
    assert load("emperado") is games()["emperado"]


def test_all_games_of_the_package_are_named() -> None:
    assert OWN == ("einstein", "emperado", "plateau", "wec")


def test_a_game_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(LookupError, match="there is no game chess, but einstein, emperado, plateau, wec"):
        load("chess")


def test_games_and_players_need_nothing_of_the_server() -> None:
    path = os.pathsep.join((str(ROOT), str(ROOT / "generated" / "python")))
    run = subprocess.run([sys.executable, "-c", ALONE], env={"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == [f"{name} True" for name in OWN], run.stderr
