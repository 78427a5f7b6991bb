"""Copies of frozen dataclasses with other values, at a tenth of the cost of `dataclasses.replace`."""

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:
    T = TypeVar("T")

    def replace(value: T, **changes: Any) -> T:
        """Return a copy of a frozen dataclass (without slots and its own __init__ and __post_init__) with some fields changed.

        It does this at a tenth of the cost of dataclasses.replace, which would set each field one by one; every action in a
        session makes half a dozen states. Type checkers see dataclasses.replace, so they find a wrong name or type. Raises
        TypeError for an unknown field.
        """
        made: T = object.__new__(type(value))
        fields = made.__dict__
        fields.update(value.__dict__)
        fields.update(changes)
        if len(fields) != len(value.__dict__):
            raise TypeError(f"{type(value).__name__} has no such field: {sorted(changes)}")
        return made
