"""The views of the seats: everything but the kinds of the others' cards (EMP-CARD-8)."""

from functools import lru_cache

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import Card, Drew, Event, Exchanged
from brettwerk_games.rules.emperado.cards import sets, with_card
from brettwerk_games.rules.emperado.options import CapturedCards, CardExchange
from brettwerk_games.rules.emperado.position import Party, Position, View

_MAX_WITHOUT_A_SET = 4
_PARTIES = Position._fields.index("parties")
_HANDS = 4096
"""How many hands are kept as others see them: more than there are in most games."""


def view(position: Position, seat: int | None) -> View:
    """Return the position with the cards of all other seats hidden."""
    parties = position.parties
    seen = tuple([party if owner == seat else _hidden(party) for owner, party in enumerate(parties)])
    if seen == parties:
        return View(position, seat)
    # Seven times as fast as _replace, and every action makes a view for everybody who watches.
    return View(Position._make((*position[:_PARTIES], seen, *position[_PARTIES + 1 :])), seat)


@lru_cache(maxsize=_HANDS)
def _hidden(party: Party) -> Party:
    return Party(hidden=party.cards, fresh=party.fresh, out=party.out)


def show(event: Event, seat: int | None) -> Event | None:
    """Return the event; of others' cards it tells how many, but not which."""
    match event:
        case Drew(seat=owner) if owner != seat:
            return Drew(owner, None)
        case Exchanged(seat=owner, paid=paid) if owner != seat:
            return Exchanged(owner, None, paid)
        case _:
            return event


def sample(view: View, seed: bytes) -> Position:
    """Return a position that looks like the view: hidden cards are drawn as they may have come about.

    Where sets are exchanged by themselves, a hand holds none after its owner's last exchange, and at most one card has come
    since: the one that the "+" tells of.
    """
    position, dice = view.position, Dice(seed, "cards")
    parties = [_guessed(position, seat, dice) if party.hidden else party for seat, party in enumerate(position.parties)]
    return position._replace(parties=tuple(parties))


def _guessed(position: Position, seat: int, dice: Dice) -> Party:
    party, options = position.parties[seat], position.options
    bare = party._replace(hidden=0)
    new = 1 if party.fresh and seat != position.to_move else 0
    old = party.hidden - new
    clean = options.card_exchange == CardExchange.AUTO and options.captured_cards == CapturedCards.DISCARD
    guess = _drawn(bare, old, dice)
    while clean and old <= _MAX_WITHOUT_A_SET and sets(guess):
        guess = _drawn(bare, old, dice)
    return _drawn(guess, new, dice)


def _drawn(party: Party, cards: int, dice: Dice) -> Party:
    for _ in range(cards):
        party = with_card(party, Card(1 + dice.below(len(Card))))
    return party
