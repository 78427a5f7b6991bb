"""What an ordinary action makes of a session, beside what `fold` and `updates` make of any entry."""

import random
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from services.session.domain import updates
from services.session.domain.commands import effects
from services.session.domain.fast_replace import replace
from services.session.domain.fold import create, fold
from services.session.domain.ordinary import Ordinary, is_ordinary, is_ordinary_step
from services.session.domain.state import PAUSED, RUNNING, Seat, State, Unperceived

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
        audiences=audiences,
        view=pieces(dice, audiences, "view"),
        happening=pieces(dice, audiences, "happening"),
        actions=pieces(dice, audiences & ~SPECTATORS, "actions"),
    )
    if dice.random() < 0.3:
        step.draw_votes.agreeing = 1
    return step


@pytest.mark.parametrize("beginning", range(8))
def test_an_ordinary_action_changes_and_tells_what_any_entry_would(beginning: int) -> None:
    for number in range(15):
        dice = random.Random(1000 * beginning + number)
        state = running(dice)
        assert is_ordinary(state)
        ordinary = Ordinary(state)
        for _ in range(4):
            seats, seat = len(state.seats), dice.randrange(len(state.seats))
            step, wanted = stepped(dice, seats), dice.randint(0, 127)
            ply = record_pb2.Ply(actor=seat + 1, action=AnyMessage(type_url="x/action"), seed=bytes(32), notation=step.notation)
            entry = record_pb2.Entry(
                version=state.version + 1, at_ms=state.at_ms + dice.randint(0, 5), acted=record_pb2.Acted(ply=ply)
            )
            assert ordinary.fits(state)
            assert is_ordinary_step(step)
            after = ordinary.after(state, seat, step, entry.at_ms)
            assert after == fold(state, entry, step)
            assert after.encode() == fold(state, entry, step).encode()
            assert ordinary.pack(after, seat, step, wanted) == updates.pack(after, entry, step, wanted)
            assert effects.following(after) is None
            state = after


@pytest.mark.parametrize(
    "fields",
    [
        {"status": PAUSED},
        {"proposals": (record_pb2.Proposal(id=1, draw=True),)},
        {"agreed": record_pb2.Proposal(id=1, draw=True)},
        {"unperceived": (Unperceived(2, 1, 1),)},
        {"unaware": b"\x01"},
        {"position": None},
        {"rematch_id": "07abcdefghijklmnopqrstuw"},
        {"options": AnyMessage(type_url="x/options", value=b"other")},
        {"secret": bytes(32)},
        {"seats": (Seat(person("cleo")),) * 2},
        {"created": record_pb2.Created(game="einstein", seats=2)},
    ],
)
def test_a_session_that_has_changed_otherwise_is_looked_at_anew(fields: dict[str, Any]) -> None:
    state = running(random.Random(1))
    assert not Ordinary(state).fits(replace(state, **fields))


@pytest.mark.parametrize(
    "occupant",
    [
        Seat(),
        Seat(record_pb2.Occupant(computer=record_pb2.Computer(level="easy"))),
        Seat(person("anna"), wanted_version=2),
    ],
)
def test_a_session_where_not_only_persons_sit_is_out_of_the_ordinary(occupant: Seat) -> None:
    state = running(random.Random(1))
    assert not is_ordinary(replace(state, seats=(*state.seats[:-1], occupant)))


def test_a_session_with_clocks_or_whose_game_is_told_who_plays_is_out_of_the_ordinary() -> None:
    assert not is_ordinary(running(random.Random(1), clock=record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL)))
    described = running(random.Random(1), tells_seats=True)
    assert not is_ordinary(described)
    assert is_ordinary(replace(described, announced_computers=1))


def test_the_end_of_a_game_and_what_somebody_does_not_perceive_are_out_of_the_ordinary() -> None:
    assert not is_ordinary_step(rules_pb2.Step(outcome=games_pb2.Outcome()))
    assert not is_ordinary_step(rules_pb2.Step(unaware=1))


def test_audiences_that_the_rules_were_not_asked_about_are_told_nothing() -> None:
    state = running(random.Random(1))
    with pytest.raises(ValueError, match="not asked"):
        Ordinary(state).pack(state, 0, rules_pb2.Step(audiences=1), SPECTATORS)
