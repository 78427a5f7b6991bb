"""The options of a game of EMPERADO (chapter 17 of the rules page). The numbers are those of the contract."""

from enum import IntEnum
from typing import NamedTuple

from services.games.refusals import Illegal, Malformed

MAX_SEATS = 6
WAIT = 100
"""The time that means: until a key is pressed (EMP-TIME-1)."""
SHORTEST_LIMIT = 20
"""Least number of rounds that a game can be limited to (EMP-END-5)."""


class CaptureMove(IntEnum):
    """How many armies move into a captured country (EMP-ATTACK-11)."""

    ALL = 1
    CHOOSE = 2
    DICE = 3
    ONE = 4


class CardExchange(IntEnum):
    """How sets of cards become armies (EMP-CARD-4)."""

    AUTO = 1
    MANUAL = 2


class CapturedCards(IntEnum):
    """What becomes of an eliminated seat's cards (EMP-CARD-9)."""

    DISCARD = 1
    TAKE = 2


class Undo(IntEnum):
    """What can be taken back (EMP-UNDO-3)."""

    SAFE = 1
    HONOUR = 2
    OFF = 3


class Win(IntEnum):
    """What it takes to win (EMP-END-2)."""

    LAST_SEAT = 1
    WHOLE_WORLD = 2


class Options(NamedTuple):
    """What the creator of a game chooses, and what the seats may change later (EMP-PARAM-1).

    Times are in seconds, 0 off, WAIT until a key; they never change the game (EMP-TIME-5). `computers` tells of each of six
    seats whether a computer plays it (EMP-PLAYER-2).
    """

    start_armies: int = 3
    ghost_armies: int = 3
    card_bonus_start: int = 4
    capture_move: CaptureMove = CaptureMove.ALL
    card_exchange: CardExchange = CardExchange.AUTO
    captured_cards: CapturedCards = CapturedCards.DISCARD
    undo: Undo = Undo.SAFE
    win: Win = Win.LAST_SEAT
    auto_draw: bool = False
    max_rounds: int = 0
    solidarity: int = 0
    coalition: int = 40
    country_handicap: int = 0
    info_time: int = 2
    table_time: int = WAIT
    graphic_time: int = 1
    computers: tuple[bool, ...] = (False,) * MAX_SEATS


PRESET = Options()
"""The options of a game that nobody chose any for."""

RANGES = {
    "start_armies": (1, 9, "EMP-SETUP-7"),
    "ghost_armies": (1, 9, "EMP-SETUP-8"),
    "card_bonus_start": (1, 20, "EMP-SETUP-9"),
    "max_rounds": (0, 999, "EMP-END-5"),
    "solidarity": (-9, 99, "EMP-PARAM-8"),
    "coalition": (-9, 99, "EMP-PARAM-8"),
    "country_handicap": (-9, 99, "EMP-PARAM-8"),
    "info_time": (0, WAIT, "EMP-TIME-1"),
    "table_time": (0, WAIT, "EMP-TIME-1"),
    "graphic_time": (0, WAIT, "EMP-TIME-1"),
}
"""By option: the least and the greatest number that it takes, and the rule that says so."""

SETTLED = {
    "start_armies": "EMP-SETUP-7",
    "ghost_armies": "EMP-SETUP-8",
    "card_bonus_start": "EMP-SETUP-9",
    "capture_move": "EMP-ATTACK-11",
    "card_exchange": "EMP-CARD-4",
    "captured_cards": "EMP-CARD-9",
    "win": "EMP-END-2",
}
"""Options that are settled before the start, and their rules; all others can change at any time."""


def require_range(options: Options) -> None:
    """Raise Malformed with field and rule for numbers out of range (EMP-PARAM-8)."""
    for field, (least, most, rule) in RANGES.items():
        value = getattr(options, field)
        if not least <= value <= most:
            details = {"value": str(value), "least": str(least), "most": str(most)}
            raise Malformed(f"{field} is {value}, not from {least} to {most}", rule=rule, field=field, details=details)
    if len(options.computers) != MAX_SEATS:
        raise Malformed(f"computers tells of {MAX_SEATS} seats", rule="EMP-PLAYER-2", field="computers")


def require_options(options: Options) -> None:
    """Raise Malformed for numbers out of range, Illegal for a limit of rounds that is too short for a game."""
    require_range(options)
    if 0 < options.max_rounds < SHORTEST_LIMIT:
        raise Illegal(f"a game is limited to {SHORTEST_LIMIT} rounds or more", rule="EMP-END-5")


def require_change(before: Options, after: Options) -> None:
    """Raise Illegal when options differ that are settled before the start (EMP-OPTION-1), and what require_options raises."""
    require_options(after)
    for field, rule in SETTLED.items():
        if getattr(before, field) != getattr(after, field):
            raise Illegal(f"{field} is settled before the start", rule="EMP-OPTION-1", details={"option": field, "by": rule})
