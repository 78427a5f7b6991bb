"""The step budget of a turn (EP-TURN-2 to EP-TURN-9): what is still free, and how it is counted aloud."""

from brettwerk_games.rules.plateau.board import REACH, Army
from brettwerk_games.rules.plateau.position import Order, Turn

MAX_SMALL = 6
"""Steps of all small armies together (EP-TURN-4)."""
MAX_STEPS = 12
"""Steps of all armies together (EP-TURN-5)."""


def allowance(turn: Turn, army: Army) -> int:
    """Return how many steps an army that has not moved may still make; 0 when it may not move any more."""
    if army == Army.EMBLEM:
        return MAX_STEPS - turn.small if turn.order in (Order.NONE, Order.SMALL) else 0
    if turn.order == Order.SMALL_EMBLEM:
        return 0
    return min(REACH[army], MAX_SMALL - turn.small, MAX_STEPS - turn.total)


def forbidding_rule(turn: Turn, army: Army, steps: int) -> str:
    """Return the rule by which `steps` are more than the allowance of an army that has not moved."""
    if army == Army.EMBLEM:
        if turn.emblem:
            return "EP-TURN-6"
        return "EP-ARMY-2" if steps > REACH[army] else "EP-TURN-5"
    if turn.order == Order.SMALL_EMBLEM:
        return "EP-TURN-6"
    if steps > REACH[army]:
        return "EP-ARMY-2"
    return "EP-TURN-4" if steps > MAX_SMALL - turn.small else "EP-TURN-5"


def after(turn: Turn, army: Army, steps: int) -> Turn:
    """Return the turn after a move; what has moved is not noted yet."""
    if army == Army.EMBLEM:
        order = Order.SMALL_EMBLEM if turn.small else Order.EMBLEM
        return turn._replace(emblem=turn.emblem + steps, order=order)
    order = Order.EMBLEM_SMALL if turn.emblem else Order.SMALL
    return turn._replace(small=turn.small + steps, order=order)


def may_end(turn: Turn) -> bool:
    """Tell whether the turn has as many steps as are due (EP-TURN-2, EP-TURN-8)."""
    return turn.total >= turn.due


def called(turn: Turn) -> int:
    """Return the number that is called at the last step (EP-TURN-9).

    Small armies count afresh after an emblem of five steps or fewer; otherwise one count runs through the turn.
    """
    return turn.small if turn.order == Order.EMBLEM_SMALL and turn.emblem <= 5 else turn.total


def fault(turn: Turn) -> tuple[str, str] | None:
    """Return the field of a turn that contradicts the others and why, or None."""
    small, emblem, order = turn.small, turn.emblem, turn.order
    if small > MAX_SMALL or turn.total > MAX_STEPS:
        return "small", "a turn has at most 6 small steps and 12 in all"
    small_moved = order in (Order.SMALL, Order.SMALL_EMBLEM, Order.EMBLEM_SMALL)
    emblem_moved = order in (Order.EMBLEM, Order.SMALL_EMBLEM, Order.EMBLEM_SMALL)
    if bool(small) != small_moved or bool(emblem) != emblem_moved:
        return "order", "the order names who has made steps"
    return None
