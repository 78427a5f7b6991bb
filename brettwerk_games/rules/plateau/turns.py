"""How turns begin and end: whose is next, draws, and turns that are skipped (EP-TURN-1, EP-TURN-8, EP-END-2, -3 and -6)."""

from hashlib import blake2b

from brettwerk_games.rules.plateau.actions import Ceased, Ended, Event, Skipped
from brettwerk_games.rules.plateau.finish import steps_due
from brettwerk_games.rules.plateau.position import MAX_TURNS, QUIET_ROUNDS, REPETITIONS, End, Position, Turn, living

_NODE_BYTES = 33


def digest(position: Position) -> int:
    """Return 64 bits that stand for the armies, the seat to move and who is out; equal positions have equal ones."""
    state = blake2b(digest_size=8)
    for armies in position.armies:
        for nodes in armies:
            state.update(nodes.to_bytes(_NODE_BYTES, "little"))
    state.update(bytes((position.to_move, len(position.fallen), *sorted(position.fallen))))
    return int.from_bytes(state.digest(), "big")


def next_seat(position: Position) -> int:
    """Return who is next, clockwise, among those who are not out (EP-TURN-1)."""
    seats = len(position.armies)
    following = ((position.to_move + step) % seats for step in range(1, seats + 1))
    return next(seat for seat in following if seat not in position.fallen)


def begin(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position with the turn of `to_move` begun, or of the next seat that can make a step; or drawn."""
    events: tuple[Event, ...] = ()
    while True:
        mark = digest(position)
        position = position._replace(turn=Turn(), history=(*position.history, mark))
        end = _draw(position, mark)
        if position.turns is not None and end is None:
            position = position._replace(turns=position.turns + 1)
        if end is not None:
            return position._replace(end=end), (*events, Ended(None, end))
        due = steps_due(position)
        if due:
            return position._replace(turn=Turn(due=due)), events
        events = (*events, Skipped(position.to_move))
        position = position._replace(to_move=next_seat(position))


def _draw(position: Position, mark: int) -> End | None:
    if position.history.count(mark) >= REPETITIONS:
        return End.REPETITION
    quiet = len(position.history) - 1
    if quiet >= QUIET_ROUNDS * len(living(position)):
        return End.ROUNDS
    return End.TURNS if position.turns is not None and position.turns >= MAX_TURNS else None


def end(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after the turn is over, with the next one begun."""
    turn = position.turn
    after, events = begin(position._replace(to_move=next_seat(position)))
    return after, (Ceased(position.to_move, turn.small, turn.emblem), *events)
