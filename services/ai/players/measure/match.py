"""Matches between computer players of Weaponized Chess: how often one beats another, and how long it thinks.

    .venv/bin/python -m services.ai.players.measure.match --first strong --second generic:3000 --second-ms 300 --games 50
    .venv/bin/python -m services.ai.players.measure.match --first strong --second strong@HEAD~20 --presets --games 200

A player is a level of the game (easy, normal, strong), one as it was at a revision of git (strong@<revision>),
`generic:<iterations>` or `random`. Each pair of games starts with the same few random Turns and is played with either colour;
with `--presets` the pairs begin in turn at the default start and at each of the game's presets. Times are CPU seconds of whole
Turns on one core, and deadlines are of CPU time. The players run in this process and see their views only; nothing else has to
be started.
"""

import argparse
import math
import random
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from services.ai.players.generic import GenericPlayer
from services.ai.players.interface import Player
from services.ai.players.measure.games import cpu_time
from services.ai.players.measure.random_player import RandomPlayer
from services.ai.players.registry import level_of, make_player
from services.ai.players.wec.measure.earlier import earlier_player
from services.ai.players.wec.measure.silliness import Rounds, has_reason
from services.games.chance import SEED_BYTES
from services.games.wec import GAME, boards
from services.games.wec.actions import Action, Fire, Home, Strike
from services.games.wec.options import Actions, Options
from services.games.wec.position import End, Position

SEED = bytes(SEED_BYTES)
MAX_PLIES = 400
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
    fires: int = 0
    idle_fires: int = 0
    """Fires that could reach nobody whom it saw."""


def side(name: str, limit_ms: int) -> Side:
    """Return the side of a name; 0 ms mean the level's own time. Raises SystemExit for a name that there is not."""
    if name == "random":
        return Side(name, RandomPlayer(GAME), math.inf)
    if name.startswith("generic:"):
        return Side(name, GenericPlayer(GAME, int(name.partition(":")[2])), (limit_ms or 2000) / 1000)
    named, _, revision = name.partition("@")
    level = level_of(GAME, named)
    if level is None:
        raise SystemExit(f"no such player: {name}")
    player = earlier_player(revision)(GAME, level.strength) if revision else make_player(GAME, level, 0)
    return Side(name, player, (limit_ms or level.think_ms) / 1000)


DEFAULT_START = "usual"
MOVES_ONLY = "moves_only"


def starts() -> dict[str, Position]:
    """Return the positions that games begin in, by name: the default one, with Moves only, and those of the game's presets."""
    found = {DEFAULT_START: Options(), MOVES_ONLY: Options(actions=Actions.MOVES_ONLY)}
    made = {name: GAME.new(options, 2, None, SEED).position for name, options in found.items()}
    for preset in GAME.facts.presets:
        defaults = Options()
        options = defaults._replace(**{key: type(getattr(defaults, key))(value) for key, value in preset.options.items()})
        made[preset.id] = GAME.new(options, 2, boards.board(preset.board) if preset.board else None, SEED).position
    return made


def opening(start: Position, number: int, plies: int) -> Position:
    """Return the position after some random Turns from a start, in which nobody loses a primary."""
    dice = random.Random(number)
    while True:
        position, last = start, start.ply + plies
        while position.ply < last and position.end == End.ON:
            position = after(position, dice.choice(GAME.actions(GAME.view(position, position.active))))
        if position.end == End.ON:
            return position


def after(position: Position, action: Action) -> Position:
    """Return the position after an action."""
    return GAME.apply(position, position.active, action, SEED).position


def play(start: Position, seats: tuple[Side, Side], dice: random.Random, most: int) -> tuple[Position, int]:
    """Play a game to its end, or to its Turn `most`; return the last position, and how often one has come up at most."""
    position, spent, rounds = start, 0.0, Rounds()
    rounds.note(position)
    while GAME.to_act(position) and position.ply < most:
        mover, ply = seats[position.active], position.ply
        began = time.process_time()
        view = GAME.view(position, position.active)
        action = mover.player.think(view, time.monotonic() + mover.limit_s, dice.getrandbits(63)).action
        spent += time.process_time() - began
        mover.actions[type(action).__name__] += 1
        if isinstance(action, (Fire, Home, Strike)):
            mover.fires += 1
            mover.idle_fires += not has_reason(view, action)
        position = after(position, action)
        if position.ply != ply or position.end != End.ON:
            mover.turns_s.append(spent)
            spent = 0.0
            rounds.note(position)
    return position, rounds.most


def interval(points: float, games: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % interval of a share."""
    z, share = 1.96, points / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


def match(first: Side, second: Side, given: argparse.Namespace) -> None:
    """Play a match and print how it goes."""
    ends: Counter[str] = Counter()
    lengths: list[int] = []
    played: Counter[str] = Counter()
    won: dict[str, float] = defaultdict(float)
    names = starts() if given.presets else {name: start for name, start in starts().items() if name == given.start}
    for number in range(given.begin, given.begin + given.games):
        pair, side_of_first = divmod(number, 2)
        name, start = list(names.items())[pair % len(names)]
        seats = (first, second) if side_of_first == 0 else (second, first)
        begun = opening(start, given.seed + pair, given.opening)
        last, most = play(begun, seats, random.Random(given.seed + pair), given.max_turns)
        outcome = GAME.outcome(last)
        score = outcome.scores[side_of_first] if outcome is not None else 0.5
        first.points += score
        second.points += 1 - score
        played[name] += 1
        won[name] += score
        ends[last.end.name.lower()] += 1
        lengths.append(last.ply)
        low, high = interval(first.points, len(lengths))
        print(
            f"{number + 1}: {name}: {last.end.name.lower()} after {last.ply} Turns, {score:g} for {first.name}, a position came"
            f" up {most} times; in all {first.points:g} of {len(lengths)} ({100 * low:.0f} to {100 * high:.0f} %)",
            flush=True,
        )
    print(f"Turns of a game: median {statistics.median(lengths):g}, {min(lengths)} to {max(lengths)}; ends: {dict(ends)}")
    print("; ".join(f"{name} {won[name]:g} of {played[name]}" for name in played))
    for one in (first, second):
        turns = sorted(one.turns_s)
        print(
            f"{one.name}: a Turn takes {_ms(statistics.mean(turns))} on average, {_ms(statistics.median(turns))} at the median,"
            f" {_ms(turns[int(len(turns) * 0.95)])} at the 95th percentile, {_ms(turns[-1])} at most, of {len(turns)};"
            f" {dict(one.actions.most_common())};"
            f" {one.idle_fires} of {one.fires} Fires at nobody it sees"
        )


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


def main() -> None:
    """Play the match that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--first", default="strong")
    parser.add_argument("--second", default="generic:3000")
    parser.add_argument("--first-ms", type=int, default=0, help="milliseconds per action; 0 for the level's own time")
    parser.add_argument("--second-ms", type=int, default=0)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--opening", type=int, default=2, help="number of random Turns at the beginning")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=int, default=0, help="number of the first game, for playing a match in instalments")
    parser.add_argument("--start", choices=list(starts()), default=DEFAULT_START)
    parser.add_argument("--presets", action="store_true", help="play all starts by rotation")
    parser.add_argument("--max-turns", type=int, default=MAX_PLIES)
    given = parser.parse_args()
    first, second = side(given.first, given.first_ms), side(given.second, given.second_ms)
    with cpu_time():
        match(first, second, given)


if __name__ == "__main__":
    main()
