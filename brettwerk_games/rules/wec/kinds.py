"""The kinds of articles and pieces, and what each can do by nature (WEC-PIECE, WEC-GOV, WEC-ART). Numbers are the contract's."""

from enum import IntEnum
from typing import NamedTuple

from brettwerk_games.rules.wec.board import AIR, SUB


class Article(IntEnum):
    """The 18 kinds of articles (WEC-ART-2). The counter of a weapon, and of Stealth, has its number plus COUNTER."""

    FLAME = 1
    STUN = 2
    CONVERSION = 3
    ROCKET = 4
    SAM = 5
    TORPEDO = 6
    STEALTH = 7
    COUNTER_FLAME = 8
    COUNTER_STUN = 9
    COUNTER_CONVERSION = 10
    COUNTER_ROCKET = 11
    COUNTER_SAM = 12
    COUNTER_TORPEDO = 13
    COUNTER_STEALTH = 14
    BIKE = 15
    JUMP_PACK = 16
    SCUBA = 17
    XXX = 18

    # Members are looked up all the time; Enum hashes their names, in Python.
    __hash__ = int.__hash__


COUNTER = 7
WEAPONS = tuple(Article(number) for number in range(1, 7))
"""The six weapons; the article and the ability have the same number."""
LAUNCHERS = (Article.ROCKET, Article.SAM, Article.TORPEDO)
TRANSPORTS = (Article.BIKE, Article.JUMP_PACK, Article.SCUBA)

ARTICLE_CODES = {
    Article.FLAME: "FL",
    Article.STUN: "ST",
    Article.CONVERSION: "CS",
    Article.ROCKET: "RL",
    Article.SAM: "SL",
    Article.TORPEDO: "TL",
    Article.STEALTH: "SH",
    Article.COUNTER_FLAME: "AFL",
    Article.COUNTER_STUN: "AST",
    Article.COUNTER_CONVERSION: "ACS",
    Article.COUNTER_ROCKET: "ARL",
    Article.COUNTER_SAM: "ASL",
    Article.COUNTER_TORPEDO: "ATL",
    Article.COUNTER_STEALTH: "ASH",
    Article.BIKE: "BI",
    Article.JUMP_PACK: "JP",
    Article.SCUBA: "SC",
    Article.XXX: "XXX",
}
"""How the notation writes each (WEC-NOTATION-5, WEC-NOTATION-6, WEC-RUL-52)."""

FLIGHT_LEVEL = {Article.ROCKET: 0, Article.SAM: AIR, Article.TORPEDO: SUB}
"""The level of each launcher's projectiles (WEC-PROJ-1)."""
TRAVEL_LEVEL = {Article.BIKE: 0, Article.JUMP_PACK: AIR, Article.SCUBA: SUB}
"""The level that each transport goes over (WEC-ART-8)."""


class Hand(IntEnum):
    """Handedness (WEC-PIECE-12)."""

    NONE = 0
    LEFT = 1
    RIGHT = 2

    __hash__ = int.__hash__


class Kind(IntEnum):
    """The kinds of pieces (WEC-PIECE-13)."""

    FLAME_PAWN = 1
    ROCKET_PAWN = 2
    STUN_PAWN = 3
    CONVERSION_PAWN = 4
    SAM_TORPEDO_PAWN = 5
    XXX_PAWN = 6
    STEALTH_PAWN = 7
    PANZER = 8
    DOZER = 9
    CLERIC = 10
    CHOPPER = 11
    JET = 12
    SUB = 13
    DESTROYER = 14
    AAA = 15
    KING = 16
    DICTATOR = 17
    AVATAR = 18
    PRESIDENT = 19
    QUEEN = 20
    ASSASSIN = 21
    ACOLYTE = 22
    PRIME_MINISTER = 23

    __hash__ = int.__hash__


class Nature(NamedTuple):
    """The abilities of a kind of piece that carries nothing."""

    code: str
    weapons: tuple[Article, ...] = ()
    counters: tuple[Article, ...] = ()
    combat: bool = True
    shares: bool = False
    handed: bool = False
    stealthy: bool = False


_A = Article
NATURES = {
    Kind.FLAME_PAWN: Nature("FP", (_A.FLAME,), (_A.FLAME,)),
    Kind.ROCKET_PAWN: Nature("RP", (_A.ROCKET,), (_A.ROCKET,)),
    Kind.STUN_PAWN: Nature("STP", (_A.STUN,), (_A.STUN,)),
    Kind.CONVERSION_PAWN: Nature("CP", (_A.CONVERSION,), (_A.CONVERSION,)),
    Kind.SAM_TORPEDO_PAWN: Nature("SOP", (_A.SAM, _A.TORPEDO)),
    Kind.XXX_PAWN: Nature("XP"),
    Kind.STEALTH_PAWN: Nature("SHP", stealthy=True),
    Kind.PANZER: Nature("TA", (_A.FLAME,), handed=True),
    Kind.DOZER: Nature("DO", combat=False, shares=True),
    Kind.CLERIC: Nature("CL", (_A.CONVERSION,), handed=True),
    Kind.CHOPPER: Nature("CH", (_A.STUN,), shares=True, handed=True),
    Kind.JET: Nature("JE", (_A.SAM, _A.ROCKET), combat=False),
    Kind.SUB: Nature("SU", (_A.TORPEDO, _A.ROCKET), combat=False, shares=True),
    Kind.DESTROYER: Nature("DS", (_A.TORPEDO,), combat=False, shares=True),
    Kind.AAA: Nature("AAA", (_A.SAM,), combat=False, shares=True, stealthy=True),
    Kind.KING: Nature("K", counters=(_A.FLAME, _A.ROCKET)),
    Kind.DICTATOR: Nature("DI", counters=(_A.CONVERSION, _A.ROCKET)),
    Kind.AVATAR: Nature("AV", counters=(_A.STUN, _A.ROCKET)),
    Kind.PRESIDENT: Nature("PR", counters=(_A.CONVERSION, _A.FLAME)),
    Kind.QUEEN: Nature("Q", counters=(_A.CONVERSION, _A.STUN)),
    Kind.ASSASSIN: Nature("AS", counters=(_A.FLAME, _A.STUN)),
    Kind.ACOLYTE: Nature("AC", counters=(_A.FLAME, _A.CONVERSION)),
    Kind.PRIME_MINISTER: Nature("PM", counters=(_A.ROCKET, _A.STUN)),
}
"""The table of WEC-PIECE-13 and WEC-GOV-5. `counters` names the weapons that are countered by nature."""

PAWNS = frozenset(Kind(number) for number in range(1, 8))
PRIMARIES = frozenset({Kind.KING, Kind.DICTATOR, Kind.AVATAR, Kind.PRESIDENT})
SECONDARIES = frozenset({Kind.QUEEN, Kind.ASSASSIN, Kind.ACOLYTE, Kind.PRIME_MINISTER})
CARRIES_IN = {Kind.CHOPPER: AIR, Kind.SUB: SUB}
"""The kinds that carry another piece, and the level off the Ground where they do (WEC-CARRY-1, WEC-RUL-30)."""
RESTRICTED_ROCKET = {Kind.JET: AIR, Kind.SUB: SUB}
"""The kinds with the restricted Rocket Launcher, and the level that it is fired from (WEC-FIRE-OFFLEVEL-1, WEC-RUL-15)."""
GOVERNMENTS = (
    (Kind.KING, Kind.QUEEN),
    (Kind.DICTATOR, Kind.ASSASSIN),
    (Kind.AVATAR, Kind.ACOLYTE),
    (Kind.PRESIDENT, Kind.PRIME_MINISTER),
)
"""Primary and secondary of each government in the order of their numbers (WEC-GOV-6)."""
