"""How players behave, as the contract tells it, and the refusal of those who pause. In a transaction."""

from sqlalchemy import Connection

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import profiles_pb2 as pb
from services.players.conduct import conduct_rows
from services.players.conduct.conduct_rows import Conduct
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.reliability import telling
from services.runtime.refusal import Refused


def reliability(conduct: Conduct, pace: Pace, now_ms: int) -> pb.Reliability:
    """Return how reliably a player finishes games of a pace, with what it is made of."""
    games = telling(conduct.of(pace), pace, now_ms)
    left = sum(game.mark is not Mark.FINISHED for game in games)
    return pb.Reliability(games=len(games), left=left, percent=conduct.percent(pace, now_ms))


def pause(conduct: Conduct, now_ms: int) -> pb.PlayPause | None:
    """Return a player's pause, or None."""
    found = conduct.pause(now_ms)
    return None if found is None else pb.PlayPause(until_ms=found.until_ms, left=found.left)


def require_no_pause(connection: Connection, player_id: str, now_ms: int) -> Conduct:
    """Return how a player behaved. Raises Refused (LEFT_GAMES, with its end) for one who pauses."""
    conduct = conduct_rows.find(connection, [player_id])[player_id]
    found = conduct.pause(now_ms)
    if found is not None:
        details = {"left": str(found.left), "until_ms": str(found.until_ms)}
        message = f"{found.left} of the last games were left; after a pause opponents can be looked for again"
        raise Refused(errors_pb2.REASON_LEFT_GAMES, message, details=details, retry_after_ms=found.until_ms - now_ms)
    return conduct
