"""The course of the turns: what a seat receives, what the end of a turn brings, whose turn is next (EMP-TURN)."""

from brettwerk_games.rules.emperado.actions import Event, Received
from brettwerk_games.rules.emperado.cards import exchange_all, reward, step_clock
from brettwerk_games.rules.emperado.game_end import draw_at_round_end, end, stirred
from brettwerk_games.rules.emperado.options import CardExchange
from brettwerk_games.rules.emperado.position import Position, seats_in
from brettwerk_games.rules.emperado.reinforcement import income


def begin(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position with the armies that the seat to act receives (EMP-REINF-1), its sets exchanged (EMP-CARD-4)."""
    seat = position.to_move
    exchanged: tuple[Event, ...] = ()
    manual = position.options.card_exchange == CardExchange.MANUAL
    if not manual:
        position, exchanged = exchange_all(position, seat)
    pay = income(position, seat)
    received = Received(seat, *pay, position.to_place)
    after = position._replace(to_place=position.to_place + sum(pay), exchanging=manual)
    return after, (*exchanged, received)


def finish(position: Position, seed: bytes) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after the turn of the seat to act: its card, then all that follows (EMP-TURN-7)."""
    position, card = reward(position, seed)
    position, events = pass_on(position)
    return position, (*card, *events)


def pass_on(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position in which the next seat's turn has begun, or the game is drawn (EMP-TURN-6, EMP-END-5)."""
    seat, standing = position.to_move, seats_in(position)
    clock = step_clock(position)
    position = position._replace(
        to_place=0,
        blocked=frozenset(),
        captured=False,
        exchanging=False,
        entry=None,
        card_bonus=clock.bonus,
        card_clock=clock.turns,
    )
    following = next((later for later in standing if later > seat), standing[0])
    if following <= seat:
        position = position._replace(stirred=stirred(position))
        drawn = draw_at_round_end(position)
        if drawn is not None:
            over, event = end(position, None, drawn)
            return over, (event,)
        position = position._replace(round=position.round + 1)
    return begin(position._replace(to_move=following))
