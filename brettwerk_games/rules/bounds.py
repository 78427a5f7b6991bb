"""Bounds of a value's fields. Numbers from outside that are out of bounds are Malformed, with the name of their field."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from brettwerk_games.rules.refusals import Malformed

N = TypeVar("N", bound=IntEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The bounds of a field of which the contract is made, stated in its type: `Annotated[int, Bound(max=9)]`.

    `max` of a text is in bytes; 0 means none. `items` is how many elements a tuple has at most. `number` is the field's number
    in the message, where that is not its place among the fields of its class: a number stays what it is once it was released.
    `is_seat` is set for the number of a seat, which is at most that of the game's last one.
    """

    min: int = 0
    max: int = 0
    items: int = 0
    number: int = 0
    is_seat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BySeat(Bound):
    """The bounds of a tuple in a position that has one element for each seat that plays."""


def number(value: int, least: int, most: int, field: str) -> int:
    """Return a number that lies in its bounds. Raises Malformed for another one."""
    if not least <= value <= most:
        raise Malformed(f"{field} is {value}, not from {least} to {most}", field=field)
    return value


def numbers(values: Sequence[int], max_items: int, least: int, most: int, field: str) -> tuple[int, ...]:
    """Return numbers, at most `max_items`, all in their bounds. Raises Malformed for too many, or one out of bounds."""
    if len(values) > max_items:
        raise Malformed(f"{field} has more than {max_items} elements", field=field)
    found = tuple(values)
    if found and not (least <= min(found) and max(found) <= most):
        for i, value in enumerate(found):
            number(value, least, most, f"{field}[{i}]")
    return found


def one_of(values: type[N], value: int, field: str) -> N:
    """Return the member of an enumeration. Raises Malformed for a number that none has."""
    try:
        return values(value)
    except ValueError as error:
        raise Malformed(f"{field} has no value {value}", field=field) from error
