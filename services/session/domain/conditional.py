"""Conditional moves: what a seat will answer to what others may play, as long as they play just that.

They are beside the log, like talk: a seat's lines begin at a version, and what is left of them follows from the log after it. So
nothing is written while others play, and whoever reads the session anew comes to the same. A line goes on with every action that
is its next one, as it is listed, and is dropped with any other. Any other change of the position (something taken back, a system
action, a variation that is loaded) drops all lines, and a change at a seat those of that seat. Proposals, pauses and vacations
leave them as they are; an answer that is played lets a proposal lapse as if the player had made it.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredConditionalLines
from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk.v1.conditional_moves_pb2 import ConditionalLine, ConditionalMove
from brettwerk_games.rules.chance import SEED_BYTES
from services.runtime.refusal import Refused, listed, malformed
from services.session.domain.commands.actions import acted
from services.session.domain.state import RUNNING, State

MAX_BYTES = 32 * 1024
"""Bytes of a seat's lines."""

Kept: TypeAlias = tuple[StoredConditionalLines, ...]
"""The rest of the lines of all seats that have any, each from the position now on; never empty. Messages in it never change."""
_Key: TypeAlias = tuple[int, str, bytes]
"""A seat, and the type and the bytes of its action."""


def require_seats(state: State, moves: Iterable[ConditionalMove], where: str) -> None:
    """Raise Refused (MALFORMED) where moves of a field name a seat that there is not."""
    for number, move in enumerate(moves):
        if move.seat >= len(state.seats):
            there = listed(range(len(state.seats)))
            raise malformed(f"{where}[{number}].seat", f"there is no seat {move.seat}; there are: {there}")


def check(state: State, seat: int, lines: Sequence[ConditionalLine]) -> None:
    """Return if lines begin with another seat's action and end with an answer. Raises Refused: MALFORMED, CONDITIONAL_MOVES."""
    if lines and seat in state.to_act:
        raise refused("your_turn", "it is the seat's turn: it can act at once")
    for number, line in enumerate(lines):
        where = f"lines[{number}].moves"
        if len(line.moves) < 2 or line.moves[0].seat == seat or line.moves[-1].seat != seat:
            raise malformed(where, "a line begins with an action of another seat and ends with an answer to it")
        require_seats(state, line.moves, where)
    if sum(move.ByteSize() for line in lines for move in line.moves) > MAX_BYTES:
        raise malformed("lines", f"conditional moves have at most {MAX_BYTES} bytes")


def check_answers(seat: int, lines: Sequence[ConditionalLine]) -> None:
    """Return when there is one answer to everything. Raises Refused (CONDITIONAL_MOVES)."""
    answers: dict[tuple[_Key, ...], _Key] = {}
    for number, line in enumerate(lines):
        for count, move in enumerate(line.moves):
            before = tuple(_key(each.seat, each.action) for each in line.moves[:count])
            if move.seat == seat and answers.setdefault(before, _key(seat, move.action)) != _key(seat, move.action):
                raise refused("two_answers", "two lines answer the same in different ways", line=number, move=count)


def after(kept: Kept, entries: Iterable[record_pb2.Entry]) -> Kept:
    """Return what is left of conditional moves after further entries of the log."""
    for entry in entries:
        if not kept:
            break
        match entry.WhichOneof("change"):
            case "acted":
                kept = _played(kept, entry.acted)
            case "seat_changed":
                kept = tuple(lines for lines in kept if lines.seat != entry.seat_changed.seat)
            case "undone" | "loaded" | "closed" | "settled" | "started" | "dealt":
                kept = ()
    return kept


def answer(state: State, kept: Kept) -> record_pb2.Entry | None:
    """Return the entry of the answer that a seat has prepared for the position now, or None."""
    if state.status != RUNNING:
        return None
    for lines in kept:
        if lines.seat in state.to_act and state.seats[lines.seat].player_id == lines.player_id:
            move = next((line.moves[0] for line in lines.lines if line.moves[0].seat == lines.seat), None)
            if move is not None:
                return acted(state, lines.seat, move.action)
    return None


def read(stored: session_state_pb2.StoredConditionalMoves, version: int, entries: Sequence[record_pb2.Entry]) -> Kept:
    """Return what is left at a version of what is stored; `entries` are those of the log after the oldest of it."""
    kept: Kept = ()
    for one in stored.seats:
        if one.version <= version:
            kept += after((one,), (entry for entry in entries if entry.version > one.version))
    return kept


def write(kept: Kept, version: int) -> session_state_pb2.StoredConditionalMoves:
    """Return what is stored of conditional moves that begin at a version."""
    stored = session_state_pb2.StoredConditionalMoves(seats=kept)
    for lines in stored.seats:
        lines.version = version
    return stored


def plies(moves: Iterable[ConditionalMove]) -> list[record_pb2.Ply]:
    """Return moves as plies. No action depends on its step seed where there are conditional moves."""
    return [record_pb2.Ply(seed=bytes(SEED_BYTES), actor=move.seat + 1, action=move.action) for move in moves]


def written(moves: Iterable[ConditionalMove], steps: Iterable[rules_pb2.Step]) -> ConditionalLine:
    """Return moves as they are listed, with the notation of the steps that they make."""
    line = ConditionalLine()
    for move, step in zip(moves, steps, strict=True):
        action, notation = step.canonical if step.HasField("canonical") else move.action, step.notation
        if step.HasField("listed"):
            action, notation = step.listed.action, step.listed.notation
        line.moves.add(seat=move.seat, action=action, notation=notation)
    return line


def size(kept: Kept) -> int:
    """Return about how many bytes they take."""
    return sum(lines.ByteSize() for lines in kept)


def refused(why: str, message: str, cause: errors_pb2.Refusal | None = None, **where: int) -> Refused:
    """Return the refusal of conditional moves; where the rules are the cause, with the rule and the facts that they name."""
    details = {"conditional": why, **{name: str(number) for name, number in where.items()}}
    if cause is None:
        return Refused(errors_pb2.REASON_CONDITIONAL_MOVES, message, details=details)
    return Refused(errors_pb2.REASON_CONDITIONAL_MOVES, message, rule=cause.rule, details={**cause.details, **details})


def _key(seat: int, action: AnyMessage) -> _Key:
    return seat, action.type_url, action.value


def _played(kept: Kept, acted: record_pb2.Acted) -> Kept:
    ply = acted.ply
    if ply.WhichOneof("kind") != "action":
        return ()
    found = []
    played = _key(ply.actor - 1, acted.listed if acted.HasField("listed") else ply.action)
    for lines in kept:
        left = (line.moves for line in lines.lines if _key(line.moves[0].seat, line.moves[0].action) == played)
        if rest := [ConditionalLine(moves=moves[1:]) for moves in left if len(moves) > 1]:
            found.append(StoredConditionalLines(seat=lines.seat, player_id=lines.player_id, lines=rest))
    return tuple(found)
