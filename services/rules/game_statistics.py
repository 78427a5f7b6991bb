"""A game's notes on a finished session for statistics, found by replaying its record."""

from collections.abc import Callable, Iterator
from typing import Any

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2
from services.rules.any_codec import any_codec
from services.rules.replay import Replay


def survey(record: record_pb2.Record, go_on: Callable[[], bool] = lambda: True) -> rules_pb2.SurveyRecordResponse:
    """Return what the game of a record notes.

    Nothing for games that note nothing; no marks for sessions that continue a saved variation: it was counted before.
    Raises Refused or GameRefusal for a record that the rules do not follow, DEADLINE when `go_on` says no.
    """
    game = any_codec(record.game).game
    goes_on = any(entry.created.variation or entry.WhichOneof("change") == "loaded" for entry in record.entries)
    found = game.survey(_positions(Replay(record, go_on), record))
    if found is None:
        return rules_pb2.SurveyRecordResponse()
    marks = [rules_pb2.SurveyMark(kind=mark.kind, key=mark.key, seat=mark.seat) for mark in found.marks if not goes_on]
    return rules_pb2.SurveyRecordResponse(rounds=found.rounds, marks=marks)


def _positions(replay: Replay, record: record_pb2.Record) -> Iterator[tuple[int, Any]]:
    before = None
    for version, entry in enumerate(record.entries, 1):
        replay.repeat(version, entry)
        if replay.position is not None and replay.position is not before:
            before = replay.position
            yield replay.plies, before
