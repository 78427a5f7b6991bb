"""The tables of a game for the small picture: how pieces go, what they can do and are worth, by the game's options."""

import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

from brettwerk_games.players.wec import layout, values
from brettwerk_games.rules.wec import paths
from brettwerk_games.rules.wec.board import DIRECTIONS, NEXT, SIZE, SQUARES, distance
from brettwerk_games.rules.wec.kinds import CARRIES_IN, NATURES, PAWNS, PRIMARIES, SECONDARIES, Hand, Kind
from brettwerk_games.rules.wec.options import Actions, Options, StunEffect

_WAYS = {
    Kind.PANZER: layout.PANZER_LEFT,
    Kind.CLERIC: layout.CLERIC_LEFT,
    Kind.JET: layout.JET,
    Kind.SUB: layout.SUB,
    Kind.CHOPPER: layout.CHOPPER,
    **dict.fromkeys(SECONDARIES, layout.SECONDARY),
    **dict.fromkeys(PAWNS, layout.PAWN),
}
_NOWHERE = 3


@lru_cache(maxsize=8)
def tables(options: Options) -> "array.array[int]":
    """Return the row of tables (layout.py) for some options; nobody may change it."""
    row = array.array("i", bytes(4 * layout.DATA))
    _options(row, options)
    for kind in Kind:
        _nature(row, kind)
    for article, worth in values.ARTICLE.items():
        row[layout.ARTICLE_VALUE + article] = worth
    for square in range(SQUARES):
        for direction in range(len(DIRECTIONS)):
            row[layout.NEXT + 8 * square + direction] = NEXT[square][direction]
        for other in range(SQUARES):
            row[layout.DISTANCE + SQUARES * square + other] = distance(square, other)
        for seat in (0, 1):
            _ways(row, options, square, seat)
    return row


def _options(row: "array.array[int]", options: Options) -> None:
    row[layout.FLAME_RANGE] = options.flame_range
    row[layout.STUN_RANGE] = options.stun_range
    row[layout.STUN_TIME] = options.stun_duration
    row[layout.OFF_LEVEL] = options.off_level_rocket_range
    row[layout.NO_FIRES] = options.actions == Actions.MOVES_ONLY
    row[layout.SUB_JET] = options.sub_jet_combat
    row[layout.KING_STAYS] = not options.king_may_leave_ground
    row[layout.FIRE_REVEALS] = options.reveal_on_fire
    row[layout.TAKE_REVEALS] = options.reveal_on_take
    row[layout.HOMING_RANGE] = 0 if options.actions == Actions.MOVES_ONLY else options.homing_range
    row[layout.HELPLESS] = options.stun_effect == StunEffect.HELPLESS
    for weapon in range(1, 7):
        row[layout.RATES + weapon] = options.fire_rate(weapon)


def _nature(row: "array.array[int]", kind: Kind) -> None:
    nature = NATURES[kind]
    row[layout.COMBAT + kind] = nature.combat
    row[layout.SHARES + kind] = nature.shares
    weapons = (*nature.weapons, 0, 0)
    row[layout.WEAPON_A + kind], row[layout.WEAPON_B + kind] = weapons[0], weapons[1]
    row[layout.COUNTERED + kind] = sum(1 << weapon for weapon in nature.counters)
    row[layout.CARRIER + kind] = 1 if kind == Kind.JET else CARRIES_IN.get(kind, _NOWHERE)
    row[layout.WAY + kind] = _WAYS.get(kind, layout.STEP)
    row[layout.VALUE + kind] = values.PIECE[kind]
    row[layout.HUNTS + kind] = values.HUNT.get(kind, 0)
    for square in range(SQUARES):
        across = square % SIZE
        aside = min(abs(across - 4), abs(across - 5))
        for seat in (0, 1):
            forward = square // SIZE if seat == 0 else SIZE - 1 - square // SIZE
            row[layout.SQUARE_VALUE + 200 * kind + 100 * seat + square] = values.square(kind, forward, aside)


def _chains(lines: Iterable[paths.Line]) -> list[paths.Chain]:
    """Return the paths alone: the way to the last place of each."""
    return [line[-1][1] for line in lines]


def _ways(row: "array.array[int]", options: Options, square: int, seat: int) -> None:
    lines: dict[int, Iterable[Sequence[int]]] = {
        layout.PANZER_LEFT: _chains(paths.panzer(options, Hand.LEFT, square, seat)),
        layout.PANZER_RIGHT: _chains(paths.panzer(options, Hand.RIGHT, square, seat)),
        layout.CLERIC_LEFT: _chains(paths.cleric(options, Hand.LEFT, square, seat)),
        layout.CLERIC_RIGHT: _chains(paths.cleric(options, Hand.RIGHT, square, seat)),
        layout.SECONDARY: _chains(paths.secondary(options, square, seat)),
        layout.STEP: [(near,) for near in paths.steps(square, seat)],
        layout.JET: paths.jet(square, seat),
    }
    for way, chains in lines.items():
        row[layout.LINES + 200 * way + 100 * seat + square] = len(row)
        found = [chain for chain in chains if chain]
        row.append(len(found))
        for chain in found:
            row.extend((len(chain), *chain))
    moves, attacks, double = paths.pawn(options.movement, options.pawn_variant, square, seat)
    row[layout.PAWNS + 100 * seat + square] = len(row)
    row.extend((len(moves), *moves, len(attacks), *attacks, len(double), *(near for pair in double for near in pair)))
    for hand in (Hand.LEFT, Hand.RIGHT):
        row[layout.HOPS + 200 * hand + 100 * seat + square] = len(row)
        hops = paths.hops(options.movement, hand, square, seat)
        row.append(len(hops))
        for chains_there in hops:
            row.extend((chains_there[0][-1], len(chains_there), len(chains_there[0])))
            row.extend(near for chain in chains_there for near in chain)


assert min(PRIMARIES) == layout.PRIMARY_FROM
assert min(SECONDARIES) == layout.SECONDARY_FROM
