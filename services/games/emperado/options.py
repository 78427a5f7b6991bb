"""The options of a game of EMPERADO (chapter 17 of the rules page). The numbers are those of the contract."""

from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from services.games.facts import read_facts
from services.games.refusals import Illegal, Malformed

WAIT = 100
"""The time that means: until a key is pressed (EMP-TIME-1)."""
SHORTEST_LIMIT = 20
"""Least number of rounds that a game can be limited to (EMP-END-5)."""

FACTS = read_facts(Path(__file__).parent)
PRESETS = FACTS.presets_of_options
MAX_SEATS = len(FACTS.seats)


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

    start_armies: int = PRESETS["start_armies"]
    ghost_armies: int = PRESETS["ghost_armies"]
    card_bonus_start: int = PRESETS["card_bonus_start"]
    capture_move: CaptureMove = CaptureMove(PRESETS["capture_move"])
    card_exchange: CardExchange = CardExchange(PRESETS["card_exchange"])
    captured_cards: CapturedCards = CapturedCards(PRESETS["captured_cards"])
    undo: Undo = Undo(PRESETS["undo"])
    win: Win = Win(PRESETS["win"])
    auto_draw: bool = bool(PRESETS["auto_draw"])
    max_rounds: int = PRESETS["max_rounds"]
    solidarity: int = PRESETS["solidarity"]
    coalition: int = PRESETS["coalition"]
    country_handicap: int = PRESETS["country_handicap"]
    info_time: int = PRESETS["info_time"]
    table_time: int = PRESETS["table_time"]
    graphic_time: int = PRESETS["graphic_time"]
    computers: tuple[bool, ...] = (False,) * MAX_SEATS


PRESET = Options()
"""The options of a game that nobody chose any for."""

_RANGES = FACTS.ranges
_SETTLED = FACTS.settled
"""Options that are settled before the start, and their rules; all others can change at any time."""
_RULES_OF_GROUPS = {"parameters": "EMP-PARAM-8", "display": "EMP-TIME-1"}
_RULES_OF_RANGES = {option.key: _RULES_OF_GROUPS.get(option.group, option.rule) for option in FACTS.options}
"""By option: the rule that says which numbers it takes."""


def require_range(options: Options) -> None:
    """Raise Malformed with field and rule for numbers out of range (EMP-PARAM-8)."""
    for field, (least, most) in _RANGES.items():
        value = getattr(options, field)
        if not least <= value <= most:
            details = {"value": str(value), "least": str(least), "most": str(most)}
            message = f"{field} is {value}, not from {least} to {most}"
            raise Malformed(message, rule=_RULES_OF_RANGES[field], field=field, details=details)
    if len(options.computers) != MAX_SEATS:
        raise Malformed(f"computers tells of {MAX_SEATS} seats", rule="EMP-PLAYER-2", field="computers")


def require_options(options: Options) -> None:
    """Raise Malformed for numbers out of range, Illegal for a limit of rounds that is too short for a game."""
    require_range(options)
    if 0 < options.max_rounds < SHORTEST_LIMIT:
        raise Illegal(f"a game's limit is at least {SHORTEST_LIMIT} rounds", rule="EMP-END-5")


def require_change(before: Options, after: Options) -> None:
    """Raise Illegal when options differ that are settled before the start (EMP-OPTION-1), and what require_options raises."""
    require_options(after)
    for field, rule in _SETTLED.items():
        if getattr(before, field) != getattr(after, field):
            raise Illegal(f"{field} is settled before the start", rule="EMP-OPTION-1", details={"option": field, "by": rule})
