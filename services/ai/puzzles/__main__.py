"""Makes the puzzles that come with a game, of games among computers: `python -m services.ai.puzzles einstein 30`.

They are added to those that brettwerk_games/rules/GAME/puzzles.bin has, until there are so many. Workers make puzzles of finished
games by the same code (tasks.py).
"""

import argparse
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import brettwerk_games.rules
from brettwerk.internal.v1 import puzzles_made_pb2
from brettwerk_games.players.registry import make_player
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.registry import games
from services.ai.puzzles.message import written
from services.ai.puzzles.search import Moment, look
from services.ai.runs.batch import step_seed

_MAX_STEPS = 600


def main() -> None:
    """Make puzzles until there are enough."""
    parser = argparse.ArgumentParser(prog="services.ai.puzzles", description=__doc__)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("count", type=int)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each game")
    asked = parser.parse_args()
    game = games()[asked.game]
    path = Path(brettwerk_games.rules.__path__[0]) / asked.game / "puzzles.bin"
    seed = asked.seed
    while len(read(path).puzzles) < asked.count:
        met = look(game, play(game, asked.seats, seed), asked.seconds)
        made = read(path)
        made.puzzles.extend(written(game, one.found, played=game.write(one.moment.view, one.moment.action)) for one in met)
        if met:
            path.write_bytes(zlib.compress(made.SerializeToString(deterministic=True), 9))
        print(f"{asked.game} game {seed}: {len(met)} puzzles, {len(made.puzzles)} in all", flush=True)
        seed += 1


def read(path: Path) -> puzzles_made_pb2.MadePuzzles:
    """Return the puzzles of a file; none where there is no file."""
    return puzzles_made_pb2.MadePuzzles.FromString(zlib.decompress(path.read_bytes()) if path.exists() else b"")


def play(game: AnyGame, seats: int, seed: int) -> Sequence[Moment]:
    """Return a game among computers of differing strength, as those saw it who acted."""
    levels = _levels(game, seats, seed)
    options = game.codec.decode(Kind.OPTIONS, preset_options(game, seats))
    position = game.new(options, seats, None, step_seed(seed, 0)).position
    if game.facts.tells_seats:
        teller: Any = game
        position = teller.seated(position, (True,) * seats, step_seed(seed, 0)).position
    players = [make_player(game, level, 0) for level in levels]
    moments: list[Moment] = []
    mover = -1
    while (to_act := game.to_act(position)) and len(moments) < _MAX_STEPS:
        seat, view = to_act[0], game.view(position, to_act[0])
        if seat != mover:
            mover, players[seat] = seat, make_player(game, levels[seat], 0)
        thought = players[seat].think(view, time.monotonic() + levels[seat].think_ms / 5000, seed * _MAX_STEPS + len(moments))
        moments.append(Moment(view, thought.action, len(moments)))
        position = game.apply(position, seat, thought.action, step_seed(seed, len(moments))).position
    return moments


def _levels(game: AnyGame, seats: int, seed: int) -> list[LevelFacts]:
    """Return who plays: not the weakest, who makes odd positions, where there are others."""
    levels = [level for level in game.facts.levels if not level.max_depth][-3:]
    return [levels[(seed + seat) % len(levels)] for seat in range(seats)]


if __name__ == "__main__":
    main()
