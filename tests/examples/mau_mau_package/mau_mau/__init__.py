"""Mau-Mau with twenty cards: play a card of the suit or the rank that lies on the stack, or draw one. `en.md` has its words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from brettwerk_games.api import (
    Bound,
    Dice,
    Narration,
    OpenEnding,
    OpenPosition,
    Place,
    Played,
    Scene,
    Shape,
    Text,
    Thing,
    View,
    game_of_two,
    with_areas,
)

NAMES = tuple(f"{rank}{suit}" for rank in ("7", "8", "9", "10", "J") for suit in "♣♠♥♦")
CARDS = len(NAMES)
HAND, SEEN = 5, 3
"""How many cards each player gets, and how many of the stack are drawn."""
UNSEEN = DRAW = CARDS
"""What stands for a card that a seat does not see; and the action that draws one, or passes where none is left."""
ENDS = {"out": "MM-END-1", "stuck": "MM-END-2"}
FORBIDDEN = "MM-PLAY-1"
_Cards = Annotated[tuple[int, ...], Bound(items=CARDS, max=UNSEEN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """Each seat's cards, those to be drawn, those played (the last one on top), and whether somebody has just passed."""

    first: _Cards
    second: _Cards
    pile: _Cards
    stack: _Cards
    has_passed: bool = False

    @property
    def hands(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cards by seat."""
        return self.first, self.second


class Action(NamedTuple):
    """Play a card, or draw one."""

    card: Annotated[int, Bound(max=DRAW)]


def begin(options: object, seed: bytes) -> Position:
    """Return the hands, and the first card of the stack (MM-PLAY-1)."""
    cards = tuple(Dice(seed).shuffled(range(CARDS)))
    hands = [tuple(sorted(cards[at : at + HAND])) for at in (0, HAND)]
    return Position(first=hands[0], second=hands[1], stack=cards[2 * HAND : 2 * HAND + 1], pile=cards[2 * HAND + 1 :])


def legal(position: Position) -> Sequence[Action]:
    """Return the cards that go with the one on the stack, and drawing (MM-PLAY-1, MM-DRAW-1)."""
    top = position.stack[-1]
    hand = position.hands[position.to_move]
    return [*(Action(card) for card in hand if card != UNSEEN and (card // 4 == top // 4 or card % 4 == top % 4)), Action(DRAW)]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position after a card was played, drawn, or neither (MM-END-1, MM-END-2)."""
    seat, card = position.to_move, action.card
    hand, pile, stack = position.hands[seat], position.pile, position.stack
    passes = card == DRAW and not pile
    if card != DRAW:
        hand, stack = tuple(each for each in hand if each != card), (*stack, card)
    elif pile:
        hand, pile = tuple(sorted((*hand, pile[0]))), pile[1:]
    first, second = (hand, position.second) if seat == 0 else (position.first, hand)
    ending = None
    if not hand:
        ending = OpenEnding("out", seat)
    elif passes and position.has_passed:
        ending = OpenEnding("stuck")
    return Position(first=first, second=second, pile=pile, stack=stack, has_passed=passes, to_move=1 - seat, ending=ending)


def seen(position: Position, seat: int | None) -> Position:
    """Return the position without what others hold and what is to be drawn."""
    hands = [hand if seat == owner else (UNSEEN,) * len(hand) for owner, hand in enumerate(position.hands)]
    return replace(position, first=hands[0], second=hands[1], pile=(UNSEEN,) * len(position.pile))


def guess(position: Position, seat: int | None, seed: bytes) -> Position:
    """Return the position with cards in place of those that are not seen."""
    known = {*position.first, *position.second, *position.stack}
    rest = list(Dice(seed).shuffled([card for card in range(CARDS) if card not in known]))
    first, second, pile = (
        tuple(rest.pop() if card == UNSEEN else card for card in cards) for cards in (*position.hands, position.pile)
    )
    return replace(position, first=tuple(sorted(first)), second=tuple(sorted(second)), pile=pile)


def notate(position: Position, action: Action) -> str:
    """Return the card, draw or pass."""
    return NAMES[action.card] if action.card != DRAW else "draw" if position.pile else "pass"


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return the card, or the pile; none to pass."""
    if action.card != DRAW:
        return (NAMES[action.card],)
    return ("pile",) if position.pile else ()


def fault(position: Position) -> str:
    """Return the field that contradicts another one: a card that is there twice, or a game that nobody has ended."""
    cards = [*position.first, *position.second, *position.pile, *position.stack]
    known = [card for card in cards if card != UNSEEN]
    if len(cards) != CARDS or len(set(known)) != len(known) or not position.stack or UNSEEN in position.stack:
        return "stack"
    return "ending" if position.ending is None and not all(position.hands) else ""


def tell(view: View[Position], event: object) -> Narration | None:
    """Return the card that was played, and that one was drawn."""
    if not isinstance(event, Played):
        return None
    if event.action.card == DRAW:
        return Narration(Text("tell.draw"), ("pile",))
    return Narration(Text("tell.play"), ("stack",), (_card(event.action.card),))


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the pile, the stack, and both hands."""
    position = view.position
    pile = (_card(UNSEEN, count=len(position.pile)),) if position.pile else ()
    places = (
        Place("pile", 0, 0, Text("place.pile", {"count": str(len(position.pile))}), pile),
        Place("stack", 0, 1, _spoken(position.stack[-1]), tuple(map(_card, position.stack[-SEEN:])), stacked=True),
    )
    hands = [
        {f"{seat}.{number}" if card == UNSEEN else NAMES[card]: _card(card, seat) for number, card in enumerate(hand)}
        for seat, hand in enumerate(position.hands)
    ]
    areas = [(Text(f"area.hand.{seat}"), seat, hand) for seat, hand in enumerate(hands)]
    return with_areas(Scene(1, 2, places, facts), areas)


def _spoken(card: int) -> Text:
    return Text("card.unseen") if card == UNSEEN else Text("card", {"card": NAMES[card]})


def _card(card: int, owner: int | None = None, count: int = 1) -> Thing:
    return Thing("" if card == UNSEEN else NAMES[card], _spoken(card), owner, Shape.CARD, count)


GAME = game_of_two(__name__)
