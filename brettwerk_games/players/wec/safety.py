"""The safety of the own primary: whether the other side's next Turn wins, and what prevents it beside the Move and the Fires."""

from collections.abc import Callable, Iterator
from itertools import chain, islice

from brettwerk_games.players.wec.kernels.skirmish import Skirmish
from brettwerk_games.players.wec.turns import WIN
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import items, reinforcement, rules
from brettwerk_games.rules.wec.actions import Action, Exchange, PickUp
from brettwerk_games.rules.wec.kinds import COUNTER, PRIMARIES, WEAPONS, Article
from brettwerk_games.rules.wec.options import Actions
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import Position
from brettwerk_games.rules.wec.view import view

MAX_PLANS = 60
"""Plans that are tried for one action."""
_SEED = bytes(SEED_BYTES)
_COUNTERS = {Article(weapon + COUNTER) for weapon in WEAPONS}
_NODES = 100_000


def loses(kernel: Skirmish, seat: int) -> bool:
    """Tell whether a seat that ends its Turn in the state that was loaded has lost then, or after the best answer."""
    value, _, _ = kernel.try_turn(seat, 0, -1, 0, 0)
    if abs(value) >= WIN:
        return bool(value < 0)
    answer = kernel.answer(seat, 1, 0, -WIN // 2, _NODES)
    return answer is not None and answer <= -WIN // 2


def after(guess: Position, action: Action) -> Position | None:
    """Return the position after an action, or None where what was guessed does not allow it."""
    try:
        return rules.apply(guess, guess.active, action, _SEED).position
    except Illegal:
        return None


def can_be_shielded(perspective: Perspective) -> bool:
    """Tell whether a counter that is carried or lies with an own piece, or a reinforcement, may keep the primary."""
    if perspective.options.actions == Actions.MOVES_ONLY:
        return False
    carried = (article.kind for piece in perspective.own() for article in piece.articles)
    lying = (article.kind for piece in perspective.own() for article in perspective.view.ground[piece.square])
    return next(reinforcement.reinforcements(perspective), None) is not None or any(
        kind in _COUNTERS for kind in chain(carried, lying)
    )


def rescue(guess: Position, is_safe: Callable[[Position], bool]) -> Action | None:
    """Return the first action of the shortest plan that makes a position safe: a counter for the primary, or a reinforcement."""
    perspective = Perspective(view(guess, guess.active))
    for first, reached in islice(_plans(perspective, guess), MAX_PLANS):
        if is_safe(reached):
            return first
    return None


def _plans(perspective: Perspective, guess: Position) -> Iterator[tuple[Action, Position]]:
    """Yield first actions, each with a position that is reached by them or by another action after them."""
    at_once: Iterator[Action] = chain(_shields(perspective), reinforcement.reinforcements(perspective))
    yield from ((action, reached) for action in at_once if (reached := after(guess, action)) is not None)
    primaries = _primaries(perspective)
    for_others = (one for one in items.pick_ups(perspective) if one.piece not in primaries and one.article in _COUNTERS)
    for_room = (one for one in items.drops(perspective) if one.piece in primaries)
    firsts: Iterator[Action] = chain(for_others, for_room)
    for first in firsts:
        then = after(guess, first)
        if then is not None:
            seconds = _shields(Perspective(view(then, then.active)))
            yield from ((first, reached) for second in seconds if (reached := after(then, second)) is not None)


def _primaries(perspective: Perspective) -> set[int]:
    return {piece.id for piece in perspective.own() if piece.kind in PRIMARIES}


def _shields(perspective: Perspective) -> Iterator[PickUp | Exchange]:
    """Yield the Pick-ups and Exchanges that bring a counter to a primary."""
    primaries = _primaries(perspective)
    for pick_up in items.pick_ups(perspective):
        if pick_up.piece in primaries and pick_up.article in _COUNTERS:
            yield pick_up
    for exchange in items.exchanges(perspective):
        given = exchange.article if exchange.other in primaries else exchange.back if exchange.piece in primaries else None
        if given in _COUNTERS:
            yield exchange
