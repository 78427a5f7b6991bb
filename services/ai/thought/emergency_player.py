"""The player that stands in for a computer player when no worker is alive: the level's own cheapest sensible move.

The session service runs it in a separate process (services/runtime/pool), and does not import it. It is given the view of a seat,
and that is all it sees.
"""

from collections.abc import Callable

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2
from brettwerk_games.players.interface import NothingToDo
from brettwerk_games.players.registry import cheapest
from services.ai.thought.assignment import assign, packed_action
from services.runtime.refusal import Refused


def work(data: bytes, _go_on: Callable[[], bool]) -> bytes:
    """Return an encoded action for an encoded WantedPosition. Raises Refused: UNKNOWN, MALFORMED, NOT_YOUR_TURN."""
    wanted = session_pb2.WantedPosition.FromString(data)
    asked = assign(wanted.game, wanted.computer, wanted.view)
    try:
        action = cheapest(asked.game, asked.level, wanted.computer.depth, asked.view, wanted.search_seed)
    except NothingToDo:
        raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "it is not the turn of the view's seat") from None
    return packed_action(asked.game, action).SerializeToString()
