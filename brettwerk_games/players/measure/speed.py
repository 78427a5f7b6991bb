"""How many moves each level finds in a second of CPU time of one core, with all of its time and with its least.

    python -m brettwerk_games.players.measure.speed
    python -m brettwerk_games.players.measure.speed --game wec --level strong --seconds 30

A move is an action, as a worker is asked for it. Positions come from games of the level against itself after a few random
actions, with as many seats as the game has at least; one player object plays a seat's turn, as in a worker. Games of packages are
measured where they are installed (examples/connect_four: a small game for the generic levels). Prints a table in Markdown. CPU
time, in this process only.
"""

import argparse
import random
import statistics
import time

from brettwerk_games.players.measure.games import OPENING, Seat, cpu_time, opening, play, preset_start
from brettwerk_games.players.registry import make_player, warm_up
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import GENERIC_LEVELS, LevelFacts
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.registry import games

_WARM = 1_000_000
"""The number of an opening that no measured game has."""
_ROUND = 40
"""Actions played between two looks at the time."""


def measure(game: AnyGame, level: LevelFacts, limit_ms: int, seconds: float) -> list[float]:
    """Return the CPU milliseconds of the actions of games, as many as fit into that many seconds of CPU time."""
    took: list[float] = []
    seats = [Seat(make_player(game, level, 0), limit_ms / 1000) for _ in range(game.facts.min_seats)]

    def round_of(number: int, begun: int, actions: int) -> None:
        start = opening(game, preset_start(game, len(seats), random.Random(number).randbytes(SEED_BYTES)), number, begun)
        play(game, start, seats, number, actions, lambda _seat, _thought, took_s: took.append(1000 * took_s))

    usual = OPENING.get(game.facts.id, 0)
    round_of(_WARM, usual, 2)
    took.clear()
    began, number = time.process_time(), 0
    while time.process_time() < began + seconds:
        # Openings of other lengths, so that the middle of games is met in a short measurement, too.
        round_of(number, usual * (1 + number % 3), _ROUND)
        number += 1
    return took


def line(game: AnyGame, level: LevelFacts, seconds: float) -> str:
    """Return a level's row of the table."""
    full = measure(game, level, level.think_ms, seconds)
    least = measure(game, level, level.floor_ms, seconds)
    late = sorted(full)[int(0.95 * len(full))]
    cells = [
        f"{game.facts.id} {level.id}",
        f"{level.think_ms}",
        f"{level.floor_ms}",
        f"{statistics.fmean(full):.2f}",
        f"{statistics.median(full):.2f}",
        f"{late:.2f}",
        f"{1000 / statistics.fmean(full):,.0f}",
        f"{1000 / statistics.fmean(least):,.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", default="", choices=["", *sorted(games())])
    parser.add_argument("--level", default="")
    parser.add_argument("--generic", action="store_true", help="the generic levels in the given game")
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds of CPU time for each figure")
    given = parser.parse_args()
    warm_up()
    print("| level | time, ms | least, ms | takes, ms: mean | median | 95 % | moves a CPU second | at least time |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    with cpu_time():
        for game in games().values():
            if given.game not in ("", game.facts.id):
                continue
            for level in GENERIC_LEVELS if given.generic else game.facts.levels:
                if given.level in ("", level.id):
                    print(line(game, level, given.seconds), flush=True)


if __name__ == "__main__":
    main()
