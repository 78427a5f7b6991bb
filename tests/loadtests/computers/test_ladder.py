"""The ladder: OpenSpiel's MCTS plays a computer level through the public endpoint of a deployment, and the games are counted."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from loadtests.computers.ladder import Game, interval, rating

LEVELS = {"easy": 1000.0, "best": 1800.0}


@pytest.mark.e2e
@pytest.mark.slow
def test_a_bot_plays_a_level_from_both_seats_and_the_games_are_recorded_and_counted(
    deployment: Deployment, tmp_path: Path
) -> None:
    record = tmp_path / "ladder.jsonl"
    server = ["--grpc", deployment.grpc_address, "--record", str(record)]
    ladder = [sys.executable, "-m", "loadtests.computers.ladder", *server]
    players = ["--simulations", "10", "--levels", "beginner"]
    played = subprocess.run([*ladder, *players, "--rounds", "2"], capture_output=True, text=True, timeout=280, check=False)
    assert played.returncode == 0, played.stderr
    games = [Game(**json.loads(line)) for line in record.read_text().splitlines()]
    assert [(game.simulations, game.level, game.seat) for game in games] == [(10, "beginner", 0), (10, "beginner", 1)] * 2
    assert f"| 10 | {sum(game.won for game in games)} of 4 (" in played.stdout
    counted = subprocess.run([*ladder, "--minutes", "0"], capture_output=True, text=True, timeout=60, check=False)
    assert counted.stdout == played.stdout


def test_results_as_predicted_by_the_ratings_give_the_rating_between_them() -> None:
    games = [Game(1, level, 0, won) for level in LEVELS for won in (True, False)]
    estimate, error = rating(games, LEVELS)
    assert estimate == pytest.approx(1400.0)
    assert 0 < error < math.inf
    assert rating([*games, Game(1, "best", 1, won=True)], LEVELS)[0] > estimate


def test_more_games_say_more_exactly_how_often_somebody_wins() -> None:
    low, high = interval(5, 10)
    assert 0 < low < 0.5 < high < 1
    closer_low, closer_high = interval(50, 100)
    assert low < closer_low < 0.5 < closer_high < high
