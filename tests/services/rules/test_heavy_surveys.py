"""The notes of a game on a record: found by a replay, none where there is nothing to note, and never twice for a saved line."""

import random

import pytest

from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.emperado.survey import survey as of_positions
from services.rules import heavy
from services.rules.heavy import survey
from services.runtime.refusal import Refused
from tests.services.rules.recording import Recording

EMPERADO = registry.games()["emperado"]


def played() -> Recording:
    return Recording(EMPERADO, seats=3).start().play(random.Random(4))


def test_a_record_is_surveyed_by_its_positions() -> None:
    recording = played()
    expected = of_positions(enumerate(recording.positions))
    found = survey(recording.done())
    assert found.rounds == expected.rounds >= 1
    assert [(mark.kind, mark.key, mark.seat) for mark in found.marks] == [tuple(mark) for mark in expected.marks]


def test_a_game_that_notes_nothing_has_nothing_noted() -> None:
    found = survey(Recording(registry.games()["einstein"]).start().play(random.Random(2)).done())
    assert (found.rounds, len(found.marks)) == (0, 0)


def test_of_a_session_that_goes_on_from_a_saved_variation_only_the_rounds_are_shown() -> None:
    first = played()
    found = survey(Recording(EMPERADO, seats=3, variation=tuple(first.variation)).start().play(random.Random(5)).done())
    assert found.rounds >= 1
    assert not found.marks


def test_a_record_that_the_rules_do_not_follow_is_refused_and_one_that_takes_too_long_too() -> None:
    record = played().done()
    with pytest.raises(Refused) as refused:
        survey(record, lambda: False)
    assert refused.value.reason == errors_pb2.REASON_DEADLINE
    wrong = record_pb2.Record()
    wrong.CopyFrom(record)
    wrong.entries[-1].version += 1
    with pytest.raises(Refused) as refused:
        heavy.work(heavy.SURVEY + wrong.SerializeToString(), lambda: True)
    assert refused.value.reason == errors_pb2.REASON_RECORD_DAMAGED
    with pytest.raises(Refused) as refused:
        heavy.work(heavy.SURVEY + b"\xff\xff", lambda: True)
    assert refused.value.refusal.field == "packed_record"
