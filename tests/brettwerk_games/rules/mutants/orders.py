"""Games whose orders play what is not legal, or know more than their seat."""

import random
from dataclasses import replace
from typing import Any

from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.orders import Doing, Order, OrderFacts, wait
from tests.brettwerk_games.rules.blind_duel.game import Action, BlindDuel
from tests.brettwerk_games.rules.mutants.register import breaks, breaks_facts, duel, einstein

_DUEL = replace(duel.facts, orders=(OrderFacts("draw"),))


def _any(self: Any, order: Order, view: Any) -> None:
    """Take every order."""


@breaks("orders_play_legal_actions", BlindDuel, facts=_DUEL, require_order=_any)
def next_action__peeks_twice(self: Any, order: Order, view: Any) -> Doing:
    return Doing(Action.PEEK, order)


@breaks("orders_play_legal_actions", Einstein)
def next_action__is_another_one_each_time(self: Any, order: Order, view: Any) -> Doing:
    legal = einstein.actions(view)
    return Doing(legal[random.randrange(len(legal))], order.replaced(drawn=random.randrange(1000)))


@breaks("orders_play_legal_actions", Einstein)
def next_action__keeps_what_cannot_be_stored(self: Any, order: Order, view: Any) -> Doing:
    return wait(order.replaced(much=2**40))


@breaks("orders_know_the_view_only", Einstein)
def next_action__remembers_which_view_it_was(self: Any, order: Order, view: Any) -> Doing:
    return wait(order.replaced(at=id(view) % 1_000_000))


breaks_facts("orders_play_legal_actions", "facts state orders of a game that knows none", BlindDuel, _DUEL)
