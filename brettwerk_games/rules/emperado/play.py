"""Actions: whether one is allowed now, and the step that it makes. Every refusal names its rule."""

from brettwerk_games.rules.emperado.actions import MAX_THROWS, Action, Attack, Done, Enter, Event, Exchange, Move, Place
from brettwerk_games.rules.emperado.attack import attack, enter, require_attack, require_enter
from brettwerk_games.rules.emperado.game_end import end
from brettwerk_games.rules.emperado.moves import move, require_move
from brettwerk_games.rules.emperado.placement import place, require_exchange, require_place, turn_in
from brettwerk_games.rules.emperado.position import FORMER_MAX_ACTIONS, MAX_ACTIONS, MAX_ARMIES, REVISION, End, Position
from brettwerk_games.rules.emperado.turn import finish
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Illegal, Malformed


def require_legal(position: Position, action: Action) -> None:
    """Raise Illegal with the rule that forbids the action to the seat to act, Malformed for one that is none anywhere.

    >>> require_legal(position, Done())
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: all armies are placed first
    """
    _require_numbers(action, position.world.count)
    _require_stage(position, action)
    match action:
        case Exchange():
            require_exchange(position, action)
        case Place():
            require_place(position, action)
        case Attack():
            require_attack(position, action)
        case Enter():
            require_enter(position, action)
        case Move():
            require_move(position, action)
        case Done():
            pass


def _require_numbers(action: Action, countries: int) -> None:
    match action:
        case Place(country=country, armies=armies):
            good = 0 <= country < countries and 1 <= armies <= MAX_ARMIES
        case Attack(source=source, target=target, throws=throws):
            good = 0 <= source < countries and 0 <= target < countries and 0 <= throws <= MAX_THROWS
        case Move(source=source, target=target, armies=armies):
            good = 0 <= source < countries and 0 <= target < countries and 1 <= armies <= MAX_ARMIES
        case _:
            good = True
    if not good:
        raise Malformed("there is no such country or number", field="action")


def _require_stage(position: Position, action: Action) -> None:
    """Raise Illegal when something else comes first: armies that move in, cards and armies to place."""
    entry = position.entry
    if entry is not None and not isinstance(action, Enter):
        details = {"country": position.world.countries[entry.target].notation}
        raise Illegal("first say how many armies move in", rule="EMP-ATTACK-11", details=details)
    if position.to_place and not isinstance(action, Exchange | Place | Enter):
        rule = "EMP-TURN-3" if isinstance(action, Done) else "EMP-REINF-9"
        raise Illegal("all armies are placed first", rule=rule, details={"armies": str(position.to_place)})


def act(position: Position, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action of the seat to act makes. Raises Illegal with the rule's id.

    >>> country = position.owners.index(0)
    >>> act(position, Place(country, 1), SEED).position.to_place
    2
    """
    require_legal(position, action)
    step = _carry_out(position._replace(played=position.played + 1), action, seed)
    most = MAX_ACTIONS if position.revision >= REVISION else FORMER_MAX_ACTIONS
    if step.position.played < most or step.position.end is not None:
        return step
    over, event = end(step.position, None, End.LIMIT)
    return Step(over, (*step.events, event), step.reveals)


def _carry_out(position: Position, action: Action, seed: bytes) -> Step[Position, Event]:
    match action:
        case Exchange():
            return turn_in(position, action)
        case Place():
            return place(position, action)
        case Attack():
            return attack(position, action, seed)
        case Enter():
            return enter(position, action)
        case Move():
            return move(position, action)
        case Done():
            after, events = finish(position, seed)
            return Step(after, events, reveals=True)
