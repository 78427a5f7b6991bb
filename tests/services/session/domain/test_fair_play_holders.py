"""The holders of a game's seats, and who may sit where when it is opened from a save."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain import records
from services.session.domain.commands.creation import seating
from services.session.domain.commands.seats import seat_changed
from services.session.domain.fair_play import REPLACED, holders_of
from tests.services.session.player import wish

PLAYERS = ("anna", "ben", "carl", "", REPLACED)
SEATS = st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=6)
WISHES = st.sampled_from(["me", "open", "easy"])


def person(name: str) -> record_pb2.Occupant:
    return record_pb2.Occupant(person=record_pb2.Person(player_id=name))


COMPUTER = record_pb2.Occupant(computer=record_pb2.Computer(level="easy"))


def created(saved_from: record_pb2.SavedFrom | None = None) -> record_pb2.Entry:
    return record_pb2.Entry(created=record_pb2.Created(seats=3, saved_from=saved_from))


STARTED = record_pb2.Entry(started=record_pb2.Started())


def test_a_seat_stays_its_persons_who_left_it_or_lets_a_computer_play() -> None:
    log = [
        created(),
        seat_changed(0, person("anna")),
        seat_changed(1, person("ben")),
        seat_changed(2, COMPUTER),
        STARTED,
        seat_changed(0, COMPUTER),
        seat_changed(1, COMPUTER, kept_for="ben"),
    ]
    assert holders_of(log) == ("anna", "ben", "")


def test_a_player_who_left_before_the_start_has_no_seat() -> None:
    log = [created(), seat_changed(0, person("anna")), seat_changed(0, None), seat_changed(0, person("carl")), STARTED]
    assert holders_of(log) == ("carl", "", "")


def test_seats_go_along_when_they_are_dealt() -> None:
    log = [created(), seat_changed(0, person("anna")), seat_changed(1, person("ben")), seat_changed(2, COMPUTER)]
    log += [record_pb2.Entry(dealt=record_pb2.Dealt(order=[1, 0, 2])), STARTED, seat_changed(0, COMPUTER)]
    assert holders_of(log) == ("ben", "anna", "")


def test_a_game_that_goes_on_from_a_save_has_the_holders_of_that() -> None:
    held_by = ["anna", REPLACED, "ben"]
    log = [created(saved_from=record_pb2.SavedFrom(held_by=held_by)), seat_changed(1, COMPUTER), seat_changed(0, person("anna"))]
    assert holders_of([*log, STARTED]) == tuple(held_by)


@given(held_by=SEATS, player=st.sampled_from(PLAYERS[:3]), competitive=st.booleans(), data=st.data())
def test_the_seat_of_another_is_not_given_away_whatever_is_asked(
    held_by: list[str], player: str, competitive: bool, data: st.DataObject
) -> None:
    """WEC-ONLINE-3: only the same players, with the same colours."""
    asked = data.draw(st.one_of(st.just([]), st.lists(WISHES, min_size=len(held_by), max_size=len(held_by))))
    try:
        found = seating([wish(each) for each in asked], player, held_by, [COMPUTER] * len(held_by), competitive=competitive)
    except Refused:
        return
    others = {*held_by} - {"", player}
    for seat, holder in zip(found.wishes, held_by, strict=True):
        if seat.WhichOneof("kind") == "me":
            assert holder == player or (not others and not competitive)
    for kept, holder, now in zip(found.kept_for, held_by, found.held_by, strict=True):
        assert kept in ("", holder) and kept != REPLACED
        assert now in (holder, REPLACED)
    assert found.is_without == (found.held_by != tuple(held_by))
    if others or competitive:
        opened = [kept for kept, seat in zip(found.kept_for, found.wishes, strict=True) if seat.WhichOneof("kind") == "open"]
        assert all(opened), "an open seat is kept for somebody"


def test_without_wishes_all_come_back() -> None:
    found = seating((), "ben", ("anna", "ben", "", REPLACED), [person("anna"), COMPUTER, COMPUTER, COMPUTER], competitive=True)
    assert [each.WhichOneof("kind") for each in found.wishes] == ["open", "me", "computer", "computer"]
    assert found.kept_for == ("anna", "", "", "") and not found.is_without and found.is_with_others


def test_wishes_are_for_all_seats() -> None:
    with pytest.raises(Refused):
        seating([play_pb2.SeatWish(me=True)], "anna", ("anna", "ben"), [None, None], competitive=False)


@given(entries=st.lists(st.binary(max_size=250), min_size=1, max_size=40))
def test_the_size_of_a_sealed_record_goes_by_the_number_of_its_entries(entries: list[bytes]) -> None:
    seal = records.fernet(bytes(32))

    def size(log: list[bytes]) -> int:
        contents = session_state_pb2.SealedRecord(session_id="a", secret=bytes(32))
        for seed in log:
            contents.entries.add(acted=record_pb2.Acted(ply=record_pb2.Ply(notation=seed.hex()[:200])))
        return len(records.seal_record(seal, contents))

    assert size(entries) == size([b""] * len(entries))
