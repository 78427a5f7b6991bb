"""The options of a game (WEC-OPT). The numbers of choices are those of the contract; ranges stand in `facts.json` too."""

from enum import IntEnum
from typing import NamedTuple

from services.games.refusals import Illegal


class Movement(IntEnum):
    """The three kinds of movement (WEC-OPT-1)."""

    WEAPONIZED = 1
    STANDARD_CHESS = 2
    MASS_DESTRUCTION = 3

    __hash__ = int.__hash__


class PawnVariant(IntEnum):
    """How Pawns go in Chess of Mass Destruction (WEC-OPT-2)."""

    ALL_SIDES_AND_FORWARD = 1
    ALL_FORWARD = 2
    ALL_BUT_FRONT = 3

    __hash__ = int.__hash__


class Government(IntEnum):
    """A player's government (WEC-OPT-3)."""

    MONARCHY = 1
    DICTATORSHIP = 2
    THEOCRACY = 3
    DEMOCRACY = 4

    __hash__ = int.__hash__


class Dominance(IntEnum):
    """What decides about stealthy pieces in Sub (WEC-OPT-12)."""

    SUBMERGENCE = 1
    STEALTH = 2

    __hash__ = int.__hash__


class TransportStart(IntEnum):
    """Where transports may start (WEC-OPT-25)."""

    GROUND_ONLY = 1
    ALSO_FROM_CARRIER = 2

    __hash__ = int.__hash__


class Actions(IntEnum):
    """Which actions there are (WEC-OPT-26)."""

    ALL = 1
    ONE_PER_PIECE = 2
    MOVES_ONLY = 3

    __hash__ = int.__hash__


class Amount(IntEnum):
    """How much of something there is at the start (WEC-OPT-29)."""

    NORMAL = 1
    NONE = 2

    __hash__ = int.__hash__


class Options(NamedTuple):
    """What the players choose before a game, with the standard game's presets."""

    movement: Movement = Movement.WEAPONIZED
    pawn_variant: PawnVariant = PawnVariant.ALL_SIDES_AND_FORWARD
    government_black: Government = Government.MONARCHY
    government_white: Government = Government.MONARCHY
    stealth_invisible: bool = True
    submerged_invisible: bool = True
    stealth_lock_on: bool = True
    stealth_range_detect: bool = True
    stealth_detector_range: int = 3
    submergence_detector_range: int = 3
    reveal_on_fire: bool = True
    reveal_on_take: bool = True
    dominance: Dominance = Dominance.SUBMERGENCE
    off_level_rocket_range: int = 0
    homing_range: int = 3
    stun_range: int = 9
    stun_duration: int = 3
    flame_range: int = 1
    panzer_range: int = 7
    cleric_range: int = 7
    queen_panzer_range: int = 7
    queen_cleric_range: int = 7
    doze_enemies: bool = True
    king_may_leave_ground: bool = True
    king_may_be_stealthy: bool = False
    transport_start: TransportStart = TransportStart.GROUND_ONLY
    actions: Actions = Actions.ALL
    sub_jet_combat: bool = False
    fire_rate_flame: int = 4
    fire_rate_stun: int = 2
    fire_rate_conversion: int = 4
    fire_rate_rocket: int = 4
    fire_rate_sam: int = 4
    fire_rate_torpedo: int = 4
    reinforcements: Amount = Amount.NORMAL
    weapons: Amount = Amount.NORMAL
    xxx_boxes: Amount = Amount.NORMAL
    competitive: bool = False

    def government(self, seat: int) -> Government:
        """Return a seat's government."""
        return self.government_white if seat else self.government_black

    def fire_rate(self, weapon: int) -> int:
        """Return after how many own Turns a weapon (1 to 6) can be fired again (WEC-FIRE-RATE-2)."""
        return (
            self.fire_rate_flame,
            self.fire_rate_stun,
            self.fire_rate_conversion,
            self.fire_rate_rocket,
            self.fire_rate_sam,
            self.fire_rate_torpedo,
        )[weapon - 1]


RANGES = {
    "stealth_detector_range": (0, 9),
    "submergence_detector_range": (0, 9),
    "off_level_rocket_range": (0, 9),
    "homing_range": (0, 9),
    "stun_range": (1, 9),
    "stun_duration": (1, 9),
    "flame_range": (1, 2),
    "panzer_range": (6, 8),
    "cleric_range": (6, 8),
    "queen_panzer_range": (6, 8),
    "queen_cleric_range": (6, 8),
    "fire_rate_flame": (1, 9),
    "fire_rate_stun": (1, 9),
    "fire_rate_conversion": (1, 9),
    "fire_rate_rocket": (1, 9),
    "fire_rate_sam": (1, 9),
    "fire_rate_torpedo": (1, 9),
}
"""The allowed values of every number (WEC-RUL-57)."""

FIXED = ("government_black", "government_white", "reinforcements", "weapons", "xxx_boxes")
"""What is settled before the start, since the first position is made of it."""


def require_sound(options: Options) -> None:
    """Raise Illegal for options that no game can have (WEC-RUL-57, WEC-OPT-27)."""
    for key, (least, most) in RANGES.items():
        value = getattr(options, key)
        if not least <= value <= most:
            details = {"option": key, "value": str(value), "least": str(least), "most": str(most)}
            raise Illegal(f"{key} is {value}, not from {least} to {most}", rule="WEC-RUL-57", details=details)
    if options.sub_jet_combat and (options.actions != Actions.MOVES_ONLY or options.movement == Movement.WEAPONIZED):
        raise Illegal("Subs and Jets take only where Moves are all there is, and not in Weaponized Chess", rule="WEC-OPT-27")


def require_change(before: Options, after: Options) -> None:
    """Raise Illegal for a change of options during a game (WEC-MODE-2, WEC-OPT-30)."""
    require_sound(after)
    if before.competitive:
        raise Illegal("the game is competitive", rule="WEC-MODE-2")
    for key in FIXED:
        if getattr(before, key) != getattr(after, key):
            rule = "WEC-OPT-3" if key.startswith("government") else "WEC-OPT-29"
            raise Illegal(f"{key} is settled before the start", rule=rule)
