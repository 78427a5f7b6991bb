"""What plays for a computer player when no worker lives: the level's own cheapest sensible move.

It runs in a process of its own (services/runtime/pool), and nothing else of the session service imports it. This is the one
module here that may know players and games; it is given the view of a seat, and that is all it sees.
"""

from collections.abc import Callable

from brettwerk.v1 import ai_pb2, errors_pb2
from services.ai.assignment import assign, packed_action
from services.ai.players.interface import NothingToDo
from services.ai.players.registry import cheapest
from services.runtime.refusal import Refused


def work(data: bytes, _go_on: Callable[[], bool]) -> bytes:
    """Return an encoded action for an encoded RequestMoveRequest. Raises Refused: UNKNOWN, MALFORMED, NOT_YOUR_TURN."""
    request = ai_pb2.RequestMoveRequest.FromString(data)
    asked = assign(request.game, request.computer, request.view)
    try:
        action = cheapest(asked.game, asked.level, request.computer.depth, asked.view, request.search_seed)
    except NothingToDo:
        raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "the view's seat is not to act") from None
    return packed_action(asked.game, action).SerializeToString()
