"""The secrets kept from a seat, taken from the rules page (MM-PLAY-1): the conformance kit finds leaks with them."""

from dataclasses import replace

from brettwerk_games.api import Dice

from . import Position


def look_alike(position: Position, seat: int | None, seed: bytes) -> Position:
    """Return the position with the cards of the pile and of the other hand shuffled; for a spectator those of both hands."""
    hands = [hand for owner, hand in enumerate(position.hands) if owner != seat]
    cards = list(Dice(seed).shuffled([*position.pile, *(card for hand in hands for card in hand)]))
    pile, rest = tuple(cards[: len(position.pile)]), cards[len(position.pile) :]
    new = [hand if owner == seat else tuple(sorted(rest.pop() for _ in hand)) for owner, hand in enumerate(position.hands)]
    return replace(position, first=new[0], second=new[1], pile=pile)
