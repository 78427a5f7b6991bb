"""Numbers from outside: what is out of bounds is Malformed, with the name of its field."""

from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

from services.games.refusals import Malformed

N = TypeVar("N", bound=IntEnum)


def number(value: int, least: int, most: int, field: str) -> int:
    """Return a number that lies in its bounds."""
    if not least <= value <= most:
        raise Malformed(f"{field} is {value}, not from {least} to {most}", field=field)
    return value


def numbers(values: Sequence[int], max_items: int, least: int, most: int, field: str) -> tuple[int, ...]:
    """Return numbers of which there are not too many and which all lie in their bounds."""
    if len(values) > max_items:
        raise Malformed(f"{field} has more than {max_items} elements", field=field)
    found = tuple(values)
    if found and not (least <= min(found) and max(found) <= most):
        for i, value in enumerate(found):
            number(value, least, most, f"{field}[{i}]")
    return found


def one_of(values: type[N], value: int, field: str) -> N:
    """Return the member of an enumeration."""
    try:
        return values(value)
    except ValueError as error:
        raise Malformed(f"{field} has no value {value}", field=field) from error
