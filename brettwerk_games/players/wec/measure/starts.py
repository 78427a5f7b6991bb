"""Positions that games of Weaponized Chess are measured from: the usual start, with Moves only, and those of the presets."""

import random

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.wec import GAME, boards
from brettwerk_games.rules.wec.actions import Action
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.position import End, Position

SEED = bytes(SEED_BYTES)
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
