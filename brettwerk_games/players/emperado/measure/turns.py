"""How long the computer players of EMPERADO think, through the player that the workers use and the rules themselves.

    python -m brettwerk_games.players.emperado.measure.turns
    python -m brettwerk_games.players.emperado.measure.turns --seats 3 --turns 500 --level easy

Prints CPU time of whole turns (all actions of a turn together; views are made by the rules, which does not count) and of
single actions: median, 99th percentile and the most.
"""

import argparse
import time
from collections.abc import Sequence

from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.chance import step_seed
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.options import Options


def measure(seats: int, turns: int, level: str) -> tuple[list[float], list[float]]:
    """Return the CPU milliseconds of so many turns and of their actions, over as many games as it takes."""
    facts = level_of(GAME, level)
    assert facts is not None
    player = make_player(GAME, facts, 0)
    whole: list[float] = []
    single: list[float] = []
    game = 0
    while len(whole) < turns:
        game += 1
        options = Options(computers=(True,) * 6, max_rounds=100)
        position = GAME.new(options, seats, None, step_seed(bytes(32), str(game), 0, ())).position
        turn, spent = (1, 0), 0.0
        while position.end is None and len(whole) < turns:
            if (position.round, position.to_move) != turn:
                whole.append(spent)
                turn, spent = (position.round, position.to_move), 0.0
            view = GAME.view(position, position.to_move)
            began = time.process_time()
            action = player.think(view, float("inf"), 0).action
            single.append(1000 * (time.process_time() - began))
            spent += single[-1]
            seed = step_seed(bytes(32), str(game), position.played + 1, ())
            position = GAME.apply(position, position.to_move, action, seed).position
    return whole, single


def _line(name: str, values: Sequence[float]) -> str:
    ordered = sorted(values)
    at = {share: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99)}
    return f"{name:<8} {len(ordered):>6}  median {at[0.5]:.2f} ms, 99 % {at[0.99]:.2f} ms, most {ordered[-1]:.2f} ms of CPU"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--level", default="strong")
    asked = parser.parse_args()
    whole, single = measure(asked.seats, asked.turns, asked.level)
    print(_line("turns", whole))
    print(_line("actions", single))


if __name__ == "__main__":
    main()
