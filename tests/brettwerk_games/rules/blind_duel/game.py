"""Blind duel: the smallest game with everything that makes hiding hard. Only for testing the kit; rules.en.md has the rules.

Each of two seats holds one of the cards 1 to 6 and sees only its own. In turn they draw a new card, peek at the other's (once),
or call; the higher card wins at a call or after six turns.
"""

from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.facts import read_facts
from brettwerk_games.rules.interface import (
    Area,
    Choice,
    Draw,
    Flag,
    Game,
    Kind,
    Narration,
    Outcome,
    Place,
    Reoption,
    Resign,
    Scene,
    Shape,
    Step,
    SystemAction,
    Text,
    Thing,
)
from brettwerk_games.rules.ranking import of_two
from brettwerk_games.rules.refusals import GameOver, GameRefusal, Illegal, Malformed, NotYourTurn

CARDS = (1, 2, 3, 4, 5, 6)
TURNS = 6
DRAWS = 2


class Action(IntEnum):
    DRAW = 1
    PEEK = 2
    CALL = 3


class End(IntEnum):
    ON = 0
    CALLED = 1
    RESIGNED = 2
    TIME = 3
    AGREED = 4


class Position(NamedTuple):
    cards: tuple[int, int]
    deck: tuple[int, ...]
    turn: int = 0
    turns: int = 0
    peeked: tuple[int, int] = (0, 0)
    knows: tuple[int, int] = (0, 0)
    drawn: tuple[int, int] = (0, 0)
    end: End = End.ON
    winner: int = 0


class View(NamedTuple):
    """`cards` holds 0 for a card that the seat does not know. `extra` is a place for planted leaks."""

    seat: int | None
    cards: tuple[int, int]
    turn: int
    turns: int
    peeked: tuple[int, int]
    knows: tuple[int, int]
    drawn: tuple[int, int]
    end: End
    winner: int
    extra: int = 0


class Event(NamedTuple):
    """The action of a seat, and the card that it saw; 0 when that is not to be known."""

    seat: int
    action: Action
    card: int


def put(pair: tuple[int, int], seat: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


class Codec:
    """One byte a number; tuples have a byte for their length before them."""

    def type_name(self, kind: Kind) -> str:
        return f"tests.BlindDuel{kind.name.title()}"

    def encode(self, kind: Kind, value: Any) -> bytes:
        match kind:
            case Kind.OPTIONS:
                return b""
            case Kind.ACTION:
                return bytes([value])
            case Kind.POSITION:
                p = value
                return bytes([*p.cards, p.turn, p.turns, *p.peeked, *p.knows, *p.drawn, p.end, p.winner, *p.deck])
            case Kind.VIEW:
                v, seat = value, 2 if value.seat is None else value.seat
                return bytes([seat, *v.cards, v.turn, v.turns, *v.peeked, *v.knows, *v.drawn, v.end, v.winner, v.extra])
            case Kind.EVENT:
                return bytes(value)

    def decode(self, kind: Kind, data: bytes) -> Any:
        try:
            return self._decode(kind, data)
        except (ValueError, IndexError, AssertionError, TypeError) as error:
            raise Malformed(f"no {kind.value}", field=kind.value) from error

    def _decode(self, kind: Kind, data: bytes) -> Any:
        match kind:
            case Kind.OPTIONS:
                assert not data
                return ()
            case Kind.ACTION:
                (number,) = data
                return Action(number)
            case Kind.EVENT:
                seat, action, card = data
                assert seat < 2
                assert card <= 6
                return Event(seat, Action(action), card)
            case Kind.POSITION:
                a, b, turn, turns, e, f, k, m, d, g, end, winner, *deck = data
                position = Position((a, b), tuple(deck), turn, turns, (e, f), (k, m), (d, g), End(end), winner)
                assert len({a, b, *deck}) == 2 + len(deck) == 6 - d - g
                assert {a, b, *deck} <= set(CARDS)
                assert max(turn, e, f, k, m, winner) < 2
                assert max(d, g) <= DRAWS
                assert turns <= TURNS
                assert position.end != End.ON or turns < TURNS
                assert k <= e
                assert m <= f
                return position
            case Kind.VIEW:
                seat, a, b, turn, turns, e, f, k, m, d, g, end, winner, extra = data
                assert seat < 3
                assert max(turn, e, f, k, m, winner) < 2
                assert max(a, b) <= 6
                assert max(d, g) <= DRAWS
                eye = None if seat == 2 else seat
                return View(eye, (a, b), turn, turns, (e, f), (k, m), (d, g), End(end), winner, extra)


class BlindDuel(Game[Position, View, Action, Event, tuple[()]]):
    facts = read_facts(Path(__file__).parent)
    codec: Any = Codec()

    def new(self, options: tuple[()], seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
        if seats != 2:
            raise Malformed("two duel", field="seats")
        if start is not None:
            raise Malformed("there are no start positions", field="start_position")
        cards = Dice(seed).shuffled(CARDS)
        return Step(Position((cards[0], cards[1]), cards[2:]))

    def seats(self, position: Position) -> int:
        return 2

    def to_act(self, position: Position) -> tuple[int, ...]:
        return (position.turn,) if position.end == End.ON else ()

    def view(self, position: Position, seat: int | None) -> View:
        shown = tuple(
            card if position.end == End.CALLED or who == seat or (seat == 1 - who and position.knows[seat]) else 0
            for who, card in enumerate(position.cards)
        )
        return View(seat, (shown[0], shown[1]), *position[2:])

    def actions(self, view: View) -> tuple[Action, ...]:
        if view.seat != view.turn or view.end != End.ON:
            return ()
        return tuple(action for action in Action if not self._forbidden(view, action))

    def _forbidden(self, view: View, action: Action) -> str:
        if action == Action.DRAW and view.drawn[view.turn] >= DRAWS:
            return "BD-DRAW-1"
        if action == Action.PEEK and view.peeked[view.turn]:
            return "BD-PEEK-1"
        return ""

    def apply(self, position: Position, seat: int, action: Action, seed: bytes) -> Step[Position, Event]:
        self._require_turn(position, seat)
        self._require_legal(self.view(position, seat), action)
        return self._play(position, seat, action)

    def _require_turn(self, position: Position, seat: int) -> None:
        if position.end != End.ON:
            raise GameOver("over", rule="BD-END-1")
        if seat != position.turn:
            raise NotYourTurn("wait", rule="BD-TURN-1")

    def _require_legal(self, view: View, action: Action) -> None:
        rule = self._forbidden(view, action)
        if rule:
            raise Illegal("once too often", rule=rule, details={"action": action.name})

    def _play(self, position: Position, seat: int, action: Action) -> Step[Position, Event]:
        after = position._replace(turn=1 - seat, turns=position.turns + 1)
        seen = 0
        if action == Action.DRAW:
            seen = position.deck[0]
            after = after._replace(
                cards=put(position.cards, seat, seen),
                deck=position.deck[1:],
                drawn=put(position.drawn, seat, position.drawn[seat] + 1),
                knows=put(position.knows, 1 - seat, 0),
            )
        elif action == Action.PEEK:
            seen = position.cards[1 - seat]
            after = after._replace(peeked=put(position.peeked, seat, 1), knows=put(position.knows, seat, 1))
        if action == Action.CALL or after.turns == TURNS:
            winner = 0 if after.cards[0] > after.cards[1] else 1
            after = after._replace(end=End.CALLED, winner=winner)
        return Step(after, (Event(seat, action, seen),), reveals=action != Action.CALL or after.end == End.CALLED)

    def system_action(self, position: Position, system_action: SystemAction[tuple[()]], seed: bytes) -> Step[Position, Event]:
        if position.end != End.ON:
            raise GameOver("over", rule="BD-END-1")
        match system_action:
            case Resign(seat=seat):
                return Step(position._replace(end=End.RESIGNED, winner=1 - seat))
            case Flag(seat=seat):
                return Step(position._replace(end=End.TIME, winner=1 - seat))
            case Draw():
                return Step(position._replace(end=End.AGREED))
            case Reoption():
                raise Illegal("there are no options", rule="BD-TURN-1")

    def outcome(self, position: Position) -> Outcome | None:
        if position.end == End.ON:
            return None
        if position.end == End.AGREED:
            return of_two(None, Text("reason.agreed"), "BD-END-1")
        return of_two(position.winner, Text(f"reason.{position.end.name.lower()}"), "BD-END-1")

    def show(self, event: Event, seat: int | None) -> Event | None:
        return event if event.seat == seat else event._replace(card=0)

    def expire(self, view: View) -> Action:
        return Action.CALL

    def sample(self, view: View, seed: bytes) -> Position:
        rest = list(Dice(seed).shuffled([card for card in CARDS if card not in view.cards]))
        cards = tuple(card or rest.pop() for card in view.cards)
        deck = tuple(rest[: 4 - sum(view.drawn)])
        return Position((cards[0], cards[1]), deck, *view[2:9])

    def write(self, view: View, action: Action) -> str:
        return action.name.lower()

    def read(self, view: View, text: str) -> Action:
        found = [action for action in Action if action.name.lower() == text]
        if not found:
            raise Malformed("draw, peek or call", field="notation")
        if view.end != End.ON or view.seat != view.turn:
            raise NotYourTurn("wait", rule="BD-TURN-1")
        self._require_legal(view, found[0])
        return found[0]

    def choice(self, view: View, action: Action) -> Choice:
        return Choice(("deck",) if action == Action.DRAW else (), Text("choice", {"action": action.name.lower()}))

    def scene(self, view: View) -> Scene:
        left = len(CARDS) - len(view.cards) - sum(view.drawn)
        pile = (Thing("", Text("place.deck"), shape=Shape.CARD, count=left),) if left else ()
        places = [Place("deck", 0, 0, Text("place.deck"), pile)]
        areas = []
        for seat, card in enumerate(view.cards):
            label = Text(f"seat.{seat}.name")
            places.append(Place(f"card{seat}", 0, 0, label, (_card(card, seat),)))
            areas.append(Area(label, (f"card{seat}",), seat))
        facts = ((Text("fact.turns"), Text("number", {"number": str(view.turns)})),)
        return Scene(1, 1, tuple(places), facts, tuple(areas))

    def tell(self, view: View, event: Event) -> Narration | None:
        if event.action == Action.CALL:
            return None
        is_drawn = event.action == Action.DRAW
        owner = event.seat if is_drawn else 1 - event.seat
        place = "deck" if is_drawn else f"card{owner}"
        things = (_card(event.card, owner),) if event.card else ()
        return Narration(Text(f"tell.{event.action.name.lower()}"), (place,), things)


def _card(card: int, seat: int) -> Thing:
    return Thing(str(card) if card else "", Text("card", {"card": str(card or "?")}), seat, Shape.CARD)


__all__ = ["Action", "BlindDuel", "Codec", "End", "Event", "GameRefusal", "Position", "View"]
