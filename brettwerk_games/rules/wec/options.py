"""The options of a game (WEC-OPT). The contract is made of it (scripts/option_contract.py)."""

from enum import IntEnum
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from brettwerk_games.rules.facts import read_facts
from brettwerk_games.rules.options import Option
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.turn_game import require_settled


class Movement(IntEnum):
    """The kind of movement (WEC-OPT-1)."""

    WEAPONIZED = 1
    """Weaponized Chess."""
    STANDARD_CHESS = 2
    """Like ordinary chess."""
    MASS_DESTRUCTION = 3
    """Chess of Mass Destruction."""

    __hash__ = int.__hash__


class PawnVariant(IntEnum):
    """How Pawns move in Chess of Mass Destruction (WEC-OPT-2)."""

    ALL_SIDES_AND_FORWARD = 1
    """The two side squares and the three forward squares."""
    ALL_FORWARD = 2
    """The three forward squares."""
    ALL_BUT_FRONT = 3
    """The two side squares and the two diagonal forward squares."""

    __hash__ = int.__hash__


class Government(IntEnum):
    """A government (WEC-OPT-3)."""

    MONARCHY = 1
    """King and Queen."""
    DICTATORSHIP = 2
    """Dictator and Assassin."""
    THEOCRACY = 3
    """Avatar and Acolyte."""
    DEMOCRACY = 4
    """President and Prime Minister."""

    __hash__ = int.__hash__


class Dominance(IntEnum):
    """Which rule decides whether stealthy pieces in Sub are seen (WEC-OPT-12)."""

    SUBMERGENCE = 1
    """Submergence: Torpedo Launchers reveal them."""
    STEALTH = 2
    """Stealth: they stay unseen."""

    __hash__ = int.__hash__


class TransportStart(IntEnum):
    """Where transports may start (WEC-OPT-25)."""

    GROUND_ONLY = 1
    """From the Ground."""
    ALSO_FROM_CARRIER = 2
    """Also from a Chopper in Air and a Sub in Sub."""

    __hash__ = int.__hash__


class Actions(IntEnum):
    """Which actions are allowed (WEC-OPT-26)."""

    ALL = 1
    """All."""
    ONE_PER_PIECE = 2
    """Each piece acts once in a Turn."""
    MOVES_ONLY = 3
    """Moves only."""

    __hash__ = int.__hash__


class Amount(IntEnum):
    """How much of something there is at the start (WEC-OPT-29)."""

    NORMAL = 1
    """As in the standard start."""
    NONE = 2
    """Nothing."""
    FEW = 3
    """About half."""
    MANY = 4
    """Up to twice as many."""

    __hash__ = int.__hash__


class StunEffect(IntEnum):
    """What a stunned piece cannot do (WEC-OPT-33)."""

    HELPLESS = 1
    """Anything."""
    IMMOBILE = 2
    """Move, doze, or start a transit."""

    __hash__ = int.__hash__


class ReinforcementTime(IntEnum):
    """When a reinforcement can be called (WEC-OPT-34)."""

    AT_ONCE = 1
    """In the Turn in which a piece leaves the activation square."""
    ALSO_LATER = 2
    """In later Turns, too, while the Ground of the square is empty."""

    __hash__ = int.__hash__


class ExchangeLevels(IntEnum):
    """Between which levels pieces can exchange articles (WEC-OPT-35). A position or view that does not say means SAME."""

    ALL = 1
    """Between all."""
    SAME = 2
    """On the same level, unless a secondary takes part."""

    __hash__ = int.__hash__


class Options(NamedTuple):
    """The choices of the players before a game, with the standard game's presets. Messages may leave out what has them."""

    movement: Annotated[Movement, Option("WEC-OPT-1", "movement", "always")] = Movement.WEAPONIZED
    """The kind of movement."""
    pawn_variant: Annotated[PawnVariant, Option("WEC-OPT-2", "movement", "always")] = PawnVariant.ALL_SIDES_AND_FORWARD
    """How Pawns move in Chess of Mass Destruction."""
    government_black: Annotated[Government, Option("WEC-OPT-3", "start", seat=0, each="government")] = Government.MONARCHY
    """Black's government."""
    government_white: Annotated[Government, Option("WEC-OPT-3", "start", seat=1, each="government")] = Government.MONARCHY
    """White's government."""
    stealth_invisible: Annotated[bool, Option("WEC-OPT-4", "seeing", "always")] = True
    """Whether stealthy pieces are hidden."""
    submerged_invisible: Annotated[bool, Option("WEC-OPT-5", "seeing", "always")] = True
    """Whether pieces in Sub are hidden."""
    stealth_lock_on: Annotated[bool, Option("WEC-OPT-6", "seeing", "always")] = True
    """Whether Counter-Stealths lock on."""
    stealth_range_detect: Annotated[bool, Option("WEC-OPT-7", "seeing", "always")] = True
    """Whether Counter-Stealths detect within their range."""
    stealth_detector_range: Annotated[int, Option("WEC-OPT-8", "seeing", "always", max=9)] = 3
    """Range of Counter-Stealths in squares."""
    submergence_detector_range: Annotated[int, Option("WEC-OPT-9", "seeing", "always", max=9)] = 3
    """Range in which Torpedo Launchers detect, in squares."""
    reveal_on_fire: Annotated[bool, Option("WEC-OPT-10", "seeing", "always")] = True
    """Whether a hidden piece that fires is revealed."""
    reveal_on_take: Annotated[bool, Option("WEC-OPT-11", "seeing", "always")] = True
    """Whether a hidden piece that takes is revealed."""
    dominance: Annotated[Dominance, Option("WEC-OPT-12", "seeing", "always")] = Dominance.SUBMERGENCE
    """Which rule decides whether stealthy pieces in Sub are seen."""
    off_level_rocket_range: Annotated[int, Option("WEC-OPT-13", "weapons", "always", max=9, explicit=True)] = 0
    """Range of the restricted Rocket Launcher in squares."""
    homing_range: Annotated[int, Option("WEC-OPT-14", "weapons", "always", max=9)] = 3
    """Homing range in squares."""
    stun_range: Annotated[int, Option("WEC-OPT-15", "weapons", "always", min=1, max=9)] = 9
    """Range of Stun in squares."""
    stun_duration: Annotated[int, Option("WEC-OPT-16", "weapons", "always", min=1, max=9)] = 3
    """How many own Turns a stun lasts."""
    flame_range: Annotated[int, Option("WEC-OPT-17", "weapons", "always", min=1, max=2)] = 1
    """Range of Flame in squares."""
    panzer_range: Annotated[int, Option("WEC-OPT-18", "movement", "always", min=6, max=8)] = 7
    """Range of Panzers, in squares."""
    cleric_range: Annotated[int, Option("WEC-OPT-19", "movement", "always", min=6, max=8)] = 7
    """Range of Clerics, in squares."""
    queen_panzer_range: Annotated[int, Option("WEC-OPT-20", "movement", "always", min=6, max=8)] = 7
    """Range of secondaries on Panzers' paths, in squares."""
    queen_cleric_range: Annotated[int, Option("WEC-OPT-21", "movement", "always", min=6, max=8)] = 7
    """Range of secondaries on Clerics' paths, in squares."""
    doze_enemies: Annotated[bool, Option("WEC-OPT-22", "movement", "always")] = True
    """Whether enemies can be dozed."""
    king_may_leave_ground: Annotated[bool, Option("WEC-OPT-23", "movement", "always")] = True
    """Whether primaries may enter Air and Sub."""
    king_may_be_stealthy: Annotated[bool, Option("WEC-OPT-24", "seeing", "always", explicit=True)] = False
    """Whether primaries may carry Stealth."""
    transport_start: Annotated[TransportStart, Option("WEC-OPT-25", "movement", "always")] = TransportStart.GROUND_ONLY
    """Where transports may start."""
    actions: Annotated[Actions, Option("WEC-OPT-26", "turn", "always")] = Actions.ALL
    """Which actions are allowed."""
    sub_jet_combat: Annotated[bool, Option("WEC-OPT-27", "turn", "always", explicit=True)] = False
    """Whether Subs and Jets may take."""
    fire_rate_flame: Annotated[int, Option("WEC-OPT-28", "weapons", "always", min=1, max=9)] = 4
    """After how many own Turns Flame can be fired again."""
    fire_rate_stun: Annotated[int, Option("WEC-OPT-28", "weapons", "always", min=1, max=9)] = 2
    """After how many own Turns Stun can be fired again."""
    fire_rate_conversion: Annotated[int, Option("WEC-OPT-28", "weapons", "always", min=1, max=9)] = 4
    """After how many own Turns Conversion can be fired again."""
    fire_rate_rocket: Annotated[int, Option("WEC-OPT-28", "weapons", "always", min=1, max=9)] = 4
    """After how many own Turns Rocket can be fired again."""
    fire_rate_sam: Annotated[int, Option("WEC-OPT-28", "weapons", "always", min=1, max=9)] = 4
    """After how many own Turns SAM can be fired again."""
    fire_rate_torpedo: Annotated[int, Option("WEC-OPT-28", "weapons", "always", min=1, max=9)] = 4
    """After how many own Turns Torpedo can be fired again."""
    reinforcements: Annotated[Amount, Option("WEC-OPT-29", "start")] = Amount.NORMAL
    """How many reinforcements there are (WEC-OPT-29)."""
    weapons: Annotated[Amount, Option("WEC-OPT-29", "start")] = Amount.NORMAL
    """How many weapon articles and their counters there are."""
    xxx_boxes: Annotated[Amount, Option("WEC-OPT-29", "start")] = Amount.NORMAL
    """How many XXX boxes there are."""
    competitive: Annotated[bool, Option("WEC-OPT-30", "mode", "always", explicit=True, competitive=1)] = False
    """Whether the game is competitive."""
    stun_effect: Annotated[StunEffect, Option("WEC-OPT-33", "weapons", "always")] = StunEffect.HELPLESS
    """What stunned pieces cannot do."""
    reinforcement_time: Annotated[ReinforcementTime, Option("WEC-OPT-34", "turn", "always")] = ReinforcementTime.AT_ONCE
    """When reinforcements can be called."""
    exchange_levels: Annotated[ExchangeLevels, Option("WEC-OPT-35", "turn", "always")] = ExchangeLevels.ALL
    """Between which levels articles can be exchanged."""

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


FACTS = read_facts(Path(__file__).parent, Options)
FORMER = Options(exchange_levels=ExchangeLevels.SAME)
"""The values of the options that came with the fourth revision of the rules, where a game is older than they are."""
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
