"""Habits that a player of Weaponized Chess should not have: fire where it sees nobody, and go round in circles.

    .venv/bin/python -m brettwerk_games.players.wec.measure.habits --level normal --games 24
    .venv/bin/python -m brettwerk_games.players.wec.measure.habits --level easy --games 24 --seed 50

A level plays against itself from all starts in turn; printed are the Fires at nobody whom it sees, and how often a position came
up at most.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Hashable

from brettwerk_games.players.interface import Player
from brettwerk_games.players.measure.games import cpu_time
from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.players.wec.measure.starts import after, opening, starts
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import Action, Fire, Home, Strike
from brettwerk_games.rules.wec.board import NEXT, OFF, SQUARES
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, Article
from brettwerk_games.rules.wec.position import Position, View

FLIGHT = 6
"""Squares that a projectile may have before it until its target."""


def has_reason(view: View, action: Action) -> bool:
    """Tell whether a Fire can reach an enemy that its seat sees; anything else that is done has a reason."""
    at = view.field
    if isinstance(action, Home):
        return action.target in at.pieces
    if isinstance(action, Strike):
        return any(piece.seat != view.eye for piece in at.on(action.square))
    if not isinstance(action, Fire):
        return True
    piece = at.pieces[action.piece]
    level = FLIGHT_LEVEL.get(action.weapon, piece.level)
    reach = {Article.FLAME: view.options.flame_range, Article.STUN: view.options.stun_range, Article.CONVERSION: 1}
    square = piece.square
    for _ in range(reach.get(action.weapon, FLIGHT)):
        square = NEXT[square][action.direction]
        if square == OFF:
            return False
        there = at.on(level * SQUARES + square)
        if any(other.seat != view.eye for other in there):
            return True
        if there and action.weapon != Article.FLAME:
            return False
    return False


class Rounds:
    """Counts how often each position of a game has come up at the beginning of a Turn."""

    def __init__(self) -> None:
        self._times: Counter[Hashable] = Counter()

    def note(self, position: Position) -> int:
        """Count a position, and return how often it has come up by now."""
        pieces = tuple(
            (piece.id, piece.seat, piece.place, tuple(one.kind for one in piece.articles)) for piece in position.pieces
        )
        key = position.active, pieces, tuple(tuple(one.kind for one in lying) for lying in position.ground)
        self._times[key] += 1
        return self._times[key]

    @property
    def most(self) -> int:
        """How often the position has come up that came up most."""
        return max(self._times.values(), default=0)


def play(start: Position, players: tuple[Player, Player], limit_s: float, seed: int, max_turns: int) -> tuple[int, int, int]:
    """Play a game; return the Fires, those at nobody whom the player saw, and how often a position came up at most."""
    position, rounds, dice, fires, idle = start, Rounds(), random.Random(seed), 0, 0
    rounds.note(position)
    while GAME.to_act(position) and position.ply < max_turns:
        view, ply = GAME.view(position, position.active), position.ply
        action = players[position.active].think(view, time.monotonic() + limit_s, dice.getrandbits(63)).action
        if isinstance(action, (Fire, Home, Strike)):
            fires += 1
            idle += not has_reason(view, action)
        position = after(position, action)
        if position.ply != ply:
            rounds.note(position)
    return fires, idle, rounds.most


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="normal", choices=[level.id for level in GAME.facts.levels])
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-turns", type=int, default=200)
    given = parser.parse_args()
    level = level_of(GAME, given.level)
    assert level is not None, "it is one of the levels"
    players = make_player(GAME, level, 0), make_player(GAME, level, 0)
    made = list(starts().items())
    with cpu_time():
        for number in range(given.games):
            name, start = made[number % len(made)]
            begun = opening(start, given.seed + number, 2)
            fires, idle, most = play(begun, players, level.think_ms / 1000, given.seed + number, given.max_turns)
            print(f"{name}: {idle} of {fires} Fires at nobody it sees, a position came up {most} times at most", flush=True)


if __name__ == "__main__":
    main()
