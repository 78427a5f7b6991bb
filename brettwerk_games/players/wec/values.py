"""The worth of pieces, articles and squares to the player, in hundredths of a Pawn or so: a judgement, not a rule."""

from brettwerk_games.rules.wec.kinds import NATURES, PAWNS, PRIMARIES, SECONDARIES, Article, Kind

PRIMARY = 20_000
"""More than all else together."""

PIECE = {
    Kind.FLAME_PAWN: 150,
    Kind.ROCKET_PAWN: 170,
    Kind.STUN_PAWN: 190,
    Kind.CONVERSION_PAWN: 220,
    Kind.SAM_TORPEDO_PAWN: 120,
    Kind.XXX_PAWN: 130,
    Kind.STEALTH_PAWN: 130,
    Kind.PANZER: 520,
    Kind.DOZER: 120,
    Kind.CLERIC: 560,
    Kind.CHOPPER: 460,
    Kind.JET: 380,
    Kind.SUB: 240,
    Kind.DESTROYER: 150,
    Kind.AAA: 200,
    **dict.fromkeys(PRIMARIES, PRIMARY),
    **dict.fromkeys(SECONDARIES, 1000),
}

ARTICLE = {
    Article.FLAME: 60,
    Article.STUN: 60,
    Article.CONVERSION: 90,
    Article.ROCKET: 60,
    Article.SAM: 15,
    Article.TORPEDO: 12,
    Article.STEALTH: 25,
    Article.COUNTER_FLAME: 35,
    Article.COUNTER_STUN: 30,
    Article.COUNTER_CONVERSION: 45,
    Article.COUNTER_ROCKET: 35,
    Article.COUNTER_SAM: 12,
    Article.COUNTER_TORPEDO: 8,
    Article.COUNTER_STEALTH: 20,
    Article.BIKE: 15,
    Article.JUMP_PACK: 15,
    Article.SCUBA: 10,
    Article.XXX: 20,
}

HUNT = {
    Kind.PANZER: 4,
    Kind.CLERIC: 6,
    Kind.CHOPPER: 5,
    Kind.JET: 2,
    **dict.fromkeys(SECONDARIES, 4),
    **dict.fromkeys(PAWNS, 1),
    Kind.CONVERSION_PAWN: 4,
}
"""The worth of each step nearer to the enemy primary."""

FRONT = (140, 140, 130, 120, 110, 100, 90, 80)
"""The worth of a weapon so many squares from the nearest enemy, in per cent; farther away it is as at the end."""

_FAST = {Kind.PANZER, Kind.CLERIC, Kind.CHOPPER, *SECONDARIES}


def square(kind: Kind, forward: int, aside: int) -> int:
    """Return what a square is worth: `forward` rows from the own edge (0 to 9), `aside` columns from the middle (0 to 4)."""
    if kind in PRIMARIES:
        return -8 * forward
    if kind in PAWNS:
        return 5 * forward + (2 - aside if forward > 1 else 0)
    if kind in _FAST:
        return 2 * min(forward, 6) + 2 * (4 - aside)
    return min(forward, 4)


def suits(article: Article, kind: Kind) -> int:
    """Return what an article is worth to a piece of a kind: weapons to what gets about, counters to what must be kept."""
    worth = ARTICLE[article]
    nature = NATURES[kind]
    weapon = Article(article - 7) if Article.COUNTER_FLAME <= article <= Article.COUNTER_TORPEDO else None
    if kind in PRIMARIES:
        if article == Article.COUNTER_CONVERSION:
            return 200 if weapon not in nature.counters else 80
        if weapon in (Article.FLAME, Article.ROCKET, Article.STUN):
            return 60 if weapon in nature.counters else 120
        return 40 if article == Article.XXX else 5
    if weapon is not None:
        return worth * (2 if PIECE[kind] >= 400 else 1) // (2 if weapon in nature.counters else 1)
    if Article.FLAME <= article <= Article.CONVERSION or article == Article.ROCKET:
        return worth * 3 // 2 if kind in _FAST else worth
    if article == Article.STEALTH:
        return 5 if nature.stealthy else worth + (20 if PIECE[kind] >= 400 else 0)
    if article == Article.XXX:
        return 2 if kind == Kind.XXX_PAWN else worth + (20 if kind in _FAST else 0)
    if article in (Article.BIKE, Article.JUMP_PACK, Article.SCUBA):
        return worth if kind in PAWNS else worth // 2
    return worth
