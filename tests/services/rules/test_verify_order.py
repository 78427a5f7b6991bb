"""The permitted order of entries in a record: starts, pauses, ends, what is taken back."""

import random

import pytest

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind, Reoption, Resign
from services.rules.verify import verify
from tests.services.rules.asking import packed
from tests.services.rules.recording import EINSTEIN, Recording, acted, played


def test_taking_back_a_revealing_ply_is_a_fault(duel: AnyGame) -> None:
    recording = Recording(duel).start().play(random.Random(1), 2)
    assert any(recording.reveals)
    recording.undo(0)
    verification = verify(recording.done())
    assert (verification.good, verification.fault_version) == (False, len(recording.record.entries))


def test_taking_back_a_revealing_ply_where_the_rules_allow_it_is_no_fault() -> None:
    wec = registry.games()["wec"]
    recording = Recording(wec).start().play(random.Random(1), 3)
    assert any(recording.reveals)
    recording.undo(0)
    assert verify(recording.play(random.Random(2), 3).done()).good


def test_in_a_competitive_game_nothing_is_taken_back() -> None:
    recording = Recording(EINSTEIN, competitive=True).start().play(random.Random(1), 2)
    recording.undo(1)
    assert verify(recording.done()).fault.reason == errors_pb2.REASON_COMPETITIVE


def fault_of(record: record_pb2.Record) -> tuple[str, int]:
    """Return the reason of the fault, and the version it is found at."""
    verification = verify(record)
    assert not verification.good
    return errors_pb2.Reason.Name(verification.fault.reason).removeprefix("REASON_"), verification.fault_version


def test_a_ply_in_a_paused_game_is_a_fault() -> None:
    recording = Recording(EINSTEIN).start().play(random.Random(1), 2)
    recording.add(paused=record_pb2.Paused(paused=True))
    recording.play(random.Random(1), 1)
    assert fault_of(recording.done()) == ("NOT_RUNNING", len(recording.record.entries))


def test_one_may_give_up_while_the_game_stands_still() -> None:
    recording = Recording(EINSTEIN).start().play(random.Random(1), 2)
    recording.add(paused=record_pb2.Paused(paused=True))
    recording.system_action(games_pb2.SystemAction(resign=1), Resign(1))
    assert verify(recording.done()).good


def test_in_a_competitive_game_options_do_not_change() -> None:
    for competitive in (False, True):
        recording = Recording(EINSTEIN, competitive=competitive).start()
        shown = EINSTEIN.codec.decode(Kind.OPTIONS, bytes([24, 1]))
        recording.system_action(games_pb2.SystemAction(options=packed(EINSTEIN, Kind.OPTIONS, shown)), Reoption(shown))
        if competitive:
            assert fault_of(recording.done()) == ("COMPETITIVE", len(recording.record.entries))
        else:
            assert verify(recording.done()).good


def test_plies_before_the_start_and_after_the_close_are_faults() -> None:
    record = played(EINSTEIN).done()
    record.entries[3].credited.time_ms = 1
    assert fault_of(record) == ("NOT_RUNNING", 5)
    for change in ("undone", "loaded", "acted", "started"):
        recording = Recording(EINSTEIN).start().play(random.Random(1), 3)
        recording.add(closed=record_pb2.Closed())
        late = recording.record.entries.add(version=len(recording.record.entries) + 1)
        getattr(late, change).SetInParent()
        reason, version = fault_of(recording.done())
        assert (reason, version) == ("RECORD_DAMAGED" if change == "started" else "NOT_RUNNING", late.version)
    never = Recording(EINSTEIN)
    never.add(undone=record_pb2.Undone(plies=0))
    assert fault_of(never.done()) == ("NOT_RUNNING", 4)


def test_a_game_that_goes_on_from_a_variation_has_no_set_up_of_its_own() -> None:
    variation = tuple(Recording(EINSTEIN).start().play(random.Random(5), 3).variation)
    record = Recording(EINSTEIN, variation=variation).start().done()
    assert verify(record).good
    record.entries[3].started.seed = bytes(32)
    assert fault_of(record) == ("RECORD_DAMAGED", 4)


def test_a_game_begins_once_and_not_after_its_close() -> None:
    variation = tuple(Recording(EINSTEIN).start().play(random.Random(5), 3).variation)
    twice = Recording(EINSTEIN, variation=variation).start()
    twice.add(started=record_pb2.Started())
    assert fault_of(twice.done()) == ("RECORD_DAMAGED", 5)
    late = Recording(EINSTEIN)
    late.add(closed=record_pb2.Closed())
    late.start()
    assert fault_of(late.done()) == ("RECORD_DAMAGED", 5)


def test_a_game_that_still_runs_has_no_outcome() -> None:
    record = Recording(EINSTEIN).start().play(random.Random(1), 3).done()
    record.outcome.scores.extend([1, 0])
    assert fault_of(record) == ("RECORD_DAMAGED", 0)


@pytest.mark.parametrize("name", ["actor", "notation", "system_action"])
def test_a_variation_begins_with_the_set_up(name: str) -> None:
    variation = tuple(Recording(EINSTEIN).start().play(random.Random(5), 3).variation)
    record = Recording(EINSTEIN, variation=variation).start().done()
    first = record.entries[0].created.variation[0]
    if name == "system_action":
        first.system_action.draw = True
    else:
        setattr(first, name, {"actor": 1, "notation": "x"}[name])
    assert fault_of(record) == ("RECORD_DAMAGED", 1)


@pytest.mark.parametrize("actor", [0, 3, 6])
def test_an_action_is_one_of_a_seat(actor: int) -> None:
    record = played(EINSTEIN).done()
    acted(record).acted.ply.actor = actor
    assert fault_of(record) == ("RECORD_DAMAGED", 7)


def test_a_system_action_is_nobodys_action() -> None:
    recording = Recording(EINSTEIN).start()
    recording.system_action(games_pb2.SystemAction(resign=1), Resign(1))
    record = recording.done()
    assert verify(record).good
    record.entries[4].acted.ply.actor = 2
    assert fault_of(record) == ("RECORD_DAMAGED", 5)
