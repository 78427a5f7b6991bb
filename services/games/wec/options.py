"""The options of a game (WEC-OPT). The numbers of choices are those of the contract."""

from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

from services.games.facts import read_facts
from services.games.refusals import Illegal
from services.games.turns import require_settled

FACTS = read_facts(Path(__file__).parent)
PRESETS = FACTS.presets_of_options


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
    FEW = 3
    MANY = 4

    __hash__ = int.__hash__


class StunEffect(IntEnum):
    """What a stunned piece cannot do: anything, or Move and travel (WEC-OPT-33)."""

    HELPLESS = 1
    IMMOBILE = 2

    __hash__ = int.__hash__


class ReinforcementTime(IntEnum):
    """When a reinforcement can be called: when a piece leaves its square, or in later Turns, too (WEC-OPT-34)."""

    AT_ONCE = 1
    ALSO_LATER = 2

    __hash__ = int.__hash__


class ExchangeLevels(IntEnum):
    """Between which levels pieces other than secondaries can exchange articles (WEC-OPT-35)."""

    ALL = 1
    SAME = 2

    __hash__ = int.__hash__


class Options(NamedTuple):
    """What the players choose before a game, with the standard game's presets. Messages may leave out what has them."""

    movement: Movement = Movement(PRESETS["movement"])
    pawn_variant: PawnVariant = PawnVariant(PRESETS["pawn_variant"])
    government_black: Government = Government(PRESETS["government_black"])
    government_white: Government = Government(PRESETS["government_white"])
    stealth_invisible: bool = bool(PRESETS["stealth_invisible"])
    submerged_invisible: bool = bool(PRESETS["submerged_invisible"])
    stealth_lock_on: bool = bool(PRESETS["stealth_lock_on"])
    stealth_range_detect: bool = bool(PRESETS["stealth_range_detect"])
    stealth_detector_range: int = PRESETS["stealth_detector_range"]
    submergence_detector_range: int = PRESETS["submergence_detector_range"]
    reveal_on_fire: bool = bool(PRESETS["reveal_on_fire"])
    reveal_on_take: bool = bool(PRESETS["reveal_on_take"])
    dominance: Dominance = Dominance(PRESETS["dominance"])
    off_level_rocket_range: int = PRESETS["off_level_rocket_range"]
    homing_range: int = PRESETS["homing_range"]
    stun_range: int = PRESETS["stun_range"]
    stun_duration: int = PRESETS["stun_duration"]
    flame_range: int = PRESETS["flame_range"]
    panzer_range: int = PRESETS["panzer_range"]
    cleric_range: int = PRESETS["cleric_range"]
    queen_panzer_range: int = PRESETS["queen_panzer_range"]
    queen_cleric_range: int = PRESETS["queen_cleric_range"]
    doze_enemies: bool = bool(PRESETS["doze_enemies"])
    king_may_leave_ground: bool = bool(PRESETS["king_may_leave_ground"])
    king_may_be_stealthy: bool = bool(PRESETS["king_may_be_stealthy"])
    transport_start: TransportStart = TransportStart(PRESETS["transport_start"])
    actions: Actions = Actions(PRESETS["actions"])
    sub_jet_combat: bool = bool(PRESETS["sub_jet_combat"])
    fire_rate_flame: int = PRESETS["fire_rate_flame"]
    fire_rate_stun: int = PRESETS["fire_rate_stun"]
    fire_rate_conversion: int = PRESETS["fire_rate_conversion"]
    fire_rate_rocket: int = PRESETS["fire_rate_rocket"]
    fire_rate_sam: int = PRESETS["fire_rate_sam"]
    fire_rate_torpedo: int = PRESETS["fire_rate_torpedo"]
    reinforcements: Amount = Amount(PRESETS["reinforcements"])
    weapons: Amount = Amount(PRESETS["weapons"])
    xxx_boxes: Amount = Amount(PRESETS["xxx_boxes"])
    competitive: bool = bool(PRESETS["competitive"])
    stun_effect: StunEffect = StunEffect(PRESETS["stun_effect"])
    reinforcement_time: ReinforcementTime = ReinforcementTime(PRESETS["reinforcement_time"])
    exchange_levels: ExchangeLevels = ExchangeLevels(PRESETS["exchange_levels"])

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


FORMER = Options(exchange_levels=ExchangeLevels.SAME)
"""What the options mean that came with the fourth revision of the rules, where a game is older than they are."""
LATER_OPTIONS: Final = ("stun_effect", "reinforcement_time", "exchange_levels")
"""Those options."""


def of_revision(options: Options, revision: int) -> Options:
    """Return options for a game that begins by a revision of the rules."""
    return options if revision > _LAST_FORMER else options._replace(**{name: getattr(FORMER, name) for name in LATER_OPTIONS})


_LAST_FORMER = 3
_RANGES = FACTS.ranges
"""The allowed values of every number (WEC-RUL-57)."""


def require_sound(options: Options) -> None:
    """Raise Illegal for options that no game can have (WEC-RUL-57, WEC-OPT-27)."""
    for key, (least, most) in _RANGES.items():
        value = getattr(options, key)
        if not least <= value <= most:
            details = {"option": key, "value": str(value), "least": str(least), "most": str(most)}
            raise Illegal(f"{key} is {value}, not from {least} to {most}", rule="WEC-RUL-57", details=details)
    if options.sub_jet_combat and (options.actions != Actions.MOVES_ONLY or options.movement == Movement.WEAPONIZED):
        raise Illegal("Subs and Jets take only if nothing but Moves is allowed, and not in Weaponized Chess", rule="WEC-OPT-27")


def require_change(before: Options, after: Options) -> None:
    """Raise Illegal for a change of options during a game (WEC-MODE-2, WEC-OPT-30)."""
    require_sound(after)
    if before.competitive:
        raise Illegal("the game is competitive", rule="WEC-MODE-2")
    require_settled(FACTS, before, after)
