"""The secrets kept from a seat, taken from the rules page (LD-DICE-1): the conformance kit finds leaks with them."""

from dataclasses import replace

from liars_dice import Position, rolled


def look_alike(position: Position, seat: int | None, seed: bytes) -> Position:
    """Return the position with the dice of all others rolled again."""
    again = rolled([len(hand.faces) for hand in position.hands], seed)
    return replace(position, hands=tuple(hand if other == seat else again[other] for other, hand in enumerate(position.hands)))
