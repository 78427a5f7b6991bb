"""The secrets kept from a seat of the blind duel, taken from its rules page and not from its views."""

from brettwerk_games.rules.chance import Dice
from tests.brettwerk_games.rules.blind_duel.game import CARDS, End, Position


def look_alike(position: Position, seat: int | None, seed: bytes) -> Position:
    """Deal again what the seat has not seen: the deck, and the other's card unless it was called or peeked at."""
    hidden = {
        who for who in (0, 1) if who != seat and position.end != End.CALLED and not (seat == 1 - who and position.knows[seat])
    }
    seen = {card for who, card in enumerate(position.cards) if who not in hidden}
    rest = list(Dice(seed).shuffled([card for card in CARDS if card not in seen]))
    a, b = (rest.pop() if who in hidden else card for who, card in enumerate(position.cards))
    return position._replace(cards=(a, b), deck=tuple(rest[: len(position.deck)]))
