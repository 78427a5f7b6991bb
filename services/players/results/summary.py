"""What a finished session comes to for those who sat at it. Pure: it reads messages, and gives values."""

from collections.abc import Sequence
from dataclasses import dataclass

from brettwerk.v1 import record_pb2, sessions_pb2
from services.players.results.course import Course, course_of
from services.players.results.rating_kind import kind_of, least_plies
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
    name: str = ""
    """Of a person, as the others saw it."""
    depth: int = 0
    """How deep a computer was told to search; 0 where its level says that."""


_UNKNOWN = Course((), {}, is_own=False, plies=())


@dataclass(frozen=True, slots=True)
class Summary:
    """A session that is over."""

    status: str
    plies: int = 0
    rule: str = ""
    competitive: bool = False
    seats: int = 0
    results: tuple[Result, ...] = ()
    reason: str = ""
    """The key of the sentence that says how it ended, in the game's catalogue."""
    kind: str = ""
    """Of the ratings that it counts for (rating_kind.py); empty for none."""
    course: Course = _UNKNOWN


def summary_of(session: sessions_pb2.Session, entries: Sequence[record_pb2.Entry]) -> Summary:
    """Return what a session came to, by what everybody may see of it and by its log.

    Each seat has a result for who holds it at the end, and where somebody else held it when the game began one for that player.
    A game that was over before its players had done enough (rating_kind.py) counts for no rating. A competitive game that was
    given up later is one that all its persons have abandoned: else who is about to lose to a computer would close the table.
    """
    outcome = placed(session.outcome)
    seats = len(session.seats)
    is_finished = session.HasField("outcome") and len(outcome.places) == seats
    course = course_of(entries, seats)
    acted = sum(ply.seat is not None for ply in course.plies)
    counts = session.competitive and course.is_own and acted >= least_plies(session.game, seats)
    results = []
    for seat, held in enumerate(session.seats):
        if not is_finished:
            result, place = UNFINISHED, 0
        else:
            result = DRAWN if not outcome.winners else WON if seat in outcome.winners else LOST
            place = outcome.places[seat]
        side = outcome.sides[seat] if is_finished and outcome.sides else seat
        person, first = held.occupant.person, course.first[seat]
        if first and first != person.player_id:
            behind = seats if is_finished else 0
            name = course.names.get(first, "")
            results.append(Result(seat, first, "", ABANDONED, behind, side, began=True, name=name))
        elif person.player_id and counts and not is_finished:
            result = ABANDONED
        if held.HasField("occupant"):
            computer = held.occupant.computer
            began = first == person.player_id
            results.append(
                Result(seat, person.player_id, computer.level, result, place, side, began, person.name, computer.depth)
            )
    return Summary(
        FINISHED if is_finished else CLOSED,
        session.plies,
        outcome.rule if is_finished else "",
        session.competitive,
        seats,
        tuple(results),
        outcome.reason.key if is_finished else "",
        kind_of(seats) if counts else "",
        course,
    )
