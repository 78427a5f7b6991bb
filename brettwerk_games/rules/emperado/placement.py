"""The start of a turn: cards that are turned in by hand, and armies that are placed (EMP-REINF-8, EMP-CARD-4)."""

from brettwerk_games.rules.emperado.actions import Event, Exchange, Place, Placed
from brettwerk_games.rules.emperado.cards import MUST_EXCHANGE, exchange, sets
from brettwerk_games.rules.emperado.options import Undo
from brettwerk_games.rules.emperado.position import Position
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Illegal


def must_exchange(position: Position) -> bool:
    """Tell whether the seat to act has to turn in a set before it may place armies (EMP-CARD-4)."""
    return position.exchanging and position.parties[position.to_move].cards >= MUST_EXCHANGE


def require_exchange(position: Position, action: Exchange) -> None:
    """Raise Illegal with the rule that forbids the exchange."""
    if not position.exchanging:
        raise Illegal("cards must be turned in before the first army is placed, unless that is automatic", rule="EMP-CARD-4")
    if action.set not in sets(position.parties[position.to_move]):
        raise Illegal("there is no such set of three cards", rule="EMP-CARD-3")


def turn_in(position: Position, action: Exchange) -> Step[Position, Event]:
    """Return the step of a legal exchange; others may follow it."""
    after, event = exchange(position, position.to_move, action.set)
    return Step(after, (event,), reveals=position.options.undo == Undo.OFF)


def require_place(position: Position, action: Place) -> None:
    """Raise Illegal with the rule that forbids the placing."""
    if must_exchange(position):
        raise Illegal("with five cards, a set must be turned in first", rule="EMP-CARD-4")
    if not position.to_place:
        raise Illegal("no armies are left to place", rule="EMP-TURN-5")
    if position.owners[action.country] != position.to_move:
        details = {"country": position.world.countries[action.country].notation}
        raise Illegal("armies can be placed only in your own countries", rule="EMP-REINF-8", details=details)


def place(position: Position, action: Place) -> Step[Position, Event]:
    """Return the step of a legal placing; never more are placed than are left (EMP-REINF-8)."""
    placed, before = min(action.armies, position.to_place), position.armies[action.country]
    armies = (*position.armies[: action.country], before + placed, *position.armies[action.country + 1 :])
    after = position._replace(armies=armies, to_place=position.to_place - placed, exchanging=False)
    event = Placed(position.to_move, action.country, placed, before)
    return Step(after, (event,), reveals=position.options.undo == Undo.OFF)
