"""Liar's dice, the whole game: bids on hidden dice, and whoever is wrong loses one. `en.md` and `de.md` have its words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from brettwerk_games.api import (
    Bound,
    Dice,
    Narration,
    OpenEnding,
    Option,
    Played,
    Scene,
    SeatsPosition,
    Text,
    Thing,
    View,
    die,
    game_of_seats,
    number_text,
    with_areas,
)

ENDS = {"won": "LD-END-1"}
FORBIDDEN = "LD-BID-1"


class Options(NamedTuple):
    """The options, settled before the start."""

    dice: Annotated[int, Option("LD-DICE-1", min=1, max=5)] = 5
    wild: Annotated[bool, Option("LD-CALL-2")] = False


class Hand(NamedTuple):
    """The dice of a seat: how many, and the face of each, lowest first; no faces where they are hidden."""

    number: Annotated[int, Bound(max=5)]
    faces: Annotated[tuple[int, ...], Bound(items=5, min=1, max=6)] = ()


class Action(NamedTuple):
    """A bid of so many dice of a face, or, with 0 of 0, the call that the last bid is a lie."""

    number: Annotated[int, Bound(max=20)] = 0
    face: Annotated[int, Bound(max=6)] = 0


CALL = Action()


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(SeatsPosition):
    """The dice, the last bid of the round (0 of 0 for none) with who made it, and what was shown in the round before."""

    wild: bool
    hands: Annotated[tuple[Hand, ...], Bound(items=4)]
    bid: Action = CALL
    bidder: Annotated[int, Bound(is_seat=True)] = 0
    shown: Annotated[tuple[Hand, ...], Bound(items=4)] = ()


def begin(options: Options, seats: int, seed: bytes) -> Position:
    """Return the first round (LD-DICE-1)."""
    return Position(seats=seats, wild=options.wild, hands=rolled([options.dice] * seats, seed))


def legal(position: Position) -> list[Action]:
    """Return the call, if there is a bid, and all higher bids (LD-BID-1)."""
    there, bid = sum(hand.number for hand in position.hands), position.bid
    bids = [Action(count, face) for count in range(max(bid.number, 1), there + 1) for face in range(1, 7)]
    return [*([CALL] if bid.number else []), *(higher for higher in bids if higher > bid)]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the bid, or the round after a call (LD-CALL-1, LD-CALL-2)."""
    seat, bid = position.to_move, position.bid
    if action != CALL:
        return replace(position, bid=action, bidder=seat, to_move=position.next_seat())
    faces = [face for hand in position.hands for face in hand.faces]
    there = sum(face == bid.face or (position.wild and face == 1) for face in faces)
    loser = seat if there >= bid.number else position.bidder
    counts = [hand.number - (other == loser) for other, hand in enumerate(position.hands)]
    out = position.out if counts[loser] else (*position.out, loser)
    return _round(replace(position, to_move=loser, out=out, shown=position.hands), counts, seed)


def left(position: Position, seat: int, seed: bytes) -> Position:
    """Return a new round without the dice of who has given up (LD-END-2)."""
    return _round(position, [0 if other == seat else hand.number for other, hand in enumerate(position.hands)], seed)


def seen(position: Position, seat: int | None) -> Position:
    """Return the position without the dice of the others."""
    hands = tuple(hand if other == seat else Hand(hand.number) for other, hand in enumerate(position.hands))
    return replace(position, hands=hands)


def guess(position: Position, seat: int | None, seed: bytes) -> Position:
    """Return the position with dice for those that are hidden."""
    new = rolled([hand.number for hand in position.hands], seed)
    return replace(position, hands=tuple(hand if hand.faces else new[other] for other, hand in enumerate(position.hands)))


def reveals(before: Position, action: Action, after: Position) -> bool:
    """Tell whether dice were shown."""
    return action == CALL


def notate(position: Position, action: Action) -> str:
    """Return a bid as 3x5."""
    return "liar" if action == CALL else f"{action.number}x{action.face}"


def fault(position: Position) -> str:
    """Return the field that contradicts another one: hands of other seats, or of other dice than are counted."""
    fits = all(len(hand.faces) in (0, hand.number) for hand in position.hands)
    return "" if fits and len(position.hands) == position.seats else "hands"


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return the number and the face of a bid; a call is a button."""
    return () if action == CALL else (str(action.number), f"face {action.face}")


def tell(view: View[Position], event: object) -> Narration | None:
    """Return the dice that a call has shown, and who has lost one by it."""
    shown, left = view.position.shown, view.position.hands
    losers = [seat for seat, hand in enumerate(shown) if hand.number > left[seat].number]
    if not isinstance(event, Played) or event.action != CALL or not losers:
        return None
    dice = tuple(die(face, seat) for seat, hand in enumerate(shown) for face in hand.faces)
    return Narration(Text(f"lost.{losers[0]}"), things=dice)


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the dice of each seat, the last bid, and the numbers and faces to bid with."""
    bid = view.position.bid
    rows = [
        {f"{seat}.{at}": die(face, seat) for at, face in enumerate(hand.faces or (0,) * hand.number)}
        for seat, hand in enumerate(view.position.hands)
    ]
    numbers = {str(number): _disc(number) for number in range(1, sum(map(len, rows)) + 1)}
    faces = {f"face {face}": die(face) for face in range(1, 7)}
    last = {"bid": _disc(bid.number), "bid on": die(bid.face)} if bid.number else {}
    hands = [(Text(f"seat.{seat}.name"), seat, row) for seat, row in enumerate(rows)]
    bids = [(Text("bid"), None, last), (Text("number"), None, numbers), (Text("face"), None, faces)]
    return with_areas(Scene(0, 0, (), facts), [*hands, *bids])


def rolled(counts: Sequence[int], seed: bytes) -> tuple[Hand, ...]:
    """Return so many dice for each seat."""
    dice = Dice(seed)
    return tuple(Hand(count, tuple(sorted(dice.roll() for _ in range(count)))) for count in counts)


def _disc(number: int) -> Thing:
    return Thing(str(number), number_text(number))


def _round(position: Position, counts: Sequence[int], seed: bytes) -> Position:
    """Return the position with new dice, begun by the seat to move or the next one, or the end (LD-END-1)."""
    after = replace(position, hands=rolled(counts, seed), bid=CALL)
    if len(after.playing) == 1:
        return replace(after, ending=OpenEnding("won", after.playing[0]))
    return after if after.to_move in after.playing else replace(after, to_move=after.next_seat())


GAME = game_of_seats(__name__)
