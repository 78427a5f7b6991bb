"""How a game ended, made of how well its seats did: winners, places and scores that agree with each other."""

from collections.abc import Sequence

from brettwerk_games.rules.interface import Outcome, Text


def ranked(merits: Sequence[int], reason: Text, rule: str, *, is_draw: bool, sides: tuple[int, ...] = ()) -> Outcome:
    """Return the outcome of seats of which those with the greater merit have the better place.

    Those at the first place share the point, and have won unless it is a draw. `sides` are the partners' (`Outcome.sides`).
    """
    places = tuple(1 + sum(other > merit for other in merits) for merit in merits)
    first = tuple(seat for seat, place in enumerate(places) if place == 1)
    scores = tuple(1 / len(first) if place == 1 else 0.0 for place in places)
    return Outcome(() if is_draw else first, places, scores, reason, rule, sides)


def of_two(winner: int | None, reason: Text, rule: str) -> Outcome:
    """Return the outcome of a game of two that one of them has won, or that is a draw (None)."""
    return ranked([int(seat == winner) for seat in (0, 1)], reason, rule, is_draw=winner is None)
