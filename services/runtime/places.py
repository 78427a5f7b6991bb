"""Winners and places of games that ended in 0.1.0, which kept scores only: what follows from these."""

from collections.abc import Sequence

from brettwerk.v1 import games_pb2


def places(scores: Sequence[float]) -> tuple[int, ...]:
    """Return the place of each seat; those with the same score share one."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def winners(scores: Sequence[float]) -> tuple[int, ...]:
    """Return the seat that has won alone. Where several share the best score nobody is said to have won: mostly it was a draw."""
    first = tuple(seat for seat, place in enumerate(places(scores)) if place == 1)
    return first if len(first) == 1 else ()


def placed(outcome: games_pb2.Outcome) -> games_pb2.Outcome:
    """Return an outcome that has winners and places: itself, or where it has scores only a copy with what follows from them."""
    if outcome.places or not outcome.scores:
        return outcome
    whole = games_pb2.Outcome(winners=winners(outcome.scores), places=places(outcome.scores))
    whole.MergeFrom(outcome)
    return whole
