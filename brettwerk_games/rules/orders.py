"""Orders: what a seat would have played for it at its turn, as a game knows them ("attack from here to there until it is taken").

A game states the kinds of its orders in its facts.json, each with the fields that its form has, and says in `next_action`
(`TakesOrders` in optional.py) what is next by one. An order is data: a kind, and numbers by key.

    "orders": [
      {"kind": "attack", "fields": [
        {"key": "source", "kind": "place"},
        {"key": "keep", "kind": "number", "min": 1, "max": 1000, "preset": 2}]},
      {"kind": "end_turn", "last": true}]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from brettwerk_games.rules.refusals import Malformed

MAX_KINDS, MAX_FIELDS, MAX_PLACES = 16, 16, 32
"""The bounds of a game's orders (`OrderSpec` in games.proto)."""
MAX_NUMBER = 2**31 - 1


@dataclass(frozen=True, slots=True)
class OrderField:
    """A field of a kind of order.

    `kind` is place (its number on the board; up to `most` of them, or none where it is `optional`), number (min, max, preset),
    choice (`choices` are short names, numbered from 1; preset is a number) or switch (preset 0 or 1).
    """

    key: str
    kind: Literal["place", "number", "choice", "switch"]
    min: int = 0
    max: int = 0
    preset: int = 0
    choices: tuple[str, ...] = ()
    most: int = 1
    optional: bool = False

    def accepts(self, number: int) -> bool:
        """Return whether it takes a number."""
        match self.kind:
            case "number":
                return self.min <= number <= self.max
            case "choice":
                return 1 <= number <= len(self.choices)
            case "switch":
                return number in (0, 1)
            case "place":
                return 0 <= number <= MAX_NUMBER


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """A kind of order. `last` is true where orders of this kind come after all others, such as one that ends the turn.

    The catalogue has `order.<kind>.label` and `.help`, `order.<kind>.<key>` of each field, and `order.<kind>.<key>.<choice>`.
    """

    kind: str
    fields: tuple[OrderField, ...] = ()
    last: bool = False


class Order(NamedTuple):
    """An order: its kind, and numbers by key. What is left of one may have further keys."""

    kind: str
    values: Mapping[str, tuple[int, ...]] = {}

    def number(self, key: str, preset: int = 0) -> int:
        """Return the number of a field, or the preset where it has none."""
        found = self.values.get(key)
        return found[0] if found else preset

    def replaced(self, **numbers: int | Sequence[int]) -> "Order":
        """Return the order with other numbers."""
        new = {key: (number,) if isinstance(number, int) else tuple(number) for key, number in numbers.items()}
        return Order(self.kind, {**self.values, **new})


class Doing(NamedTuple):
    """The result of an order in a view: an action that is played now, if there is one, and what is left of the order then.

    With neither the order has ended: `done` says whether it has come about, or is not possible any more.
    """

    action: Any | None = None
    left: Order | None = None
    done: bool = False


DONE = Doing(done=True)
"""The order is done."""
IMPOSSIBLE = Doing()
"""The order is not possible any more."""


def wait(order: Order) -> Doing:
    """Return that an order has nothing to do now, and may have later."""
    return Doing(left=order)


def order_facts(raw: Sequence[Mapping[str, Any]]) -> tuple[OrderFacts, ...]:
    """Return the kinds of orders that a facts.json states. Raises TypeError or KeyError for fields that there are not."""
    return tuple(
        OrderFacts(
            kind=kind["kind"],
            fields=tuple(OrderField(**{**each, "choices": tuple(each.get("choices", ()))}) for each in kind.get("fields", ())),
            last=kind.get("last", False),
        )
        for kind in raw
    )


def completed_order(order: Order, kinds: Sequence[OrderFacts]) -> Order:
    """Return an order with the presets of what it leaves out. Raises Malformed for one that is none of the game's."""
    facts = next((each for each in kinds if each.kind == order.kind), None)
    if facts is None:
        raise Malformed("the game has no such orders", field="kind")
    fields = {each.key: each for each in facts.fields}
    if unknown := order.values.keys() - fields.keys():
        raise Malformed(f"orders of this kind have no {min(unknown)}", field="values")
    return Order(order.kind, {key: _numbers(each, order.values.get(key, ())) for key, each in fields.items()})


def _numbers(of: OrderField, given: tuple[int, ...]) -> tuple[int, ...]:
    if not given and of.kind != "place":
        return (of.preset,)
    most = of.most if of.kind == "place" else 1
    if len(given) > most or not (given or of.optional) or len(set(given)) < len(given) or not all(map(of.accepts, given)):
        raise Malformed("the order has a number that this field does not take", field=of.key)
    return given
