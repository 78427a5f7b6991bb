"""Values from messages of emperado.proto: what strangers send is checked completely."""

from typing import Any, cast

from brettwerk.v1 import emperado_pb2 as pb
from services.games.bounds import number, numbers, one_of
from services.games.emperado.actions import (
    MAX_THROWS,
    Action,
    Attack,
    Card,
    CardSet,
    Done,
    Drew,
    Eliminated,
    Ended,
    Enter,
    Entered,
    Event,
    Exchange,
    Exchanged,
    Fought,
    Move,
    Moved,
    Place,
    Placed,
    Received,
    Throw,
)
from services.games.emperado.battle import MAX_DICE, REMEMBERED
from services.games.emperado.options import (
    MAX_SEATS,
    PRESET,
    CapturedCards,
    CaptureMove,
    CardExchange,
    Options,
    Undo,
    Win,
    require_range,
)
from services.games.emperado.position import (
    GHOST,
    MAX_ACTIONS,
    MAX_ARMIES,
    MAX_THROWN,
    End,
    Entry,
    Party,
    Position,
    View,
    fault,
)
from services.games.emperado.world import WORLD
from services.games.refusals import Malformed

_LAST_SEAT = MAX_SEATS - 1
_MAX_CARDS = 99
_MAX_ROUNDS = _MAX_BONUS = 1_000_000


def _seat(plus_one: int) -> int | None:
    return plus_one - 1 if plus_one else None


def to_options(message: pb.EmperadoOptions, path: str = "") -> Options:
    """Return options. Raises Malformed with the field for what cannot be."""

    def given(field: str) -> int:
        value: int = getattr(message if message.HasField(cast(Any, field)) else PRESET, field)
        return value

    computers = numbers(message.computers, MAX_SEATS, 0, 1, f"{path}computers")
    options = Options(
        given("start_armies"),
        given("ghost_armies"),
        given("card_bonus_start"),
        one_of(CaptureMove, message.capture_move or PRESET.capture_move, f"{path}capture_move"),
        one_of(CardExchange, message.card_exchange or PRESET.card_exchange, f"{path}card_exchange"),
        one_of(CapturedCards, message.captured_cards or PRESET.captured_cards, f"{path}captured_cards"),
        one_of(Undo, message.undo or PRESET.undo, f"{path}undo"),
        one_of(Win, message.win or PRESET.win, f"{path}win"),
        message.auto_draw,
        message.max_rounds,
        message.solidarity,
        given("coalition"),
        message.country_handicap,
        given("info_time"),
        given("table_time"),
        given("graphic_time"),
        (*map(bool, computers), *PRESET.computers[len(computers) :]),
    )
    require_range(options)
    return options


def _to_position(message: pb.EmperadoPosition, path: str) -> Position:
    position = Position(
        to_options(message.options, f"{path}options."),
        tuple(owner - 1 for owner in numbers(message.owners, WORLD, GHOST + 1, MAX_SEATS, f"{path}owners")),
        numbers(message.armies, WORLD, 1, MAX_ARMIES, f"{path}armies"),
        tuple(_to_party(party, f"{path}parties[{seat}].") for seat, party in enumerate(message.parties)),
        number(message.card_bonus, 1, _MAX_BONUS, f"{path}card_bonus"),
        number(message.to_move, 0, _LAST_SEAT, f"{path}to_move"),
        number(message.round, 1, _MAX_ROUNDS, f"{path}round"),
        number(message.to_place, 0, MAX_ARMIES, f"{path}to_place"),
        frozenset(numbers(message.blocked, WORLD, 0, WORLD - 1, f"{path}blocked")),
        message.captured,
        message.exchanging,
        _to_entry(message.entry, f"{path}entry.") if message.HasField("entry") else None,
        number(message.card_clock, 0, MAX_SEATS, f"{path}card_clock"),
        number(message.stirred, 0, message.round, f"{path}stirred"),
        _seat(number(message.winner, 0, MAX_SEATS, f"{path}winner")),
        one_of(End, message.end, f"{path}end") if message.end else None,
        number(message.played, 0, MAX_ACTIONS, f"{path}played"),
        number(message.thrown, 0, MAX_THROWN, f"{path}thrown") if message.HasField("thrown") else None,
    )
    wrong = fault(position)
    if wrong:
        raise Malformed(wrong[1], field=path + wrong[0])
    return position


def _to_party(message: pb.EmperadoParty, path: str) -> Party:
    return Party(
        number(message.riders, 0, _MAX_CARDS, f"{path}riders"),
        number(message.soldiers, 0, _MAX_CARDS, f"{path}soldiers"),
        number(message.cannons, 0, _MAX_CARDS, f"{path}cannons"),
        number(message.hidden, 0, _MAX_CARDS, f"{path}hidden"),
        message.fresh,
        number(message.out, 0, _MAX_ROUNDS, f"{path}out"),
    )


def _to_entry(message: pb.EmperadoEntry, path: str) -> Entry:
    return Entry(
        _country(message.source, f"{path}source"),
        _country(message.target, f"{path}target"),
        number(message.least, 1, MAX_DICE, f"{path}least"),
    )


def to_whole(message: pb.EmperadoPosition) -> Position:
    """Return a position, which hides nothing. Raises Malformed with the field for what cannot be."""
    position = _to_position(message, "")
    if any(party.hidden for party in position.parties):
        raise Malformed("nothing is hidden in a position", field="parties")
    return position


def to_view(message: pb.EmperadoView) -> View:
    """Return a view. Raises Malformed with the field for what cannot be."""
    if not message.HasField("position"):
        raise Malformed("a view has a position", field="position")
    seat = _seat(number(message.seat, 0, MAX_SEATS, "seat"))
    position = _to_position(message.position, "position.")
    if seat is not None and seat >= len(position.parties):
        raise Malformed("there is no such seat", field="seat")
    for owner, party in enumerate(position.parties):
        if party.hidden if owner == seat else party.cards > party.hidden:
            raise Malformed("a seat knows its own cards and no others", field=f"position.parties[{owner}]")
    return View(position, seat)


def _country(value: int, field: str) -> int:
    return number(value, 0, WORLD - 1, field)


def to_action(message: pb.EmperadoAction) -> Action:
    """Return an action. Raises Malformed with the field for what cannot be."""
    match message.WhichOneof("kind"):
        case "exchange":
            return Exchange(one_of(CardSet, message.exchange.set, "exchange.set"))
        case "place":
            armies = number(message.place.armies, 1, MAX_ARMIES, "place.armies")
            return Place(_country(message.place.country, "place.country"), armies)
        case "attack":
            attack = message.attack
            throws = number(attack.throws, 0, MAX_THROWS, "attack.throws")
            return Attack(_country(attack.source, "attack.source"), _country(attack.target, "attack.target"), throws)
        case "enter":
            return Enter(number(message.enter.armies, 1, MAX_ARMIES, "enter.armies"))
        case "move":
            move = message.move
            armies = number(move.armies, 1, MAX_ARMIES, "move.armies")
            return Move(_country(move.source, "move.source"), _country(move.target, "move.target"), armies)
        case "done":
            return Done()
        case _:
            raise Malformed("an action says what is done", field="kind")


def to_event(message: pb.EmperadoEvent) -> Event:
    """Return an event. Raises Malformed with the field for what cannot be."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise Malformed("an event says what happened", field="kind")
    if kind == "fought":
        return _to_fought(message.fought)
    body: Any = getattr(message, kind)
    if kind == "ended":
        return Ended(_seat(number(body.winner, 0, MAX_SEATS, "ended.winner")), one_of(End, body.end, "ended.end"))
    seat = number(body.seat, 0, _LAST_SEAT, f"{kind}.seat")

    def place(field: str) -> int:
        return _country(getattr(body, field), f"{kind}.{field}")

    def armies(field: str) -> int:
        return number(getattr(body, field), 0, MAX_ARMIES, f"{kind}.{field}")

    match kind:
        case "received":
            return Received(seat, armies("basic"), armies("continents"), armies("countries"), armies("cards"))
        case "exchanged":
            return Exchanged(seat, one_of(CardSet, body.set, "exchanged.set") if body.set else None, armies("paid"))
        case "placed":
            return Placed(seat, place("country"), armies("armies"), armies("before"))
        case "entered":
            return Entered(seat, place("source"), place("target"), armies("armies"))
        case "moved":
            return Moved(seat, place("source"), place("target"), armies("armies"))
        case "eliminated":
            by = _seat(number(body.by, 0, MAX_SEATS, "eliminated.by"))
            return Eliminated(seat, by, number(body.cards, 0, 3 * _MAX_CARDS, "eliminated.cards"))
        case _:
            return Drew(seat, one_of(Card, body.card, "drew.card") if body.card else None)


def _to_fought(message: pb.EmperadoFought) -> Fought:
    if len(message.last) > REMEMBERED:
        raise Malformed(f"at most {REMEMBERED} throws are told of", field="fought.last")
    counts = ("attackers", "defenders", "attackers_lost", "defenders_lost", "entered")
    return Fought(
        seat=number(message.seat, 0, _LAST_SEAT, "fought.seat"),
        source=_country(message.source, "fought.source"),
        target=_country(message.target, "fought.target"),
        defender=number(message.defender, 0, MAX_SEATS, "fought.defender") - 1,
        throws=number(message.throws, 0, MAX_THROWS, "fought.throws"),
        last=tuple(
            Throw(
                numbers(throw.attacker, MAX_DICE, 1, 6, f"fought.last[{i}].attacker"),
                numbers(throw.defender, MAX_DICE, 1, 6, f"fought.last[{i}].defender"),
            )
            for i, throw in enumerate(message.last)
        ),
        **{field: number(getattr(message, field), 0, MAX_ARMIES, f"fought.{field}") for field in counts},
    )
