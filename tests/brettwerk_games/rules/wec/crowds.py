"""Crowded boards: one corner full of what can hide and of what travels."""

import random

from brettwerk_games.rules.wec.board import AIR, GROUND, SQUARES, SUB, place_of
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import NATURES, PAWNS, Article, Hand
from brettwerk_games.rules.wec.kinds import Kind as Sort
from brettwerk_games.rules.wec.options import Dominance, Options, TransportStart
from brettwerk_games.rules.wec.piece_numbers import first_called
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece, Transit, within_capacity
from brettwerk_games.rules.wec.position import Position, Projectile, Reserve
from brettwerk_games.rules.wec.transits import route, routes
from brettwerk_games.rules.wec.visibility import first_locks

SORTS = (
    *(Sort.AAA, Sort.AAA, Sort.SUB, Sort.SUB, Sort.DOZER, Sort.DOZER, Sort.CHOPPER, Sort.CHOPPER, Sort.JET, Sort.DESTROYER),
    *(Sort.PANZER, Sort.CLERIC, Sort.QUEEN, Sort.FLAME_PAWN, Sort.STUN_PAWN, Sort.STEALTH_PAWN, Sort.ROCKET_PAWN),
)
CARRIED = (
    *(Article.STEALTH, Article.STEALTH, Article.BIKE, Article.JUMP_PACK, Article.SCUBA, Article.SCUBA, Article.TORPEDO),
    *(Article.STUN, Article.FLAME, Article.COUNTER_STEALTH, Article.SAM, Article.XXX),
)


def options_of(dice: random.Random) -> Options:
    return Options(
        competitive=dice.random() < 0.8,
        stealth_range_detect=dice.random() < 0.5,
        stealth_lock_on=dice.random() < 0.7,
        reveal_on_fire=dice.random() < 0.5,
        reveal_on_take=dice.random() < 0.5,
        dominance=dice.choice(list(Dominance)),
        submergence_detector_range=dice.randrange(4),
        stealth_detector_range=dice.randrange(4),
        off_level_rocket_range=dice.randrange(3),
        transport_start=dice.choice(list(TransportStart)),
        homing_range=9,
    )


def crowded(dice: random.Random) -> Position:
    """Return a position of one corner of the board, full of what can hide and of what travels."""
    options, field = options_of(dice), Field(())
    counts = [0, WHITE_IDS]
    for seat, square in ((0, 0), (1, 99)):
        counts[seat] += 1
        field.put(Piece(counts[seat], seat, Sort.KING, square))
    for _ in range(dice.randrange(14, 30)):
        seat = dice.randrange(2)
        made = _piece(dice, counts[seat] + 1, seat)
        mates = [p for p in field.in_order() if p.seat == seat and p.place != made.place]
        if mates and dice.random() < 0.4:
            made = made._replace(place=dice.choice(mates).place, transit=None)
        if field.room_for(made, made.place):
            field.put(made)
            counts[seat] += 1
            if not field.supported(made):
                field.remove(made.id)
    reserves = [
        Reserve(900 + WHITE_IDS * seat + n, seat, dice.randrange(SQUARES), dice.choice((Sort.AAA, Sort.DOZER, Sort.SUB)))
        for seat in (0, 1)
        for n in range(4)
    ]
    ply = dice.choice((3, 4))
    ground: list[tuple[Carried, ...]] = [()] * SQUARES
    for piece in field.in_order():
        if dice.random() < 0.3:
            ground[piece.square] = (Carried(dice.choice(CARRIED)),)
    start = Position(
        options,
        tuple(first_locks(list(field.in_order()), options, ply)),
        tuple(ground),
        ply=ply,
        projectiles=_flying(dice),
        reserves=tuple(reserves),
        first_line=ply,
        edited=True,
    )
    return start._replace(called=first_called(start))


def _piece(dice: random.Random, number: int, seat: int) -> Piece:
    sort = dice.choice(SORTS)
    square = dice.randrange(6) * 10 + dice.randrange(6)
    carried = tuple(Carried(dice.choice(CARRIED)) for _ in range(dice.choice((0, 1, 1))))
    carried = carried if within_capacity(sort, carried) else ()
    hand = Hand.RIGHT if NATURES[sort].handed else Hand.NONE
    level = {Sort.SUB: dice.choice((GROUND, SUB, SUB)), Sort.JET: dice.choice((GROUND, AIR))}.get(sort, GROUND)
    made = Piece(number, seat, sort, place_of(square, level), hand, carried, origin=sort in PAWNS and dice.random() < 0.5)
    if carried and carried[0].kind in (Article.SCUBA, Article.JUMP_PACK, Article.BIKE) and dice.random() < 0.5:
        kind = carried[0].kind
        level = {Article.SCUBA: SUB, Article.JUMP_PACK: AIR, Article.BIKE: GROUND}[kind]
        left = way(dice, square)[: dice.choice((1, 2, 9))] if kind == Article.BIKE or dice.random() < 0.8 else ()
        made = made._replace(place=place_of(square, level), transit=Transit(kind, left, number))
    return made


def way(dice: random.Random, square: int) -> tuple[int, ...]:
    target = dice.choice([other for other in range(SQUARES) if other != square])
    return route(square, target, dice.choice(routes(square, target)))


def _flying(dice: random.Random) -> tuple[Projectile, ...]:
    kinds = (Article.ROCKET, Article.SAM, Article.TORPEDO)
    return tuple(
        Projectile(n, dice.choice(kinds), dice.randrange(2), dice.randrange(6) * 10 + dice.randrange(6), dice.randrange(8), 1, 0)
        for n in range(1, dice.randrange(1, 4))
    )
