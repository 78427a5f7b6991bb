"""A seat's legal actions: every place, attack and move in the amounts that the game's clicks have (EMP-REINF-8, EMP-ATTACK-3).

Other amounts are legal too; see play.require_legal. Actions about the same countries make a group, which is the same in many
positions: whoever lists them makes, and tells of, each group once.
"""

from bisect import bisect_left
from functools import lru_cache, partial
from itertools import chain

from brettwerk_games.rules.emperado.actions import TO_THE_END, Action, Attack, CardSet, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.attack import max_entering
from brettwerk_games.rules.emperado.cards import sets
from brettwerk_games.rules.emperado.placement import must_exchange
from brettwerk_games.rules.emperado.position import Position, View
from brettwerk_games.rules.optional import Group

CLICKS = (1, 5, 20, 100)
"""Left and right click, without and with Shift."""

_GROUPS = 16_384
"""How many groups are kept; each takes up to half a kilobyte."""


def actions(view: View) -> tuple[Action, ...]:
    """Return what the view's seat may do; an action that ends the turn comes first, the others by country.

    >>> actions(view)[:2]
    (Place(country=1, armies=1), Place(country=1, armies=3))
    """
    return tuple(chain.from_iterable([made() for _, _, made in groups(view)]))


def groups(view: View) -> list[Group]:
    """Return the same in groups: those that are about the same countries, as one.

    >>> [group.size for group in groups(view)][:3]
    [2, 2, 2]
    """
    position = view.position
    if position.end is not None or view.seat != position.to_move:
        return []
    if (entry := position.entry) is not None:
        return [_group(Enter, entry.target, entry.least, max_entering(position, entry), of=position.options.map)]
    if position.to_place:
        return _placing(position)
    return _acting(position)


@lru_cache(maxsize=_GROUPS)
def _group(kind: type[Action], *about: int, of: str = "") -> Group:
    """Return the group of all actions of a kind about some countries of a map, up to that many armies or series."""
    made = _made(kind, about)
    return Group((kind, *about, of), len(made), partial(_these, made))


def _these(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    return actions


def _made(kind: type[Action], about: tuple[int, ...]) -> tuple[Action, ...]:
    if kind is Attack:
        source, target, series = about
        return tuple(Attack(source, target, throws) for throws in (*CLICKS[:series], TO_THE_END))
    if kind is Move:
        source, target, most = about
        return tuple(Move(source, target, amount) for amount in amounts(most))
    if kind is Place:
        country, most = about
        return tuple(Place(country, amount) for amount in amounts(most))
    if kind is Enter:
        # Into which country counts, since it is spoken of.
        _, least, most = about
        return tuple(map(Enter, (least, *(amount for amount in CLICKS if least < amount < most), most)))
    if kind is Exchange:
        return (Exchange(CardSet(*about)),)
    return (Done(),)


def amounts(most: int) -> tuple[int, ...]:
    """Return the clicks' amounts below the most that is possible, and that.

    >>> amounts(7)
    (1, 5, 7)
    """
    return (*(amount for amount in CLICKS if amount < most), most)


def _placing(position: Position) -> list[Group]:
    seat, left = position.to_move, position.to_place
    found: list[Group] = [_group(Exchange, chosen) for chosen in sets(position.parties[seat])] if position.exchanging else []
    if not must_exchange(position):
        of = position.options.map
        found += [_group(Place, country, left, of=of) for country, owner in enumerate(position.owners) if owner == seat]
    return found


def _acting(position: Position) -> list[Group]:
    seat, owners, armies, blocked = position.to_move, position.owners, position.armies, position.blocked
    neighbours, of = position.world.neighbours, position.options.map
    found: list[Group] = [_group(Done)]
    for source, owner in enumerate(owners):
        if owner != seat or armies[source] < 2 or source in blocked:
            continue
        able = armies[source] - 1
        for target in neighbours[source]:
            if owners[target] == seat:
                found.append(_group(Move, source, target, able, of=of))
            else:
                # As many of the clicks' series as are shorter than an attack to the end.
                found.append(_group(Attack, source, target, bisect_left(CLICKS, able + armies[target] - 1), of=of))
    return found


def due(view: View) -> Action:
    """Return what is played when the time of a turn is over (EMP-CLOCK-1).

    Cards that have to be are turned in, all armies go to the most threatened country, captures are entered with all armies,
    and then the turn is over.

    >>> due(view)
    Place(country=11, armies=3)
    """
    position = view.position
    if position.entry is not None:
        return Enter(max_entering(position, position.entry))
    if must_exchange(position):
        return Exchange(sets(position.parties[position.to_move])[0])
    if position.to_place:
        return Place(_most_threatened(position), position.to_place)
    return Done()


def _most_threatened(position: Position) -> int:
    """Return the seat's country with the most foreign armies next to it, the first of equals."""
    seat, owners, armies, neighbours = position.to_move, position.owners, position.armies, position.world.neighbours
    own = [country for country, owner in enumerate(owners) if owner == seat]
    return max(own, key=lambda country: sum(armies[near] for near in neighbours[country] if owners[near] != seat))
