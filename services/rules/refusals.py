"""A game's refusal as one of the platform: the rule, the details and the field are kept."""

from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.refusals import Ambiguous, GameOver, GameRefusal, Malformed, NotYourTurn
from services.runtime.refusal import Refused

_REASONS = (
    (Malformed, errors_pb2.REASON_MALFORMED),
    (Ambiguous, errors_pb2.REASON_AMBIGUOUS),
    (NotYourTurn, errors_pb2.REASON_NOT_YOUR_TURN),
    (GameOver, errors_pb2.REASON_GAME_OVER),
    (GameRefusal, errors_pb2.REASON_ILLEGAL),
)


def refused(error: GameRefusal, where: str = "") -> Refused:
    """Return the refusal. `where` is the field of the request that the game looked at; a malformed one's path begins with it."""
    reason = next(reason for kind, reason in _REASONS if isinstance(error, kind))
    field = error.field
    if reason == errors_pb2.REASON_MALFORMED:
        field = ".".join(part for part in (where, error.field) if part)
    return Refused(reason, error.message, rule=error.rule, details=error.details, field=field)
