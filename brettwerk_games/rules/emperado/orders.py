"""The orders of a seat: attack until, place here, turn in cards, bring armies up, end the turn (brettwerk_games/rules/orders.py).

They know the seat's own view only. An attack is cut into series that cannot lose more than its order allows.
"""

from brettwerk_games.rules.emperado.actions import MAX_THROWS, TO_THE_END, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.attack import max_entering
from brettwerk_games.rules.emperado.cards import sets
from brettwerk_games.rules.emperado.options import CardExchange
from brettwerk_games.rules.emperado.placement import must_exchange
from brettwerk_games.rules.emperado.position import Position, View, is_active
from brettwerk_games.rules.orders import DONE, IMPOSSIBLE, Doing, Order, wait
from brettwerk_games.rules.refusals import Malformed

_LEAST = 2
"""Armies with which a country can attack (EMP-ATTACK-1)."""
_LOST_AT_ONCE = 3
"""The most that an attacker loses with one throw (EMP-ATTACK-5)."""
_FORCED = 2
"""The choice of `when` to turn in cards only where that is a must."""


def require_order(order: Order, view: View) -> None:
    """Raise Malformed for countries that the world does not have, or that are no neighbours."""
    world = view.position.world
    for key, numbers in order.values.items():
        if key in ("source", "target", "countries") and any(number >= world.count for number in numbers):
            raise Malformed("there is no such country", field=key)
    if order.kind in ("attack", "move") and order.number("target") not in world.neighbours[order.number("source")]:
        raise Malformed("the countries are not neighbours", rule="EMP-MAP-2", field="target")


def next_action(order: Order, view: View) -> Doing:
    """Return what comes of an order in the view of the seat to act.

    >>> next_action(Order("end_turn"), view).left
    Order(kind='end_turn', values={})
    """
    position = view.position
    match order.kind:
        case "trade":
            return _trade(order, position)
        case "place":
            return _place(order, position)
        case "attack":
            return _attack(order, position)
        case "move":
            return _move(order, position)
        case "end_turn":
            return Doing(Done(), order) if _is_free(position) else wait(order)
        case _:
            return IMPOSSIBLE


def _is_free(position: Position) -> bool:
    """Tell whether the turn has come to attacks and moves."""
    return not position.to_place and position.entry is None


def _trade(order: Order, position: Position) -> Doing:
    if position.options.card_exchange == CardExchange.AUTO:
        return IMPOSSIBLE
    if not position.exchanging or (order.number("when") == _FORCED and not must_exchange(position)):
        return wait(order)
    found = sets(position.parties[position.to_move])
    return Doing(Exchange(found[0]), order) if found else wait(order)


def _place(order: Order, position: Position) -> Doing:
    """Return the next placing: what is left is spread evenly, beginning with the country that is next."""
    countries = tuple(country for country in order.values["countries"] if position.owners[country] == position.to_move)
    if not countries:
        return IMPOSSIBLE
    bound = order.number("armies")
    if bound and order.number("placed") >= bound:
        return DONE
    if not position.to_place or must_exchange(position) or position.entry is not None:
        return wait(order.replaced(next=0))
    left = min(position.to_place, bound - order.number("placed")) if bound else position.to_place
    at = order.number("next") % len(countries)
    armies = -(-left // (len(countries) - at))
    action, placed = Place(countries[at], armies), order.number("placed") + armies
    if bound and placed >= bound:
        return Doing(action, done=True)
    return Doing(action, order.replaced(next=(at + 1) % len(countries), placed=placed if bound else 0))


def _attack(order: Order, position: Position) -> Doing:
    source, target, keep = order.number("source"), order.number("target"), max(_LEAST, order.number("keep", _LEAST))
    entry = position.entry
    if entry is not None:
        if (entry.source, entry.target) != (source, target):
            return wait(order)
        wanted, most = order.number("enter"), max_entering(position, entry)
        return Doing(Enter(min(max(wanted, entry.least), most) if wanted else most), done=True)
    if position.owners[target] == position.to_move:
        return DONE
    if position.owners[source] != position.to_move:
        return IMPOSSIBLE
    if position.to_place:
        return wait(order)
    if not is_active(position, source):
        return wait(order) if source in position.blocked else DONE
    if position.armies[source] < keep:
        return DONE
    throws, bound = _series(position.armies[source], keep), order.number("throws")
    if not bound:
        return Doing(Attack(source, target, throws), order)
    thrown = order.number("thrown")
    if thrown >= bound:
        return DONE
    throws = bound - thrown if throws == TO_THE_END else min(throws, bound - thrown)
    return Doing(Attack(source, target, throws), order.replaced(thrown=thrown + throws))


def _series(armies: int, keep: int) -> int:
    """Return how many throws a country may make until it could have fewer armies than are kept; one at least.

    >>> _series(20, 5), _series(6, 5), _series(20, 2)
    (5, 1, 0)
    """
    return TO_THE_END if keep <= _LEAST else min(MAX_THROWS, max(1, (armies - keep) // _LOST_AT_ONCE))


def _move(order: Order, position: Position) -> Doing:
    source, target = order.number("source"), order.number("target")
    if position.owners[source] != position.to_move or position.owners[target] != position.to_move:
        return IMPOSSIBLE
    armies = position.armies[source] - max(1, order.number("keep", 1))
    if not _is_free(position) or not is_active(position, source) or armies < 1:
        return wait(order)
    return Doing(Move(source, target, armies), order)
