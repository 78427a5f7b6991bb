"""The options of a game of EMPERADO (chapter 17 of the rules page). The contract is made of it (scripts/option_contract.py)."""

from enum import IntEnum
from pathlib import Path
from typing import Annotated, NamedTuple

from brettwerk_games.rules.bounds import Bound
from brettwerk_games.rules.emperado.map_texts import with_maps
from brettwerk_games.rules.emperado.maps import require_world
from brettwerk_games.rules.facts import read_facts
from brettwerk_games.rules.options import Option
from brettwerk_games.rules.refusals import Illegal, Malformed

SHORTEST_LIMIT = 20
"""Least number of rounds that a game can be limited to (EMP-END-5)."""

MAX_SEATS = 6


class CaptureMove(IntEnum):
    """How many armies move into a captured country (EMP-ATTACK-11)."""

    ALL = 1
    """All but one."""
    CHOOSE = 2
    """As many as the conqueror likes, from the dice of the last throw up to all but one."""
    DICE = 3
    """As many as there were dice in the last throw."""
    ONE = 4
    """One."""


class CardExchange(IntEnum):
    """How sets of cards become armies (EMP-CARD-4)."""

    AUTO = 1
    """Automatically at the start of the turn."""
    MANUAL = 2
    """Whenever their owner wants to; with five cards or more they must."""


class CapturedCards(IntEnum):
    """What happens to an eliminated seat's cards (EMP-CARD-9)."""

    DISCARD = 1
    """They are removed."""
    TAKE = 2
    """The conqueror gets them."""


class Undo(IntEnum):
    """What can be taken back (EMP-UNDO-3)."""

    SAFE = 1
    """Placing and moving, but no attacks."""
    HONOUR = 2
    """Attacks too, if nobody else plays or the others agree; the same attack then throws the same dice, whatever is done before
    it."""
    OFF = 3
    """Nothing."""


class Luck(IntEnum):
    """How far dice decide what a throw costs (EMP-ATTACK-15)."""

    FULL = 1
    """They decide alone."""
    HALF = 2
    """Half of it; the other half is what a throw costs on average."""
    LITTLE = 3
    """A throw costs what it does on average, and only a single pair is decided by dice."""


class Win(IntEnum):
    """What it takes to win (EMP-END-2)."""

    LAST_SEAT = 1
    """To be the last seat in the game."""
    WHOLE_WORLD = 2
    """To own all 60 countries, including the white ones."""


class Options(NamedTuple):
    """The choices of the creator of a game, and those that the seats may change later (EMP-PARAM-1).

    Times never change the game (EMP-TIME-5).
    """

    start_armies: Annotated[int, Option("EMP-SETUP-7", "start", min=1, max=9)] = 3
    """Armies in every country that was dealt."""
    ghost_armies: Annotated[int, Option("EMP-SETUP-8", "start", min=1, max=9)] = 3
    """Armies in every white country."""
    card_bonus_start: Annotated[int, Option("EMP-SETUP-9", "start", min=1, max=20)] = 4
    """What the first set of cards is worth."""
    capture_move: Annotated[CaptureMove, Option("EMP-ATTACK-11", "course")] = CaptureMove.ALL
    """How many armies move into a captured country."""
    card_exchange: Annotated[CardExchange, Option("EMP-CARD-4", "course")] = CardExchange.AUTO
    """How sets of cards become armies."""
    captured_cards: Annotated[CapturedCards, Option("EMP-CARD-9", "course")] = CapturedCards.DISCARD
    """What happens to an eliminated seat's cards."""
    undo: Annotated[Undo, Option("EMP-UNDO-3", "course", "always")] = Undo.SAFE
    """What can be taken back."""
    win: Annotated[Win, Option("EMP-END-2", "end")] = Win.LAST_SEAT
    """What it takes to win."""
    auto_draw: Annotated[bool, Option("EMP-END-5", "end", "always")] = False
    """Whether a stalled game is drawn automatically."""
    max_rounds: Annotated[int, Option("EMP-END-5", "end", "always", max=999)] = 0
    """After how many rounds the game is drawn: 20 to 999, 0 for never."""
    solidarity: Annotated[int, Option("EMP-PARAM-2", "parameters", "always", min=-9, max=99)] = 0
    """How far computers join forces against people; a negative value spares people."""
    coalition: Annotated[int, Option("EMP-PARAM-3", "parameters", "always", min=-9, max=99)] = 40
    """How far the weaker seats join forces against the strongest."""
    country_handicap: Annotated[int, Option("EMP-REINF-6", "parameters", "always", min=-9, max=99)] = 0
    """Countries added when the country bonus is calculated: to computers if positive, to people if negative."""
    info_time: Annotated[int, Option("EMP-TIME-2", "display", "always", max=100)] = 2
    """For how many seconds clients show what a seat receives; 0 for not at all, 100 until a key is pressed."""
    table_time: Annotated[int, Option("EMP-TIME-3", "display", "always", max=100, former_presets={"1": 100, "2": 100})] = 1
    """For how many seconds clients show the table of a computer's turn; 0 for not at all, 100 until a key is pressed."""
    graphic_time: Annotated[int, Option("EMP-TIME-4", "display", "always", max=100)] = 1
    """For how many seconds clients show arrows for a computer's attacks; 0 for not at all, 100 until a key is pressed."""
    computers: Annotated[tuple[bool, ...], Bound(items=MAX_SEATS, max=1)] = (False,) * MAX_SEATS
    """By seat: 1 for a computer, 0 for a person; seats left out are people (EMP-PLAYER-2)."""
    luck: Annotated[Luck, Option("EMP-ATTACK-15", "course")] = Luck.FULL
    """How far dice decide what a throw costs."""
    map: Annotated[str, Option("EMP-MAP-6", "start", max=20, rated_apart=True)] = ""
    """The map that is played on; empty for the usual world."""


FACTS = with_maps(read_facts(Path(__file__).parent, Options))
PRESET = Options()
"""The options of a game that nobody chose any for."""

_RANGES = FACTS.ranges
_SETTLED = FACTS.settled
"""Options that are settled before the start, and their rules; all others can change at any time."""
_RULES_OF_GROUPS = {"parameters": "EMP-PARAM-8", "display": "EMP-TIME-1"}
_RULES_OF_RANGES = {option.key: _RULES_OF_GROUPS.get(option.group, option.rule) for option in FACTS.options}
"""By option: the rule that says which numbers it takes."""


def require_choices(options: Options) -> None:
    """Raise Malformed with field and rule for numbers out of range (EMP-PARAM-8), and for a map that is not installed."""
    require_world(options.map)
    for field, (least, most) in _RANGES.items():
        value = getattr(options, field)
        if not least <= value <= most:
            details = {"value": str(value), "least": str(least), "most": str(most)}
            message = f"{field} is {value}, not from {least} to {most}"
            raise Malformed(message, rule=_RULES_OF_RANGES[field], field=field, details=details)
    if len(options.computers) != MAX_SEATS:
        raise Malformed(f"computers tells of {MAX_SEATS} seats", rule="EMP-PLAYER-2", field="computers")


def require_options(options: Options) -> None:
    """Raise Malformed for what nobody can choose, Illegal for a limit of rounds that is too short for a game."""
    require_choices(options)
    if 0 < options.max_rounds < SHORTEST_LIMIT:
        raise Illegal(f"a game's limit is at least {SHORTEST_LIMIT} rounds", rule="EMP-END-5")


def require_change(before: Options, after: Options) -> None:
    """Raise Illegal when options differ that are settled before the start (EMP-OPTION-1), and what require_options raises."""
    require_options(after)
    for field, rule in _SETTLED.items():
        if getattr(before, field) != getattr(after, field):
            raise Illegal(f"{field} is settled before the start", rule="EMP-OPTION-1", details={"option": field, "by": rule})
