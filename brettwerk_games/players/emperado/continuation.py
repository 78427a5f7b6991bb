"""Whether a view is what came of an own action, so that the turn goes on with its aim: dice may fall as they like."""

from brettwerk_games.rules.emperado.actions import Action, Attack, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.position import Position


def goes_on(before: Position, action: Action, after: Position) -> bool:
    """Tell whether `after` is in the same turn, right after `action` was played in `before`.

    Everything is compared but the countries that the action is about, and what a capture changes besides.
    """
    if (after.to_move, after.round, after.played) != (before.to_move, before.round, before.played + 1):
        return False
    if after.options != before.options or after.end is not None:
        return False
    if not isinstance(action, Attack | Exchange) and after.parties != before.parties:
        return False
    about = _countries(before, action)
    return all(
        country in about or (before.owners[country], before.armies[country]) == (after.owners[country], after.armies[country])
        for country in range(len(before.owners))
    )


def _countries(before: Position, action: Action) -> tuple[int, ...]:
    match action:
        case Attack(source=source, target=target) | Move(source=source, target=target):
            return source, target
        case Place(country=country):
            return (country,)
        case Enter() if before.entry is not None:
            return before.entry.source, before.entry.target
        case _:
            return ()
