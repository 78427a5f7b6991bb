"""Matches between computer players of one game: how often one beats another, how long it thinks, whether its chances come true.

    python -m brettwerk_games.players.measure.match --game wec --first strong --second generic:3000 --second-ms 300
    python -m brettwerk_games.players.measure.match --game wec --first strong --second strong@HEAD~20 --presets --games 200
    python -m brettwerk_games.players.measure.match --game einstein --first best:least --second best --minutes 20
    python -m brettwerk_games.players.measure.match --game plateau --first strong --second normal --seats 4 --kept FILE

A player is a level of the game (`strong`), one at its least time (`strong:least`), one that keeps no plan of its turn
(`strong:anew`), one as it was at a revision of git (`strong@<revision>`), a generic level (`generic-normal`), the generic player
with so many iterations (`generic:3000`), or `random`. The first player has one seat, or those of `--first-seats`, and the second
one all others; from game to game the seats go round, and as many games as there are seats begin alike, with the same dice.
Times and deadlines are of this process's CPU, so a busy machine changes nothing but how long it takes. The players run in this
process and see their views only. `--kept FILE` adds a line of JSON for each game, and `--begin` goes on with a match, so that it
can be played in parts.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brettwerk_games.players.generic import GenericPlayer
from brettwerk_games.players.interface import Player, Thought
from brettwerk_games.players.measure.earlier import earlier_player
from brettwerk_games.players.measure.games import Anew, Seat, cpu_time, opening, play
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.players.measure.records import Part, Played, Stated, interval, report
from brettwerk_games.players.registry import level_of, make_player, warm_up
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import GENERIC_LEVELS
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.registry import games

_ENDLESS_S = 1e9


@dataclass(frozen=True, slots=True)
class Side:
    """A player of the match with its time for an action, in seconds; `make` returns another one like it."""

    name: str
    make: Callable[[], Player]
    limit_s: float


def side(game: AnyGame, name: str, limit_ms: int = 0) -> Side:
    """Return the side of a name; 0 ms mean the level's own time. Raises SystemExit for a name that there is not."""
    if name == "random":
        return Side(name, lambda: RandomPlayer(game), _ENDLESS_S)
    if name.startswith("generic:"):
        iterations = int(name.partition(":")[2])
        return Side(name, lambda: GenericPlayer(game, iterations), limit_ms / 1000 or _ENDLESS_S)
    plain, _, manner = name.partition(":")
    named, _, revision = plain.partition("@")
    level = {f"generic-{one.id}": one for one in GENERIC_LEVELS}.get(named) or level_of(game, named)
    if level is None or manner not in ("", "least", "anew"):
        raise SystemExit(f"no such player: {name}")
    limit_s = (limit_ms or (level.floor_ms if manner == "least" else level.think_ms)) / 1000
    if revision:
        maker = earlier_player(game.facts.id, revision)
        return Side(name, lambda: maker(game, level.strength), limit_s)

    def make() -> Player:
        return make_player(game, level, 0)

    return Side(name, (lambda: Anew(make)) if manner == "anew" else make, limit_s)


def starts(game: AnyGame, seats: int, chosen: dict[str, int | str], *, presets: bool) -> dict[str, Callable[[bytes], Any]]:
    """Return what makes the position that a game begins in from a seed, by name: the usual start, and the game's presets."""

    def start(values: dict[str, int | str], board: str) -> Callable[[bytes], Any]:
        options = game.codec.decode(Kind.OPTIONS, preset_options(game, seats, values))
        return lambda seed: game.new(options, seats, game.board(board) if board else None, seed).position  # type: ignore[attr-defined]

    found = {"usual": start(chosen, "")}
    for preset in game.facts.presets if presets else ():
        if not preset.max_seats or preset.max_seats >= seats:
            found[preset.id] = start({**chosen, **preset.options}, preset.board)
    return found


def own_seats(number: int, seats: int, first: Sequence[int]) -> set[int]:
    """Return the seats of the first player in a game: they go round."""
    return {(seat + number) % seats for seat in first}


def played(game: AnyGame, start: Any, sides: tuple[Side, Side], own: set[int], seed: int, max_actions: int) -> Played:
    """Play a game within `cpu_time` and return how it went; one that takes more than `max_actions` is undecided."""
    parts = (Part(sides[0].name), Part(sides[1].name))
    count = game.seats(start)
    owners = [0 if seat in own else 1 for seat in range(count)]
    players = (sides[0].make(), sides[1].make())
    said: list[tuple[int, float]] = []
    turns: list[tuple[int, float]] = []

    def seen(seat: int, thought: Thought, took_s: float) -> None:
        if turns and turns[-1][0] == seat:
            turns[-1] = seat, turns[-1][1] + took_s
        else:
            turns.append((seat, took_s))
            said.append((seat, thought.win_chance))
        parts[owners[seat]].actions_s.append(round(took_s, 5))

    last = play(game, start, [Seat(players[one], sides[one].limit_s) for one in owners], seed, max_actions, seen)
    outcome = game.outcome(last)
    for seat, took_s in turns:
        parts[owners[seat]].turns_s.append(round(took_s, 4))
    if outcome is None:
        return Played(count, "undecided", len(turns), len(own) / count, *parts)
    for seat, chance in said:
        parts[owners[seat]].stated.append(Stated(chance, outcome.chance(seat)))
    return Played(count, outcome.rule, len(turns), sum(outcome.scores[seat] for seat in own), *parts)


def match(game: AnyGame, sides: tuple[Side, Side], given: argparse.Namespace) -> list[Played]:
    """Play the games of a match, print how it goes, and return them."""
    made = list(starts(game, given.seats, dict(given.option), presets=given.presets).items())
    done: list[Played] = []
    for number in range(given.begin, given.begin + given.games):
        deal, turned = divmod(number, given.seats)
        name, start = made[deal % len(made)]
        seed = given.seed + deal
        begun = opening(game, start(random.Random(seed).randbytes(SEED_BYTES)), seed, given.opening)
        done.append(played(game, begun, sides, own_seats(turned, given.seats, given.first_seats), seed, given.max_actions))
        if given.kept is not None:
            with given.kept.open("a") as lines:
                print(done[-1].line(), file=lines)
        points = sum(one.points for one in done)
        low, high = interval(points, len(done))
        print(
            f"game {number}, {name}: {done[-1].end} after {done[-1].turns} turns, {done[-1].points:g} for {sides[0].name};"
            f" in all {points:g} of {len(done)} ({100 * low:.0f} to {100 * high:.0f} %)",
            flush=True,
        )
        if time.process_time() > 60 * given.minutes:
            break
    print("\n".join(report(done)))
    return done


def option(text: str) -> tuple[str, int | str]:
    """Return an option of the game from KEY=VALUE."""
    key, _, value = text.partition("=")
    return key, int(value) if value.lstrip("-").isdigit() else value


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--game", required=True, choices=sorted(games()))
    made.add_argument("--first", default="strong")
    made.add_argument("--second", default="normal")
    made.add_argument("--first-ms", type=int, default=0, help="milliseconds per action; 0 for the level's own time")
    made.add_argument("--second-ms", type=int, default=0)
    made.add_argument("--games", type=int, default=100)
    made.add_argument("--minutes", type=float, default=1e9, help="end after so many minutes of CPU time")
    made.add_argument("--seats", type=int, default=2)
    made.add_argument(
        "--first-seats", type=lambda text: [int(one) for one in text.split(",")], default=[0], help="the first player's, as 0,2"
    )
    made.add_argument("--option", type=option, action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    made.add_argument("--presets", action="store_true", help="begin in turn at the usual start and at each of the game's presets")
    made.add_argument("--opening", type=int, default=None, help="number of random actions at the beginning, if not the usual one")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--begin", type=int, default=0, help="number of the first game")
    made.add_argument("--max-actions", type=int, default=3000, help="a game that is still on then counts as undecided")
    made.add_argument("--kept", type=Path, help="a file to which each game is appended as a line of JSON")
    return made


def main() -> None:
    """Play the match that the command line asks for."""
    given = parser().parse_args()
    game = games()[given.game]
    warm_up()
    sides = side(game, given.first, given.first_ms), side(game, given.second, given.second_ms)
    with cpu_time():
        match(game, sides, given)


if __name__ == "__main__":
    main()
