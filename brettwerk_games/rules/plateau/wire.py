"""Armies as numbers of the contract, and what a position must be like for the rules to be asked about it."""

from collections.abc import Sequence

from brettwerk_games.rules.plateau import budget
from brettwerk_games.rules.plateau.board import ARMIES, Army, Board, bits
from brettwerk_games.rules.plateau.position import (
    COUNTS,
    DRAWS,
    MAX_SEATS,
    Armies,
    End,
    Position,
    all_of,
    base_of,
    living,
    on_base,
    side,
)
from brettwerk_games.rules.refusals import Malformed


def code(seat: int, army: Army) -> int:
    """Return the number that stands for an army in the contract."""
    return len(ARMIES) * seat + army + 1


def army_of(number: int) -> tuple[int, Army]:
    """Return seat and army of a number that is not 0."""
    seat, army = divmod(number - 1, len(ARMIES))
    return seat, ARMIES[army]


def armies(listed: Sequence[int], board: Board, seats: int, field: str) -> tuple[Armies, ...]:
    """Return the armies of each seat. Raises Malformed for what stands on no node or belongs to nobody."""
    if len(listed) != len(board.names):
        raise Malformed(f"there are {len(board.names)} nodes, not {len(listed)}", field=field)
    found = [[0, 0, 0, 0] for _ in range(seats)]
    for node, number in enumerate(listed):
        if number:
            if not 1 <= number <= len(ARMIES) * seats or not board.nodes >> node & 1:
                raise Malformed(f"{field}[{node}] holds an army that there is not", field=f"{field}[{node}]")
            seat, army = army_of(number)
            found[seat][army] |= 1 << node
    return tuple((twos, fours, sixes, emblem) for twos, fours, sixes, emblem in found)


def fault(position: Position) -> tuple[str, str] | None:
    """Return the field that contradicts the others and why, or None.

    A position without a fault is one that the rules can be asked about. It may still be none to start from, see start.py.
    """
    return _seats_fault(position) or _armies_fault(position) or _turn_fault(position) or _end_fault(position)


def _seats_fault(position: Position) -> tuple[str, str] | None:
    seats = len(position.armies)
    if position.to_move >= seats:
        return "to_move", "there is no such seat"
    if any(seat >= seats for seat in position.fallen):
        return "fallen", "there is no such seat"
    return ("winner", "there is no such seat") if (position.winner or 0) >= seats else None


def _armies_fault(position: Position) -> tuple[str, str] | None:
    seats = range(len(position.armies))
    if position.options.alliance and len(seats) != MAX_SEATS:
        return "options.alliance", "an alliance needs four seats"
    if len(set(position.fallen)) != len(position.fallen) or len(position.fallen) >= len(seats):
        return "fallen", "a seat falls once, and one is left"
    for army, count in zip(Army, COUNTS, strict=True):
        if sum(armies[army].bit_count() for armies in position.armies) > count * len(seats):
            return "nodes", "there are more armies than empires bring"
    if any(armies[Army.EMBLEM].bit_count() > 1 for armies in position.armies):
        return "nodes", "an empire has one emblem"
    if position.end is not None:
        return None
    for seat, armies in enumerate(position.armies):
        if (seat in position.fallen) == bool(all_of(armies)):
            return "nodes", "who is not out has armies, and who is out has none"
        if seat not in position.fallen and on_base(position, seat):
            return "nodes", "a small army stands on its own base"
        if any(base_of(position, node) not in (None, seat) for node in bits(all_of(armies))):
            return "nodes", "an army stands on a foreign base that has not fallen"
    return None


def _turn_fault(position: Position) -> tuple[str, str] | None:
    wrong = budget.fault(position.turn)
    if wrong:
        return f"turn.{wrong[0]}", wrong[1]
    if position.end is None and position.to_move in position.fallen:
        return "to_move", "who is out does not move"
    own = all_of(position.armies[position.to_move])
    if position.turn.moved & ~own:
        return "turn.moved", "there is no army of the seat to move"
    if position.turn.moved.bit_count() < (position.turn.small + 5) // 6 + bool(position.turn.emblem):
        return "turn.moved", "steps were made, and nobody moved"
    return None


def _end_fault(position: Position) -> tuple[str, str] | None:
    if position.end is None:
        if position.winner is not None:
            return "winner", "nobody has won while the game is on"
        if len({side(position, seat) for seat in living(position)}) < 2:
            return "fallen", "one side is left, and the game is on"
        return None
    if (position.winner is None) != (position.end in DRAWS):
        return "winner", "a game has a winner unless it is drawn"
    if position.end in (End.CONQUEST, End.ARMIES, End.RESIGNED, End.TIME) and not position.fallen:
        return "fallen", "a game that was won has a loser"
    return None
