"""Matches between computer players of Empire Plateau: how often one wins, its time, and its chances.

    .venv/bin/python -m services.ai.players.plateau.measure.match --first strong --second generic:8 --games 100
    .venv/bin/python -m services.ai.players.plateau.measure.match --first strong --second normal --seats 4 --games 40

A player is a level of the game (easy, normal, strong), `generic:<iterations>` or `random`. The first one takes one seat, or in
an alliance one side, and the second one all others; from game to game the seats go round, and as many games as there are
seats begin alike. Times are CPU seconds of whole turns on one core; stated chances are compared with what came of them
(`plateau_games`). The players run in this process and see their views only; nothing else has to be started. `--kept FILE`
adds a line of JSON for each game, so that a match can be played in parts.
"""

import argparse
import math
import random
import time
from dataclasses import dataclass
from pathlib import Path

from services.ai.players.generic import GenericPlayer
from services.ai.players.interface import Player
from services.ai.players.measure.random_player import RandomPlayer
from services.ai.players.measure.records import Part, Played, Stated, interval, report
from services.ai.players.registry import level_of, make_player
from services.games.chance import SEED_BYTES
from services.games.plateau import GAME
from services.games.plateau import position as positions
from services.games.plateau.actions import EndTurn
from services.games.plateau.options import Options


@dataclass(frozen=True, slots=True)
class Side:
    """A player of the match with its time for an action, in seconds."""

    name: str
    player: Player
    limit_s: float


def side(name: str, limit_ms: int) -> Side:
    """Return the side of a name; 0 ms mean the level's own time. Raises SystemExit for a name that there is not."""
    if name == "random":
        return Side(name, RandomPlayer(GAME), math.inf)
    if name.startswith("generic:"):
        return Side(name, GenericPlayer(GAME, int(name.partition(":")[2])), limit_ms / 1000 or math.inf)
    level = level_of(GAME, name)
    if level is None:
        raise SystemExit(f"no such player: {name}")
    return Side(name, make_player(GAME, level, 0), (limit_ms or level.think_ms) / 1000)


def play(position: positions.Position, first: Side, second: Side, own: set[int], dice: random.Random) -> Played:
    """Play a game to its end; the first player has its own seats."""
    seats, turns, spent = len(position.armies), 0, 0.0
    parts = (Part(first.name), Part(second.name))
    said: list[tuple[Part, int, float, int]] = []
    while position.end is None:
        seat = position.to_move
        part, mover = (parts[0], first) if seat in own else (parts[1], second)
        began = time.process_time()
        thought = mover.player.think(GAME.view(position, seat), time.monotonic() + mover.limit_s, dice.getrandbits(63))
        spent += time.process_time() - began
        if not position.turn.total:
            sides = len({positions.side(position, one) for one in positions.living(position)})
            said.append((part, seat, thought.win_chance, sides))
        position = GAME.apply(position, seat, thought.action, dice.randbytes(SEED_BYTES)).position
        if isinstance(thought.action, EndTurn) or position.end is not None:
            part.turns_s.append(round(spent, 4))
            spent, turns = 0.0, turns + 1
    outcome = GAME.outcome(position)
    assert outcome is not None, "a game that has ended has an outcome"
    for part, seat, chance, sides in said:
        part.stated.append(Stated(chance, sides, outcome.chance(seat)))
    return Played(seats, position.end.name.lower(), turns, sum(outcome.scores[seat] for seat in own), *parts)


def own_seats(number: int, seats: int, alliance: bool, pair: bool) -> set[int]:
    """Return the seats of the first player in a game: they go round; a pair sits beside or opposite each other."""
    if not alliance and not pair:
        return {number % seats}
    return {number % seats, (number + (1 if pair and number // seats % 2 == 0 else 2)) % seats}


def match(
    first: Side, second: Side, numbers: range, seats: int, options: Options, pair: bool, seed: int, file: Path | None
) -> None:
    """Play the games of a match and print how it goes."""
    games: list[Played] = []
    for number in numbers:
        own = own_seats(number, seats, options.alliance, pair)
        start = GAME.new(options, seats, None, random.Random(seed + number // seats).randbytes(SEED_BYTES)).position
        game = play(start, first, second, own, random.Random(seed + number))
        games.append(game)
        if file is not None:
            with file.open("a") as lines:
                print(game.line(), file=lines)
        points = sum(one.points for one in games)
        low, high = interval(points, len(games))
        print(
            f"game {number}: {game.end} after {game.turns} turns, {game.points:g} for {first.name};"
            f" in all {points:g} of {len(games)} ({100 * low:.0f} to {100 * high:.0f} %)",
            flush=True,
        )
    print("\n".join(report(games)))


def main() -> None:
    """Play the match that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--first", default="strong")
    parser.add_argument("--second", default="generic:8")
    parser.add_argument("--first-ms", type=int, default=0, help="milliseconds per action; 0 for the level's own time")
    parser.add_argument(
        "--second-ms", type=int, default=0, help="the same for the second player; 0 lets a generic player finish its iterations"
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--alliance", action="store_true", help="four seats, two against two")
    parser.add_argument("--pair", action="store_true", help="the first player has two of four seats, each playing for itself")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=int, default=0, help="number of the first game, for playing a match in instalments")
    parser.add_argument("--kept", type=Path, help="a file to which each game is appended as a line of JSON")
    given = parser.parse_args()
    first, second = side(given.first, given.first_ms), side(given.second, given.second_ms)
    seats = 4 if given.alliance or given.pair else given.seats
    numbers = range(given.begin, given.begin + given.games)
    match(first, second, numbers, seats, Options(alliance=given.alliance), given.pair, given.seed, given.kept)


if __name__ == "__main__":
    main()
