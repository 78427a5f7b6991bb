"""What the rules service does in processes of its own (services/runtime/pool): checks of records, and long lines of play."""

from collections.abc import Callable

from google.protobuf.message import DecodeError

from brettwerk.v1 import errors_pb2, record_pb2, rules_pb2
from services.games.interface import Step
from services.games.refusals import GameRefusal
from services.rules.answers import begin
from services.rules.anys import carrier
from services.rules.plies import notation, played
from services.rules.refusals import refused
from services.rules.steps import UNWRITTEN, fill_step
from services.rules.survey import survey
from services.rules.verify import verify
from services.runtime import wire
from services.runtime.refusal import Refused, malformed

TARGET = "services.rules.heavy:work"
"""The function below, as a pool names it."""
VERIFY, PLAY, SURVEY = b"v", b"p", b"s"
"""The first byte of a request: the check of a Record, a PlayLineRequest, or the survey of a Record; it follows encoded."""
REVEALS, RETRACTABLE = 1, 2
"""What PlayLineResponse.plies says of a ply."""


def work(data: bytes, go_on: Callable[[], bool]) -> bytes:
    """Return an encoded Verification, PlayLineResponse or SurveyRecordResponse.

    Raises Refused: MALFORMED, DEADLINE, and what the rules refuse.
    """
    kind, message = data[:1], memoryview(data)[1:].tobytes()
    del data
    try:
        if kind == VERIFY:
            return verify(record_pb2.Record.FromString(message), go_on).SerializeToString()
        if kind == SURVEY:
            return survey(record_pb2.Record.FromString(message), go_on).SerializeToString()
        request = rules_pb2.PlayLineRequest.FromString(message)
        return play_line(request, record_pb2.Loaded.FromString(request.packed_line), go_on).SerializeToString()
    except DecodeError as error:
        if wire.lacks_memory(error):
            raise MemoryError from None
        raise malformed("packed_line" if kind == PLAY else "packed_record", "the bytes are not what they should be") from None
    except GameRefusal as error:
        raise refused(error) from None


def play_line(
    request: rules_pb2.PlayLineRequest, loaded: record_pb2.Loaded, go_on: Callable[[], bool]
) -> rules_pb2.PlayLineResponse:
    """Return where a line leads. Raises Refused or GameRefusal where the rules do not follow it, DEADLINE when time is over."""
    if not loaded.line:
        raise malformed("packed_line", "the line is empty")
    game = carrier(request.game)
    options = loaded.options if loaded.HasField("options") else None
    start = loaded.start_position if loaded.HasField("start_position") else None
    step = begin(game, options, request.seats, start, loaded.line[0].seed)
    plies = bytearray()
    notations: list[str] = []
    for ply in loaded.line[1:]:
        if not go_on():
            raise Refused(errors_pb2.REASON_DEADLINE, "playing the line took too long")
        to_act = game.game.to_act(step.position)
        before = step.position
        step = played(game, before, ply)
        if request.writes:
            notations.append(notation(game, before, ply, step).full)
        is_final = step.reveals or step.final
        is_retractable = step.reveals and step.retractable and not step.final
        plies.append((REVEALS if is_final else 0) | (RETRACTABLE if is_retractable else 0))
        plies.append(sum(1 << seat for seat in to_act))
    response = rules_pb2.PlayLineResponse(plies=bytes(plies), notations=notations)
    # What the line's last ply did did not happen in this session.
    shown = Step(step.position) if len(loaded.line) > 1 else step
    fill_step(game, shown, response.step, UNWRITTEN, request.audiences)
    return response
