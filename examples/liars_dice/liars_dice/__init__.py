"""Liar's dice, the whole game: bids on hidden dice, and whoever is wrong loses one. `en.md` and `de.md` have its words."""

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from brettwerk_games.api import (
    Bound,
    BySeat,
    Dice,
    Narration,
    Option,
    Played,
    Scene,
    SeatsPosition,
    Text,
    View,
    die,
    disc,
    game_of_seats,
    with_areas,
)

ENDS, FORBIDDEN = {"last": "LD-END-1"}, "LD-BID-1"


class Options(NamedTuple):
    """The options, settled before the start."""

    dice: Annotated[int, Option("LD-DICE-1", min=1, max=5)] = 5
    wild: Annotated[bool, Option("LD-CALL-2")] = False


class Hand(NamedTuple):
    """The dice of a seat: the face of each, lowest first; 0 where it is hidden."""

    faces: Annotated[tuple[int, ...], Bound(items=5, max=6)] = ()


class Action(NamedTuple):
    """A bid of so many dice of a face, or, with 0 of 0, the call that the last bid is a lie."""

    number: Annotated[int, Bound(max=20)] = 0
    face: Annotated[int, Bound(max=6)] = 0


CALL = Action()


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(SeatsPosition):
    """The dice, the last bid of the round (0 of 0 for none), and the dice that were shown in the round before."""

    wild: bool
    hands: Annotated[tuple[Hand, ...], BySeat()]
    bid: Action = CALL
    shown: Annotated[tuple[Hand, ...], Bound(items=4)] = ()


def begin(options: Options, seats: int, seed: bytes) -> Position:
    """Return the first round (LD-DICE-1)."""
    return Position(seats=seats, wild=options.wild, hands=rolled([options.dice] * seats, seed))


def legal(position: Position) -> list[Action]:
    """Return the call, if there is a bid, and all higher bids (LD-BID-1)."""
    there, bid = sum(len(hand.faces) for hand in position.hands), position.bid
    bids = [Action(count, face) for count in range(max(bid.number, 1), there + 1) for face in range(1, 7)]
    return [*([CALL] if bid.number else []), *(higher for higher in bids if higher > bid)]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the bid, or the round after a call, begun by who has lost a die (LD-CALL-1, LD-CALL-2)."""
    if action != CALL:
        return replace(position, bid=action, to_move=position.next_seat())
    bid, faces = position.bid, [face for hand in position.hands for face in hand.faces]
    there = sum(face == bid.face or (position.wild and face == 1) for face in faces)
    loser = position.to_move if there >= bid.number else position.previous_seat()
    counts = [len(hand.faces) - (seat == loser) for seat, hand in enumerate(position.hands)]
    out = position.out if counts[loser] else (*position.out, loser)
    return replace(position, to_move=loser, out=out, hands=rolled(counts, seed), bid=CALL, shown=position.hands)


def left(position: Position, seat: int, seed: bytes) -> Position:
    """Return a new round without the dice of who has given up (LD-END-1)."""
    counts = [0 if other == seat else len(hand.faces) for other, hand in enumerate(position.hands)]
    return replace(position, hands=rolled(counts, seed), bid=CALL)


def seen(position: Position, seat: int | None) -> Position:
    """Return the position without the dice of the others."""
    hands = (hand if other == seat else Hand((0,) * len(hand.faces)) for other, hand in enumerate(position.hands))
    return replace(position, hands=tuple(hands))


def guess(position: Position, seat: int | None, seed: bytes) -> Position:
    """Return the position with dice for those that are hidden."""
    new = rolled([len(hand.faces) for hand in position.hands], seed)
    return replace(position, hands=tuple(new[other] if 0 in hand.faces else hand for other, hand in enumerate(position.hands)))


def estimate(position: Position) -> tuple[float, ...]:
    """Return the share of all dice that each seat has."""
    return tuple(len(hand.faces) / sum(len(each.faces) for each in position.hands) for hand in position.hands)


def reveals(before: Position, action: Action, after: Position) -> bool:
    """Tell whether dice were shown."""
    return action == CALL


def notate(position: Position, action: Action) -> str:
    """Return a bid as 3x5."""
    return "liar" if action == CALL else f"{action.number}x{action.face}"


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return the number and the face of a bid; a call is a button."""
    return () if action == CALL else (str(action.number), f"face {action.face}")


def tell(view: View[Position], event: object) -> Narration | None:
    """Return the dice that a call has shown, and who has lost one by it."""
    shown, left = view.position.shown, view.position.hands
    lost = [seat for seat, hand in enumerate(shown) if len(hand.faces) > len(left[seat].faces)]
    if not isinstance(event, Played) or event.action != CALL or not lost:
        return None
    return Narration(Text(f"lost.{lost[0]}"), things=tuple(die(face, at) for at, hand in enumerate(shown) for face in hand.faces))


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the dice of each seat, the last bid, and the numbers and faces to bid with."""
    hands, bid = view.position.hands, view.position.bid
    rows = [{f"{seat}.{at}": die(face, seat) for at, face in enumerate(hand.faces)} for seat, hand in enumerate(hands)]
    last = {"bid": disc(bid.number), "bid on": die(bid.face)} if bid.number else {}
    numbers = {str(number): disc(number) for number in range(1, sum(map(len, rows)) + 1)}
    dice = [(Text(f"seat.{seat}.name"), seat, row) for seat, row in enumerate(rows)]
    faces = (Text("face"), None, {f"face {face}": die(face) for face in range(1, 7)})
    return with_areas(Scene(0, 0, (), facts), [*dice, (Text("bid"), None, last), (Text("number"), None, numbers), faces])


def rolled(counts: list[int], seed: bytes) -> tuple[Hand, ...]:
    """Return so many dice for each seat."""
    dice = Dice(seed)
    return tuple(Hand(tuple(sorted(dice.roll() for _ in range(count)))) for count in counts)


GAME = game_of_seats(__name__)
