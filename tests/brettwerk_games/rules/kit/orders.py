"""Checks of the orders that a game knows: what comes of them is legal, the same in the same view, and can be written."""

import random
from collections.abc import Iterator
from typing import Any

from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.optional import TakesOrders
from brettwerk_games.rules.orders import MAX_FIELDS, MAX_NUMBER, MAX_PLACES, Order, OrderFacts, OrderField, completed_order
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.kit.play import Moment, dice, moments_of, seed_of
from tests.brettwerk_games.rules.kit.secrets import look_alikes

ORDERS = 3
"""How many orders of each kind are given in a position."""
STEPS = 12
"""How many steps each of them is followed."""
_NEAR = 12


def drawn(rng: random.Random, facts: OrderFacts, places: int) -> Order:
    """Return an order of a kind, with numbers drawn by lot."""
    return Order(facts.kind, {field.key: _numbers(rng, field, places) for field in facts.fields})


def _numbers(rng: random.Random, field: OrderField, places: int) -> tuple[int, ...]:
    match field.kind:
        case "place":
            return tuple(rng.sample(range(places), min(places, rng.randint(0 if field.optional else 1, field.most))))
        case "choice":
            return (rng.randint(1, len(field.choices)),)
        case "switch":
            return (rng.randint(0, 1),)
        case "number":
            return (rng.randint(field.min, min(field.max, field.min + _NEAR)),)


def orders_for(game: AnyGame, view: Any, places: int, rng: random.Random) -> Iterator[Order]:
    """Yield orders that can be given in a view, a few of each kind."""
    for facts in game.facts.orders:
        assert isinstance(game, TakesOrders)
        found = 0
        for _ in range(60):
            order = completed_order(drawn(rng, facts, places), game.facts.orders)
            try:
                game.require_order(order, view)
            except Malformed:
                continue
            yield order
            found += 1
            if found == ORDERS:
                break


def follow(game: AnyGame, position: Any, seat: int, order: Order, rng: random.Random, steps: int = STEPS) -> Order | None:
    """Follow an order of a seat while others play by lot, and return what is left of it; each of its actions is accepted."""
    assert isinstance(game, TakesOrders)
    left: Order | None = order
    for number in range(steps):
        to_act = game.to_act(position)
        if not to_act or left is None:
            break
        mover = seat if seat in to_act else to_act[0]
        view = game.view(position, mover)
        action = None
        if mover == seat:
            doing = game.next_action(left, view)
            assert doing == game.next_action(left, view), f"{left!r} does not always do the same"
            action, left = doing.action, doing.left
            assert left is None or is_writable(left), f"{left!r} cannot be stored"
        if action is None:
            legal = game.actions(view)
            action = legal[rng.randrange(len(legal))]
        position = game.apply(position, mover, action, seed_of("order", number, rng.random())).position
    return left


def is_writable(order: Order) -> bool:
    """Return whether what is left of an order keeps the bounds of the contract."""
    numbers = [number for found in order.values.values() for number in found]
    few = len(order.values) <= MAX_FIELDS and all(len(found) <= MAX_PLACES for found in order.values.values())
    return few and all(-MAX_NUMBER <= number <= MAX_NUMBER for number in numbers)


def _given(game: AnyGame) -> Iterator[tuple[Moment, int, Order, random.Random]]:
    for number, moment in enumerate(moments_of(game)):
        for seat in game.to_act(moment.position)[:1]:
            rng = dice("orders", number)
            view = game.view(moment.position, seat)
            for order in orders_for(game, view, len(game.scene(view).places), rng):
                yield moment, seat, order, rng


def orders_play_legal_actions(game: AnyGame) -> None:
    """A game that states orders says what is next by each: the rules accept it, and what is left of it can be stored."""
    assert isinstance(game, TakesOrders) or not game.facts.orders, "the facts state orders, and the game has no next_action"
    for moment, seat, order, rng in _given(game):
        follow(game, moment.position, seat, order, rng)


def orders_know_the_view_only(game: AnyGame) -> None:
    """The result of an order is the same in positions that look alike to its seat, and in a view that was written and read."""
    for number, (moment, seat, order, _) in enumerate(_given(game)):
        assert isinstance(game, TakesOrders)
        view = game.view(moment.position, seat)
        here = game.next_action(order, view)
        read = game.codec.decode(Kind.VIEW, game.codec.encode(Kind.VIEW, view))
        assert game.next_action(order, read) == here, f"{order!r} does something else in a view that was read"
        for other in look_alikes(game, moment.position, seat, number):
            assert game.next_action(order, game.view(other, seat)) == here, f"{order!r} knows what seat {seat} may not know"
