"""Plies a second of random games on one core: of our games, alone and as OpenSpiel's, and of games that OpenSpiel brings.

    pip install "brettwerk-games[openspiel]"
    python -m brettwerk_games.adapters.benchmark [--seconds 5] [--game einstein]

A ply is what a seat does; what chance does is not counted, but costs time, too. OpenSpiel's states are asked from Python: which
actions are legal, and for one of them to be played, as a program does that learns. Its games in Python are called python_..., the
others are C++. Games are cut off after 200 plies. CPU time of this process, which should have a core to itself.
"""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from brettwerk_games import OWN, load
from brettwerk_games.adapters.match import Setting
from brettwerk_games.adapters.playout import play_random
from brettwerk_games.players.einstein.engine import COMPILED
from brettwerk_games.players.einstein.kernels.playout import play_on
from brettwerk_games.players.einstein.training import start

THEIRS = ("python_tic_tac_toe", "python_kuhn_poker", "python_team_dominoes", "tic_tac_toe", "backgammon")
THE_SAME = "einstein_wurfelt_nicht"
"""EinStein, as OpenSpiel has it."""


MAX_PLIES = 200
GAMES = 16


def batches(game: str, batch: int, seconds: float) -> float:
    """Return the plies a second of random games of which a number is played together, for so many seconds or a little more."""
    setting = Setting(load(game), 2, {})
    plies = seed = 0
    spent_s = 0.0
    while spent_s < seconds:
        played = play_random(setting, GAMES, seed, batch, MAX_PLIES)
        plies, spent_s, seed = plies + int(played.plies.sum()), spent_s + played.cpu_s, seed + 1
    return plies / spent_s


def states(game: Any, seconds: float) -> float:
    """Return the same of random games that are played with OpenSpiel's states."""
    dice, began, plies = random.Random(1), time.process_time(), 0  # noqa: S311 - the dice of games
    while (spent_s := time.process_time() - began) < seconds:
        state, until = game.new_initial_state(), plies + MAX_PLIES
        while not state.is_terminal() and plies < until:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, chances)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                plies += 1
    return plies / spent_s


def compiled(seconds: float) -> float:
    """Return the same of the kernel that EinStein's player is made of, which knows the game without these rules."""
    plies, seed, began = 0, 1, time.process_time()
    mover, other = start(random.Random(1))  # noqa: S311 - the dice of games
    while (spent_s := time.process_time() - began) < seconds:
        plies, seed = plies + play_on(mover, other, 10_000, seed)[1], seed + 1
    return plies / spent_s


def rows(given: argparse.Namespace) -> list[tuple[str, str, Callable[[float], float]]]:
    """Return the rows of the table: what is measured, how, and what measures it."""
    import open_spiel.python.games  # noqa: F401 - OpenSpiel knows them once they are imported
    import pyspiel

    from brettwerk_games.adapters.openspiel import load_game

    own = [given.game] if given.game else OWN
    found: list[tuple[str, str, Callable[[float], float]]] = []
    for name in own:
        for batch in (GAMES, 1):
            how = f"play_random, {batch} together" if batch > 1 else "play_random, one by one"
            found.append((name, how, partial(batches, name, batch)))
        found.append((name, "as OpenSpiel's", partial(states, load_game(name))))
    if "einstein" in own:
        how = "compiled kernel of its player" if COMPILED else "kernel of its player, not compiled"
        found.append(("einstein", how, compiled))
    for name in () if given.game else (*THEIRS, THE_SAME):
        language = "Python" if name.startswith("python_") else "C++"
        found.append((name, f"OpenSpiel's own, {language}", partial(states, pyspiel.load_game(name))))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds of each figure")
    parser.add_argument("--game", default="", choices=["", *OWN], help="one of our games alone")
    given = parser.parse_args()
    print("| game | how | plies a second |\n| --- | --- | --- |")
    for what, how, measure in rows(given):
        print(f"| {what} | {how} | {measure(given.seconds):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
