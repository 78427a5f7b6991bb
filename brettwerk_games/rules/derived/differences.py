"""Where a game's values are not simply those of its messages, and what is checked besides the bounds of the contract."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any


@dataclass(frozen=True, slots=True)
class As:
    """A field or a message that has a value in other terms: those of `hint`, which go with the contract.

    `write` makes them of the value, and `read` the value of them; it raises Malformed, and names the field where it lies deeper.
    `of` is what the value itself calls a field, where that is another name.
    """

    hint: Any
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    of: str = ""


Fault = tuple[str, str]
"""The field that contradicts others, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """The knowledge of a codec besides values and contract, which names messages and their fields (EinsteinMove.target)."""

    ways: Mapping[str, As] = field(default_factory=dict)
    """By field or message: in which other terms it has a value."""
    checks: Mapping[type, Callable[[Any], Fault | None]] = field(default_factory=dict)
    """By type: what is wrong with a value that keeps all bounds."""
    judged: frozenset[str] = frozenset()
    """Messages whose numbers are not held to the contract here, since a check or the rules judge them and name the rule."""
    left_out: frozenset[str] = frozenset()
    """Messages that may be left out where they are fields, and are read as empty ones."""
    unread: frozenset[str] = frozenset()
    """Fields that follow from the rest: nothing is read from them, and nothing written into them here."""
    written: frozenset[str] = frozenset()
    """Numbers that follow from the rest: they are not read, but written, as the value has them beside its fields."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """By message of an alternative: the rule that forbids to say nothing."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """By message: how many values are kept with their bytes, because they come again."""
    unnumbered: frozenset[str] = frozenset()
    """Lists of which a refusal does not tell which element is wrong."""

    def names(self) -> Iterable[str]:
        """Return all messages and fields that are named here."""
        lists = (self.judged, self.left_out, self.unread, self.written, self.unnumbered)
        return chain(self.ways, self.rules, self.kept, *lists)


NONE = Differences()
"""Values that are those of the contract."""
