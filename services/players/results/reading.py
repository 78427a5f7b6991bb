"""What a finished session comes to for those who sat at it. Pure: it reads messages, and gives values."""

from collections.abc import Sequence
from dataclasses import dataclass

from brettwerk.v1 import record_pb2, sessions_pb2
from services.runtime.places import placed

WON, LOST, DRAWN, ABANDONED, UNFINISHED = "won", "lost", "drawn", "abandoned", "unfinished"
"""What a seat came to. Who was not at the seat any more when the game ended has abandoned it."""
FINISHED, CLOSED, UNREADABLE = "finished", "closed", "unreadable"
"""How a session ended."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a session came to for somebody at a seat."""

    seat: int
    player_id: str
    """Empty for a computer."""
    level: str
    """Of a computer."""
    result: str
    place: int
    """From 1; 0 where the session was not finished."""
    side: int
    """Seats with the same number were partners; else the seat's own."""
    began: bool
    """Whether the seat was theirs when the game began."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A session that is over."""

    standing: str
    plies: int = 0
    rule: str = ""
    competitive: bool = False
    seats: int = 0
    results: tuple[Result, ...] = ()


def summary_of(session: sessions_pb2.Session, entries: Sequence[record_pb2.Entry]) -> Summary:
    """Return what a session came to, by what everybody may see of it and by its log.

    Each seat has a result for who holds it at the end, and where somebody else held it when the game began one for that player.
    """
    outcome = placed(session.outcome)
    is_finished = session.HasField("outcome") and len(outcome.places) == len(session.seats)
    first = _first_players(entries, len(session.seats))
    results = []
    for seat, held in enumerate(session.seats):
        if not is_finished:
            result, place = UNFINISHED, 0
        else:
            result = DRAWN if not outcome.winners else WON if seat in outcome.winners else LOST
            place = outcome.places[seat]
        side = outcome.sides[seat] if is_finished and outcome.sides else seat
        last = held.occupant.person.player_id
        if first[seat] and first[seat] != last:
            behind = len(session.seats) if is_finished else 0
            results.append(Result(seat, first[seat], "", ABANDONED, behind, side, began=True))
        if held.HasField("occupant"):
            level = held.occupant.computer.level
            results.append(Result(seat, last, level, result, place, side, began=first[seat] == last))
    return Summary(
        FINISHED if is_finished else CLOSED,
        session.plies,
        outcome.rule if is_finished else "",
        session.competitive,
        len(session.seats),
        tuple(results),
    )


def _first_players(entries: Sequence[record_pb2.Entry], seats: int) -> list[str]:
    """Return the player of each seat when the game began; empty for computers, and where it never did."""
    players, begun = [""] * seats, [""] * seats
    for entry in entries:
        match entry.WhichOneof("change"):
            case "seat_changed" if entry.seat_changed.seat < seats:
                players[entry.seat_changed.seat] = entry.seat_changed.occupant.person.player_id
            case "dealt":
                players = [players[before] for before in entry.dealt.order]
            case "started":
                begun = list(players)
    return begun
