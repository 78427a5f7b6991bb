"""The options of a game, stated once: a class says of each its type and preset, its bounds, and the rest of its facts.

    class Options(NamedTuple):
        first: Annotated[First, Option("C4-TURN-1")] = First.RED
        columns: Annotated[int, Option("C4-BOARD-1", min=5, max=10)] = 7

A switch is a bool, a choice an IntEnum that counts from 1, a number an int, and a line a str. The contract is made of the same
class (contract.py in brettwerk_games/rules/derived), and a field without an `Option` is in the contract only.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import IntEnum
from typing import Any, Literal, get_args, get_type_hints

from brettwerk_games.rules.bounds import Bound


@dataclass(frozen=True, slots=True)
class Option(Bound):
    """The declaration of an option in its class besides its type and preset; `OptionFacts` explains each.

    `explicit` is set where a message tells a preset of 0 from nothing at all; any other preset is told from it anyway.
    """

    rule: str = ""
    group: str = "game"
    changeable: Literal["before_start", "always"] = "before_start"
    explicit: bool = field(default=False, kw_only=True)
    step: int = field(default=1, kw_only=True)
    seat: int | None = field(default=None, kw_only=True)
    each: str = field(default="", kw_only=True)
    competitive: int | None = field(default=None, kw_only=True)
    former_presets: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    rated_apart: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class OptionFacts:
    """One option, as clients are told of it: the field `key` of the game's options message, and the values it takes.

    `kind` is switch (preset 0 or 1), number (min, max, step, preset), choice (`choices` are the short names of the enum's
    values in the order of their numbers from 1; preset is a number) or line (max bytes; preset_line; `lines` are the only ones
    that it takes, none where it takes any; the catalogue has what each is called, `option.<key>.<line>`, and for the empty one
    `option.<key>.empty`).
    `seat` is set where the option belongs to one seat, whose person chooses it without asking the others; `each` then names
    what it is for every seat, so that it goes along when persons change seats before the start. `competitive` is the value of an
    option (not of a line) in competitive sessions, where no other is possible: with it, nobody is told what they have not seen.
    `former_presets` are those of earlier revisions of the rules, where they were others: games keep no option that was left out.
    `rated_apart` is set where games with another value than the preset are rated apart; the game's ratings.json names it, too.
    """

    key: str
    kind: Literal["switch", "number", "choice", "line"]
    preset: int = 0
    preset_line: str = ""
    min: int = 0
    max: int = 0
    step: int = 1
    choices: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    rule: str = ""
    group: str = "game"
    changeable: Literal["before_start", "always"] = "before_start"
    seat: int | None = None
    each: str = ""
    competitive: int | None = None
    former_presets: Mapping[str, int] = field(default_factory=dict)
    rated_apart: bool = False

    def preset_by(self, rules_version: str) -> int | str:
        """Return the value of the option where it is left out, by a revision of the rules; empty for the one that there is."""
        return self.preset_line if self.kind == "line" else self.former_presets.get(rules_version, self.preset)


def option_facts(cls: type[Any]) -> tuple[OptionFacts, ...]:
    """Return the options that a class states, in its order; none of one that says `Option` of no field.

    Raises ValueError for a type that no option has.
    """
    presets, found = presets_of(cls), []
    for key, hint in get_type_hints(cls, include_extras=True).items():
        option = next((each for each in get_args(hint)[1:] if isinstance(each, Option)), None)
        if option is not None:
            found.append(_facts(key, get_args(hint)[0], presets[key], option))
    return tuple(found)


def presets_of(cls: type[Any]) -> Mapping[str, Any]:
    """Return what a new value of a NamedTuple or dataclass has in each field, MISSING where nothing is said.

    Raises ValueError for another class.
    """
    if is_dataclass(cls):
        return {each.name: each.default for each in fields(cls)}
    if hasattr(cls, "_fields"):
        return {name: cls._field_defaults.get(name, MISSING) for name in cls._fields}
    raise ValueError(f"{cls} is neither a NamedTuple nor a dataclass")


def _facts(key: str, of: Any, preset: Any, option: Option) -> OptionFacts:
    """Return the facts of an option of a type."""
    stated = {name: getattr(option, name) for name in _STATED}
    if of is bool:
        return OptionFacts(key=key, kind="switch", preset=int(preset), **stated)
    if of is str:
        return OptionFacts(key=key, kind="line", preset_line=preset, max=option.max, **stated)
    if of is int:
        return OptionFacts(key=key, kind="number", preset=preset, min=option.min, max=option.max, **stated)
    if isinstance(of, type) and issubclass(of, IntEnum) and [*of] == [*range(1, len(of) + 1)]:
        return OptionFacts(key=key, kind="choice", preset=int(preset), choices=tuple(each.name.lower() for each in of), **stated)
    raise ValueError(f"{key} is of {of}: an option is a bool, an int, a str, or an IntEnum that counts from 1")


_STATED = {each.name for each in fields(Option)} & {each.name for each in fields(OptionFacts)} - {"min", "max"}
"""The fields that the facts have as they are stated; the others depend on the type."""
