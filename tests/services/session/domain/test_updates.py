import random
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, play_pb2, record_pb2, sessions_pb2
from services.session.domain import perception, public_session
from services.session.domain.fold import create, fold
from services.session.domain.perception import EVERYBODY, with_lists
from services.session.domain.public_session import describe
from services.session.domain.state import FINISHED, PAUSED, RUNNING, Seat, State, replace
from services.session.domain.updates import messages, pack, resync, view_of
from tests.services.session.domain import random_session

VIEWS = [b"\x32\x05\x0a\x03x/" + bytes([97 + number]) for number in range(3)]
"""Encoded views, of type x/a to x/c."""


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_session, "_kept", type(public_session._kept)())


def running(**fields: Any) -> State:
    created = record_pb2.Created(game="einstein", seats=2, title="Evening", commitment=bytes(32), **fields)
    state = create("07abcdefghijklmnopqrstuv", bytes(range(32)), record_pb2.Entry(version=1, at_ms=1000, created=created))
    person = record_pb2.Occupant(person=record_pb2.Person(player_id="p", name="Anna"))
    return replace(state, seats=(Seat(person), Seat(person)), status=RUNNING, version=7, to_act=(1,))


def perspectives() -> rules_pb2.Step:
    views = [rules_pb2.Piece(audiences=1 << number, data=data) for number, data in zip((0, 1, 6), VIEWS, strict=True)]
    actions = sessions_pb2.Update(actions=[games_pb2.ActionChoice(notation="5:B3")]).SerializeToString()
    happening = sessions_pb2.Happening(notation="2:C3").SerializeToString()
    return rules_pb2.Step(
        audiences=with_lists(0b1000011),
        view=views,
        happening=[rules_pb2.Piece(audiences=0b1000011, data=happening)],
        actions=[rules_pb2.Piece(audiences=0b10, data=actions)],
    )


def entry(**change: Any) -> record_pb2.Entry:
    return record_pb2.Entry(version=7, at_ms=1000, **change)


ACTED = entry(acted=record_pb2.Acted(ply=record_pb2.Ply(actor=1)))


def received(state: State, made_by: record_pb2.Entry, audiences: int = EVERYBODY) -> dict[int, sessions_pb2.Update]:
    found = messages(state, made_by, perspectives(), audiences)
    return {
        number: play_pb2.WatchResponse.FromString(message).update
        for message, bits in found.items()
        for number in range(7)
        if bits >> number & 1
    }


def test_updates_are_made_for_the_wanted_audiences_only() -> None:
    everybody = received(running(), ACTED)
    assert everybody[1].actions
    unlisted = sessions_pb2.Update()
    unlisted.CopyFrom(everybody[1])
    unlisted.ClearField("actions")
    assert received(running(), ACTED, 0b10) == {1: unlisted}
    assert sorted(everybody) == [0, 1, 6]
    for bits in (0, 0b1, 0b10, 0b1000000, 0b1000010, 0b111100):
        wanted = with_lists(bits)
        assert received(running(), ACTED, wanted) == {number: everybody[number] for number in everybody if wanted >> number & 1}
    assert [update.view.type_url for update in everybody.values()] == ["x/a", "x/b", "x/c"]


def test_an_update_needs_an_audience_that_the_rules_were_asked_for() -> None:
    with pytest.raises(ValueError, match="not asked"):
        messages(running(), ACTED, rules_pb2.Step(audiences=1), 0b11)
    with pytest.raises(ValueError, match="not asked"):
        messages(running(), ACTED, rules_pb2.Step(audiences=0b11), with_lists(0b11))


def test_actions_are_shown_while_the_game_runs_and_notation_with_its_own_version() -> None:
    update = received(running(), ACTED)[1]
    assert (update.happening.notation, [choice.notation for choice in update.actions]) == ("2:C3", ["5:B3"])
    credit = entry(credited=record_pb2.Credited(time_ms=5))
    update = received(replace(running(), status=PAUSED), credit)[1]
    assert (update.happening.notation, len(update.actions), update.view.type_url) == ("", 0, "x/b")


def test_audiences_that_are_told_the_same_share_a_message() -> None:
    packed = pack(running(), entry(credited=record_pb2.Credited(time_ms=5)), None)
    assert list(packed.messages.values()) == [0b1000011]
    assert packed.audiences == with_lists(0b1000011)


def test_a_view_is_found_among_the_pieces() -> None:
    assert [view_of(perspectives(), seat).type_url for seat in (0, 1, None)] == ["x/a", "x/b", "x/c"]
    split = rules_pb2.Step(audiences=3, view=[rules_pb2.Piece(audiences=3, data=VIEWS[0][:4])])
    split.view.add(audiences=2, data=VIEWS[0][4:])
    split.view.add(audiences=1, data=VIEWS[1][4:])
    assert [view_of(split, seat).type_url for seat in (0, 1)] == ["x/b", "x/a"]


@pytest.mark.parametrize("title", ["", "x" * 80])
def test_a_new_beginning_has_the_same_update(title: str) -> None:
    for message in messages(replace(running(), rematch_id=title), ACTED, perspectives()):
        update = play_pb2.WatchResponse.FromString(message).update
        for cause in play_pb2.Resync.Cause.values():
            plain = play_pb2.WatchResponse(resync=play_pb2.Resync(cause=cause, update=update))
            assert resync(cause, message) == plain.SerializeToString(deterministic=True)


CHANGES: dict[str, Any] = {
    "version": {"version": 300},
    "plies": {"plies": b"ab" * 200},
    "status": {"status": PAUSED},
    "seats": {"seats": (Seat(), Seat(wished=2))},
    "a computer sits down": {
        "seats": (Seat(kept_for="p"), Seat(record_pb2.Occupant(computer=record_pb2.Computer(level="easy"))))
    },
    "options": {"options": AnyMessage(type_url="x/o", value=b"o")},
    "outcome": {"status": FINISHED, "outcome": games_pb2.Outcome(scores=[1, 0], rule="EWN-END-1")},
    "proposals": {"proposals": (record_pb2.Proposal(id=3, seat=1, waiting=[0], draw=True),)},
    "rematch": {"rematch_id": "08abcdefghijklmnopqrstuv"},
    "chance": {"secret": bytes(32), "former_secret": bytes(range(32))},
}


def test_of_an_end_that_has_scores_only_winner_and_places_are_shown() -> None:
    old = games_pb2.Outcome(scores=[0, 1], rule="EWN-END-1")
    state = replace(running(), status=FINISHED, outcome=old)
    received = sessions_pb2.Session.FromString(public_session.encoded(state)).outcome
    assert (list(received.winners), list(received.places), list(received.scores)) == ([1], [2, 1], [0, 1])
    assert not old.places


@pytest.mark.parametrize("name", CHANGES)
def test_a_kept_description_follows_every_change(name: str) -> None:
    before = running()
    after = replace(before, **CHANGES[name])
    for state in (before, after, before, after, after):
        assert public_session.encoded(state) == describe(state).SerializeToString(deterministic=True)
    assert describe(after) != describe(before)


def test_every_field_of_a_description_is_in_its_bytes() -> None:
    """A field that the contract gets later is not left out."""
    whole = sessions_pb2.Session()
    parts = [name for part in public_session.PARTS for name in part]
    assert sorted((*parts, "state", "version", "plies")) == sorted(whole.DESCRIPTOR.fields_by_name)


def test_descriptions_are_kept_of_as_many_sessions_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_session, "KEPT", 3)
    for number in range(9):
        public_session.encoded(replace(running(), id=str(number)))
    assert list(public_session._kept) == ["6", "7", "8"]
    public_session.encoded(replace(running(), id="6"))
    assert list(public_session._kept) == ["7", "8", "6"]
    large = running(variation=[record_pb2.Ply(notation="x" * 200)] * 30)
    assert public_session.encoded(large) == describe(large).SerializeToString(deterministic=True)
    assert large.id not in public_session._kept


def test_updates_are_made_for_everybody_while_they_are_stored() -> None:
    assert perception.audiences_of(running()) == with_lists(0b1000011)


@pytest.mark.parametrize("beginning", range(8))
def test_changes_of_an_action_are_told_field_by_field_and_can_be_stored(beginning: int) -> None:
    """Of each update, conftest.py compares the bytes with those of a message made field by field."""
    for number in range(15):
        dice = random.Random(1000 * beginning + number)
        state = random_session.running(dice)
        for _ in range(4):
            seats, seat = len(state.seats), dice.randrange(len(state.seats))
            step, wanted = random_session.stepped(dice, seats), dice.randint(0, perception.EVERYBODY)
            ply = record_pb2.Ply(actor=seat + 1, action=AnyMessage(type_url="x/action"), seed=bytes(32), notation=step.notation)
            at_ms = state.at_ms + dice.randint(0, 5)
            acted = record_pb2.Entry(version=state.version + 1, at_ms=at_ms, acted=record_pb2.Acted(ply=ply))
            state = fold(state, acted, step)
            packed = pack(state, acted, step, wanted)
            assert packed.audiences == perception.existing(wanted, seats)
            assert (state.version, state.at_ms, state.to_act) == (acted.version, at_ms, tuple(step.to_act))
            assert State.decode(state.encode()).encode() == state.encode()
