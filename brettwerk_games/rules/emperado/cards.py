"""Symbol cards: sets, what they pay, the exchange, the card for a capture, and the bonus that grows (EMP-CARD)."""

from typing import NamedTuple

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import Card, CardSet, Drew, Event, Exchanged
from brettwerk_games.rules.emperado.position import REVISION, Party, Position, seats_in

SET = 3
"""Cards of a set."""
MUST_EXCHANGE = 5
"""With how many cards a set has to be turned in, also where the exchange is manual (EMP-CARD-4)."""


def sets(party: Party) -> tuple[CardSet, ...]:
    """Return the sets that a party could turn in, three equal cards first (EMP-CARD-3, EMP-CARD-4).

    >>> [found.name for found in sets(Party(riders=3, soldiers=1, cannons=1))]
    ['RIDERS', 'MIXED']
    """
    kinds = (party.riders, party.soldiers, party.cannons)
    equal = tuple(kind for kind, count in zip(CardSet, kinds, strict=False) if count >= SET)
    return (*equal, CardSet.MIXED) if min(kinds) else equal


def best_set(party: Party) -> CardSet | None:
    """Return the set after which a party can turn in most others, three equal cards if that is the same (EMP-CARD-4); or None.

    >>> best_set(Party(riders=4, soldiers=1, cannons=1)).name
    'RIDERS'
    >>> print(best_set(Party(riders=2)))
    None
    """
    return max(sets(party), key=lambda found: _most_sets(without(party, found)), default=None)


def _most_sets(party: Party) -> int:
    """Return how many sets a party can turn in: three mixed ones are three of equal cards."""
    kinds = (party.riders, party.soldiers, party.cannons)
    return max(mixed + sum((count - mixed) // SET for count in kinds) for mixed in range(min(SET - 1, *kinds) + 1))


def without(party: Party, chosen: CardSet) -> Party:
    """Return the party after it has turned in a set that it has.

    >>> without(Party(riders=4, soldiers=1), CardSet.RIDERS).cards
    2
    """
    match chosen:
        case CardSet.RIDERS:
            return party._replace(riders=party.riders - SET)
        case CardSet.SOLDIERS:
            return party._replace(soldiers=party.soldiers - SET)
        case CardSet.CANNONS:
            return party._replace(cannons=party.cannons - SET)
        case CardSet.MIXED:
            return party._replace(riders=party.riders - 1, soldiers=party.soldiers - 1, cannons=party.cannons - 1)


def with_card(party: Party, card: Card) -> Party:
    """Return the party with one card more.

    >>> with_card(Party(riders=1), Card.CANNON).cannons
    1
    """
    match card:
        case Card.RIDER:
            return party._replace(riders=party.riders + 1)
        case Card.SOLDIER:
            return party._replace(soldiers=party.soldiers + 1)
        case Card.CANNON:
            return party._replace(cannons=party.cannons + 1)


def with_party(position: Position, seat: int, party: Party) -> Position:
    """Return the position with another party at a seat.

    >>> with_party(position, 2, Party(riders=3)).parties[2].riders
    3
    """
    return position._replace(parties=(*position.parties[:seat], party, *position.parties[seat + 1 :]))


def exchange(position: Position, seat: int, chosen: CardSet) -> tuple[Position, Event]:
    """Return the position after a set was turned in: armies to place, and a bonus that has grown (EMP-CARD-5, EMP-CARD-6).

    >>> richer = with_party(position, 0, Party(riders=3))
    >>> after, event = exchange(richer, 0, CardSet.RIDERS)
    >>> event.paid, after.card_bonus
    (4, 5)
    """
    paid = position.card_bonus
    after = with_party(position, seat, without(position.parties[seat], chosen))
    return after._replace(to_place=position.to_place + paid, card_bonus=paid + 1), Exchanged(seat, chosen, paid)


def exchange_all(position: Position, seat: int) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after as many sets as possible were turned in, one after another (EMP-CARD-4).

    >>> richer = with_party(position, 0, Party(riders=6))
    >>> [event.paid for event in exchange_all(richer, 0)[1]]
    [4, 5]
    """
    events: list[Event] = []
    choose = best_set if position.revision >= REVISION else _first_set
    while chosen := choose(position.parties[seat]):
        position, event = exchange(position, seat, chosen)
        events.append(event)
    return position, tuple(events)


def _first_set(party: Party) -> CardSet | None:
    """Return the set that was turned in up to the second revision of the rules: three equal cards, whatever that cost."""
    return next(iter(sets(party)), None)


def reward(position: Position, seed: bytes) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after the seat to act has got its card for a capture, or none (EMP-CARD-1, EMP-CARD-2).

    >>> reward(position, SEED)[1], reward(position._replace(captured=True), SEED)[1]
    ((), (Drew(seat=0, card=<Card.CANNON: 3>),))
    """
    seat = position.to_move
    party = position.parties[seat]._replace(fresh=position.captured)
    if not position.captured:
        return with_party(position, seat, party), ()
    card = Card(1 + Dice(seed, "cards").below(len(Card)))
    return with_party(position, seat, with_card(party, card)), (Drew(seat, card),)


class Clock(NamedTuple):
    """The bonus that the next set pays and the turns since it last grew with time."""

    bonus: int
    turns: int


def step_clock(position: Position) -> Clock:
    """Return the bonus and its clock after one more finished turn: it grows every n + 1 turns (EMP-CARD-7).

    >>> step_clock(position), step_clock(position._replace(card_clock=3))
    (Clock(bonus=4, turns=1), Clock(bonus=5, turns=0))
    """
    turns = position.card_clock + 1
    if turns > len(seats_in(position)):
        return Clock(position.card_bonus + 1, 0)
    return Clock(position.card_bonus, turns)
