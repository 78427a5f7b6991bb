"""What a seat may do: every place, attack and move in the amounts that the game's clicks have (EMP-REINF-8, EMP-ATTACK-3).

Other amounts are legal too; see play.require_legal.
"""

from collections.abc import Iterator

from services.games.emperado.actions import TO_THE_END, Action, Attack, Done, Enter, Exchange, Move, Place
from services.games.emperado.attack import most_entering
from services.games.emperado.battle import most_throws
from services.games.emperado.cards import sets
from services.games.emperado.placing import must_exchange
from services.games.emperado.play import require_turn
from services.games.emperado.position import Entry, Position, View, is_active
from services.games.emperado.world import NEIGHBOURS

CLICKS = (1, 5, 20, 100)
"""Left and right click, without and with Shift."""


def actions(view: View) -> tuple[Action, ...]:
    """Return what the view's seat may do; an action that ends the turn comes first, the others by country."""
    position = view.position
    if position.end is not None or view.seat != position.to_move:
        return ()
    if position.entry is not None:
        return tuple(_entering(position, position.entry))
    if position.to_place:
        return tuple(_placing(position))
    return (Done(), *_acting(position))


def amounts(most: int) -> tuple[int, ...]:
    """Return the clicks' amounts below the most that is possible, and that."""
    return (*(amount for amount in CLICKS if amount < most), most)


def _entering(position: Position, entry: Entry) -> Iterator[Action]:
    most = most_entering(position, entry)
    for amount in (entry.least, *(amount for amount in CLICKS if entry.least < amount < most), most):
        yield Enter(amount)


def _placing(position: Position) -> Iterator[Action]:
    seat = position.to_move
    if position.exchanging:
        for found in sets(position.parties[seat]):
            yield Exchange(found)
    if must_exchange(position):
        return
    offered = amounts(position.to_place)
    for country, owner in enumerate(position.owners):
        if owner == seat:
            for amount in offered:
                yield Place(country, amount)


def _acting(position: Position) -> Iterator[Action]:
    seat, owners, armies = position.to_move, position.owners, position.armies
    for source, owner in enumerate(owners):
        if owner != seat or not is_active(position, source):
            continue
        moving = amounts(armies[source] - 1)
        for target in NEIGHBOURS[source]:
            if owners[target] == seat:
                for amount in moving:
                    yield Move(source, target, amount)
            else:
                most = most_throws(armies[source], armies[target])
                for throws in CLICKS:
                    if throws < most:
                        yield Attack(source, target, throws)
                yield Attack(source, target, TO_THE_END)


def expire(view: View) -> Action:
    """Return what is played when the time of a turn is over (EMP-CLOCK-1).

    Cards that have to be are turned in, all armies go to the most threatened country, captures are entered with all armies,
    and then the turn is over. Raises GameOver or NotYourTurn when the view's seat is not to act.
    """
    position = view.position
    require_turn(position, view.seat)
    if position.entry is not None:
        return Enter(most_entering(position, position.entry))
    if must_exchange(position):
        return Exchange(sets(position.parties[position.to_move])[0])
    if position.to_place:
        return Place(_most_threatened(position), position.to_place)
    return Done()


def _most_threatened(position: Position) -> int:
    """Return the seat's country with the most foreign armies next to it, the first of equals."""
    seat, owners, armies = position.to_move, position.owners, position.armies
    own = [country for country, owner in enumerate(owners) if owner == seat]
    return max(own, key=lambda country: sum(armies[near] for near in NEIGHBOURS[country] if owners[near] != seat))
