"""Matches between computer players of Weaponized Chess: how often one beats another, and how long it thinks.

    .venv/bin/python -m loadtests.wec_match --first strong --second generic:3000 --second-ms 300 --games 50

A player is a level of the game (easy, normal, strong), `generic:<iterations>` or `random`. Each pair of games starts with the
same few random Turns and is played with either colour. Times are CPU seconds of whole Turns on one core. The players run in
this process and see their views only; nothing else has to be started.
"""

import argparse
import math
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

from loadtests.random_player import RandomPlayer
from services.ai.players.generic import GenericPlayer
from services.ai.players.interface import Player
from services.ai.players.registry import level_of, make_player
from services.games.chance import SEED_BYTES
from services.games.wec import GAME
from services.games.wec.actions import Action
from services.games.wec.options import Options
from services.games.wec.position import End, Position

SEED = bytes(SEED_BYTES)
MOST_PLIES = 400
"""A game that is still on then counts as a draw."""


@dataclass
class Side:
    """A player of the match with its time for an action, in seconds, and what it did."""

    name: str
    player: Player
    limit_s: float
    turns_s: list[float] = field(default_factory=list)
    actions: Counter[str] = field(default_factory=Counter)
    points: float = 0.0


def side(name: str, limit_ms: int) -> Side:
    """Return the side of a name; 0 ms mean the level's own time. Raises SystemExit for a name that there is not."""
    if name == "random":
        return Side(name, RandomPlayer(GAME), math.inf)
    if name.startswith("generic:"):
        return Side(name, GenericPlayer(GAME, int(name.partition(":")[2])), (limit_ms or 2000) / 1000)
    level = level_of(GAME, name)
    if level is None:
        raise SystemExit(f"no such player: {name}")
    return Side(name, make_player(GAME, level, 0), (limit_ms or level.think_ms) / 1000)


def opening(number: int, plies: int) -> Position:
    """Return the standard start after some random Turns in which nobody loses a primary."""
    dice = random.Random(number)
    while True:
        position = GAME.new(Options(), 2, None, SEED).position
        while position.ply <= plies and position.end == End.ON:
            position = after(position, dice.choice(GAME.actions(GAME.view(position, position.active))))
        if position.end == End.ON:
            return position


def after(position: Position, action: Action) -> Position:
    """Return the position after an action."""
    return GAME.apply(position, position.active, action, SEED).position


def play(start: Position, seats: tuple[Side, Side], dice: random.Random) -> Position:
    """Play a game to its end, or to MOST_PLIES."""
    position, spent = start, 0.0
    while GAME.to_act(position) and position.ply < MOST_PLIES:
        mover, ply = seats[position.active], position.ply
        began = time.process_time()
        view = GAME.view(position, position.active)
        action = mover.player.think(view, time.monotonic() + mover.limit_s, dice.getrandbits(63)).action
        spent += time.process_time() - began
        mover.actions[type(action).__name__] += 1
        position = after(position, action)
        if position.ply != ply or position.end != End.ON:
            mover.turns_s.append(spent)
            spent = 0.0
    return position


def interval(points: float, games: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % interval of a share."""
    z, share = 1.96, points / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


def match(first: Side, second: Side, games: int, opening_plies: int, seed: int) -> None:
    """Play a match and print how it goes."""
    ends: Counter[str] = Counter()
    lengths: list[int] = []
    for number in range(games):
        dice = random.Random(seed + number)
        seats = (first, second) if number % 2 == 0 else (second, first)
        last = play(opening(seed + number // 2, opening_plies), seats, dice)
        outcome = GAME.outcome(last)
        score = outcome.scores[number % 2] if outcome is not None else 0.5
        first.points += score
        second.points += 1 - score
        ends[last.end.name.lower()] += 1
        lengths.append(last.ply)
        low, high = interval(first.points, number + 1)
        print(
            f"{number + 1}/{games}: {last.end.name.lower()} after {last.ply} Turns, {score:g} for {first.name};"
            f" in all {first.points:g} ({100 * low:.0f} to {100 * high:.0f} %)",
            flush=True,
        )
    print(f"Turns of a game: median {statistics.median(lengths):g}, {min(lengths)} to {max(lengths)}; ends: {dict(ends)}")
    for one in (first, second):
        turns = sorted(one.turns_s)
        print(
            f"{one.name}: a Turn takes {statistics.median(turns):.2f} s at the median, {turns[int(len(turns) * 0.95)]:.2f} s"
            f" at the 95th percentile, {turns[-1]:.2f} s at most; {dict(one.actions.most_common())}"
        )


def main() -> None:
    """Play the match that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--first", default="strong")
    parser.add_argument("--second", default="generic:3000")
    parser.add_argument("--first-ms", type=int, default=0, help="time for an action; 0 for the level's own")
    parser.add_argument("--second-ms", type=int, default=0)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--opening", type=int, default=2, help="random Turns at the beginning")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    first, second = side(given.first, given.first_ms), side(given.second, given.second_ms)
    match(first, second, given.games, given.opening, given.seed)


if __name__ == "__main__":
    main()
