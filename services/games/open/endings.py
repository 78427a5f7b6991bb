"""The ends that every game of two has: somebody gives up, runs out of time, or both agree on a draw."""

from services.games.interface import Draw, Flag, Outcome, Resign, Text
from services.games.open.values import OpenEnding
from services.games.ranking import of_two
from services.games.refusals import Illegal, Malformed

RULES = {"resigned": "ANY-RESIGN", "time": "ANY-TIME", "agreed": "ANY-DRAW"}
"""By reason: the end of the rule's id; the game's prefix comes before it."""


def ended_by(action: Resign | Flag | Draw, *, draws: bool, prefix: str) -> OpenEnding:
    """Return how a system action ends a game. Raises Illegal for a draw where there is none, Malformed for no seat."""
    if isinstance(action, Draw):
        if not draws:
            raise Illegal("there is no draw by agreement", rule=f"{prefix}-ANY-DRAW")
        return OpenEnding("agreed")
    if action.seat not in (0, 1):
        raise Malformed("there are the seats 0 and 1", field="seat")
    return OpenEnding("resigned" if isinstance(action, Resign) else "time", 1 - action.seat)


def outcome_of(ending: OpenEnding, rule: str) -> Outcome:
    """Return the outcome; its text is `reason.<reason>`, with the winner's seat behind it unless it is a draw."""
    winner = "" if ending.winner is None else f".{ending.winner}"
    return of_two(ending.winner, Text(f"reason.{ending.reason}{winner}"), rule)
