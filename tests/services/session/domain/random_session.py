"""Sessions of persons and steps of their games, made by chance."""

import random
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from services.session.domain import perception
from services.session.domain.fold import create
from services.session.domain.state import RUNNING, Seat, State, replace

SPECTATORS = 1 << 6


def person(name: str) -> record_pb2.Occupant:
    return record_pb2.Occupant(person=record_pb2.Person(player_id=name, name=name.title()))


def running(dice: random.Random, **fields: Any) -> State:
    """Return a session of persons, of whom some hold several seats, with a line behind it."""
    seats = dice.randint(1, 6)
    created = record_pb2.Created(
        game="einstein",
        seats=seats,
        title=dice.choice(["", "Evening"]),
        commitment=bytes(32),
        competitive=dice.random() < 0.3,
        settles=dice.random() < 0.5,
        public=dice.random() < 0.5,
        counts_perceived=dice.random() < 0.3,
        **fields,
    )
    state = create("07abcdefghijklmnopqrstuv", bytes(range(32)), record_pb2.Entry(version=1, at_ms=1000, created=created))
    people = [person(dice.choice(["anna", "ben", "cleo"])) for _ in range(seats)]
    options = AnyMessage(type_url="x/options", value=dice.randbytes(3)) if dice.random() < 0.5 else None
    line = bytes(dice.choice((0b1001, 0b1010, 0b0011, 0b11001, 0b110001, 0, 0b1011001)) for _ in range(dice.randint(0, 20)))
    marks = b"".join(bytes((flags, dice.randint(1, (1 << seats) - 1))) for flags in line if (flags & 7) <= seats)
    return replace(
        state,
        seats=tuple(Seat(one, seed_contribution=dice.randbytes(2)) for one in people),
        status=RUNNING,
        version=dice.choice([2, 126, 127, 128, 16_384]),
        position_version=2,
        options=options,
        position=AnyMessage(type_url="x/position", value=b"before"),
        plies=marks,
        to_act=(dice.randrange(seats),),
        expiries=dice.randint(0, 3),
        former_options=(session_state_pb2.FormerOptions(plies=0),) if dice.random() < 0.3 else (),
    )


def pieces(dice: random.Random, audiences: int, field: str) -> list[rules_pb2.Piece]:
    data = {
        "view": sessions_pb2.Update(view=AnyMessage(type_url="x/view", value=dice.randbytes(4))),
        "happening": sessions_pb2.Happening(notation=str(dice.random())),
        "actions": sessions_pb2.Update(actions=[games_pb2.ActionChoice(notation=str(dice.random()))]),
    }
    pieces = []
    while audiences and (field == "view" or dice.random() < 0.8):  # everybody has a view, and nobody is told a field twice
        some = audiences & dice.randint(1, 127)
        audiences &= ~some
        pieces.append(rules_pb2.Piece(audiences=some, data=data[field].SerializeToString()))
    return pieces


def stepped(dice: random.Random, seats: int) -> rules_pb2.Step:
    """Return a step after which the game goes on."""
    audiences = (1 << seats) - 1 | SPECTATORS
    step = rules_pb2.Step(
        position=AnyMessage(type_url="x/position", value=dice.randbytes(5)),
        to_act=sorted(dice.sample(range(seats), dice.randint(0, seats))),
        reveals=dice.random() < 0.3,
        retractable=dice.random() < 0.3,
        notation="5:B3",
        audiences=perception.with_lists(audiences),
        view=pieces(dice, audiences, "view"),
        happening=pieces(dice, audiences, "happening"),
        actions=pieces(dice, audiences & ~SPECTATORS, "actions"),
    )
    if dice.random() < 0.3:
        step.draw_votes.agreeing = 1
    return step
