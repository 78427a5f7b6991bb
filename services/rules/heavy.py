"""The rules service's work in separate processes (services/runtime/pool): checks of records, surveys, long variations, and texts.

A survey is a game's notes on a finished session for statistics, found by replaying its record.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk_games.rules.interface import Kind, Step
from brettwerk_games.rules.refusals import GameRefusal
from services.rules.answers import begin, begun_by, write_beginning
from services.rules.any_codec import any_codec, refused
from services.rules.game_text.parser import read_text
from services.rules.game_text.writer import write_text
from services.rules.plies import canonical, notation, played
from services.rules.replay import Replay
from services.rules.steps import UNWRITTEN, fill_step, outcome_message, unaware
from services.rules.verify import verify
from services.runtime import wire
from services.runtime.refusal import Refused, malformed

TARGET = "services.rules.heavy:work"
"""The function below, as a pool names it."""
VERIFY, PLAY, SURVEY, WRITE, READ = b"v", b"p", b"s", b"w", b"r"
"""The first byte of a request: the check or survey of a Record, or a request about a variation or a text; it follows encoded."""
REVEALS, RETRACTABLE = 1, 2
"""The flags of a ply in PlayVariationResponse.plies."""


def work(data: bytes, go_on: Callable[[], bool]) -> bytes:
    """Return an encoded Verification, or the response to another request.

    Raises Refused: MALFORMED, DEADLINE, and what the rules refuse.
    """
    kind, message = data[:1], memoryview(data)[1:].tobytes()
    del data
    try:
        if kind == VERIFY:
            return verify(record_pb2.Record.FromString(message), go_on).SerializeToString()
        if kind == SURVEY:
            return survey(record_pb2.Record.FromString(message), go_on).SerializeToString()
        if kind == READ:
            return _read(rules_pb2.ParseTextRequest.FromString(message), go_on).SerializeToString()
        if kind == WRITE:
            return _write(rules_pb2.FormatTextRequest.FromString(message), go_on).SerializeToString()
        request = rules_pb2.PlayVariationRequest.FromString(message)
        return play_variation(request, record_pb2.Loaded.FromString(request.packed_variation), go_on).SerializeToString()
    except DecodeError as error:
        if wire.lacks_memory(error):
            raise MemoryError from None
        raise malformed(
            "packed_variation" if kind == PLAY else "packed_record", "the bytes are not what they should be"
        ) from None
    except GameRefusal as error:
        raise refused(error) from None


def play_variation(
    request: rules_pb2.PlayVariationRequest, loaded: record_pb2.Loaded, go_on: Callable[[], bool]
) -> rules_pb2.PlayVariationResponse:
    """Return where a variation leads. Raises Refused or GameRefusal if the rules do not follow it, DEADLINE if time runs out."""
    if not loaded.variation:
        raise malformed("packed_variation", "the variation is empty")
    game = any_codec(request.game)
    options = loaded.options if loaded.HasField("options") else None
    start = loaded.start_position if loaded.HasField("start_position") else None
    setup = loaded.variation[0]
    step = begin(game, options, request.seats, start, setup.seed, begun_by(game, setup))
    plies, missed = bytearray(), bytearray()
    response = rules_pb2.PlayVariationResponse()
    for ply in loaded.variation[1:]:
        if not go_on():
            raise Refused(errors_pb2.REASON_DEADLINE, "playing the variation took too long")
        to_act = game.game.to_act(step.position)
        before = step.position
        step = played(game, before, ply)
        if request.writes:
            response.notations.append(notation(game, before, ply, step).full)
            if (content := canonical(game, ply)) is not None:
                response.canonical.add(ply=len(missed) + 1).content.CopyFrom(content)
        is_final = step.reveals or step.final
        is_retractable = step.reveals and step.retractable and not step.final
        plies.append((REVEALS if is_final else 0) | (RETRACTABLE if is_retractable else 0))
        plies.append(sum(1 << seat for seat in to_act))
        missed.append(unaware(game, before, step))
    response.plies, response.unaware = bytes(plies), bytes(missed) if any(missed) else b""
    if request.writes:
        write_beginning(game, options, request.seats, start, response)
    # The events of the variation's last ply did not happen in this session.
    shown = Step(step.position) if len(loaded.variation) > 1 else step
    fill_step(game, shown, response.step, UNWRITTEN, request.audiences, unlisted=request.unlisted)
    return response


def _write(request: rules_pb2.FormatTextRequest, go_on: Callable[[], bool]) -> rules_pb2.FormatTextResponse:
    loaded = record_pb2.Loaded.FromString(request.packed_variation)
    return rules_pb2.FormatTextResponse(text=write_text(any_codec(request.game), request.seats, loaded, go_on))


def _read(request: rules_pb2.ParseTextRequest, go_on: Callable[[], bool]) -> rules_pb2.ParseTextResponse:
    found = read_text(request.game, request.text, go_on)
    game = found.game
    response = rules_pb2.ParseTextResponse(game=game.game.facts.id, seats=found.seats, loaded=found.loaded)
    response.position_hash = hashlib.sha256(game.pack(Kind.POSITION, found.position).value).digest()
    ended = game.game.outcome(found.position)
    if ended is not None:
        response.outcome.CopyFrom(outcome_message(ended))
    return response


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
