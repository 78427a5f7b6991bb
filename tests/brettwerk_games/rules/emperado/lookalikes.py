"""Secrets kept from a seat, taken from the rules page and not from its views: the kinds of the others' cards (EMP-CARD-8)."""

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.position import Position


def look_alike(position: Position, seat: int | None, seed: bytes) -> Position:
    """Deal other kinds to all other seats, as many as they have."""
    dice = Dice(seed)
    parties = list(position.parties)
    for other, party in enumerate(parties):
        if other != seat:
            kinds = [dice.below(3) for _ in range(party.cards)]
            parties[other] = party._replace(riders=kinds.count(0), soldiers=kinds.count(1), cannons=kinds.count(2))
    return position._replace(parties=tuple(parties))
