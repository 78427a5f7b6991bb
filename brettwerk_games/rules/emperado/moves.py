"""Moving armies between own neighbours (EMP-MOVE)."""

from brettwerk_games.rules.emperado.actions import Event, Move, Moved
from brettwerk_games.rules.emperado.attack import require_origin, require_target
from brettwerk_games.rules.emperado.options import Undo
from brettwerk_games.rules.emperado.position import Position
from brettwerk_games.rules.interface import Step


def require_move(position: Position, action: Move) -> None:
    """Raise Illegal with the rule that forbids the move."""
    require_origin(position, action.source)
    require_target(position, action.source, action.target, own=True, rule="EMP-MOVE-1")


def move(position: Position, action: Move) -> Step[Position, Event]:
    """Return the step of a legal move: one army stays (EMP-MOVE-2), and the target is blocked (EMP-MOVE-4)."""
    source, target = action.source, action.target
    armies = list(position.armies)
    moved = min(action.armies, armies[source] - 1)
    armies[source] -= moved
    armies[target] += moved
    after = position._replace(armies=tuple(armies), blocked=position.blocked | {target})
    event = Moved(position.to_move, source, target, moved)
    return Step(after, (event,), reveals=position.options.undo == Undo.OFF)
