"""The results of a finished session for those who sat at it. Pure: it reads messages, and gives values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from brettwerk.v1 import record_pb2, sessions_pb2
from services.players.results.rating_kind import is_apart, kind_of, least_plies
from services.runtime.places import placed

WON, LOST, DRAWN, ABANDONED, UNFINISHED = "won", "lost", "drawn", "abandoned", "unfinished"
"""The result of a seat. A player not at the seat any more when the game ended has abandoned it."""
FINISHED, CLOSED, UNREADABLE = "finished", "closed", "unreadable"
"""How a session ended."""


class Ply(NamedTuple):
    """A ply of the variation that was played in the end."""

    seat: int | None
    """None for a system action."""
    notation: str
    """As everybody may read it after the end."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a session went."""

    first: tuple[str, ...]
    """The player of each seat when the game began; empty for computers, and where it never did."""
    names: Mapping[str, str]
    """The last name under which each player sat down."""
    is_own: bool
    """Whether the game began as its rules begin it: from no edited position, and with no variation that was played before."""
    plies: tuple[Ply, ...]
    """Without what was taken back."""
    is_ruled: bool = False
    """Whether an arbiter has decided it, for a seat or for all, or had stopped it when it was given up."""
    joined: Mapping[int, int] = field(default_factory=dict)
    """By seat whose last player is a substitute: how many plies had been played when they sat down."""

    def share_of(self, seat: int) -> int:
        """Return how many thousandths of the plies were played since a substitute took the seat; 0 where none did."""
        if seat not in self.joined or not self.plies:
            return 0
        return 1000 * max(0, len(self.plies) - self.joined[seat]) // len(self.plies)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a session for somebody at a seat."""

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
    share: int = 0
    """Of a substitute in a game that was finished: how many thousandths of its plies were played since they sat down."""


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
    A game that was over before its players had done enough (rating_kind.py) counts for no rating, and none that an arbiter has
    decided: whoever sets up a table can be its arbiter. A competitive game that was
    given up later is one that all its persons have abandoned: else who is about to lose to a computer would close the table.
    """
    outcome = placed(session.outcome)
    seats = len(session.seats)
    is_finished = session.HasField("outcome") and len(outcome.places) == seats
    course = course_of(entries, seats)
    acted = sum(ply.seat is not None for ply in course.plies)
    counts = session.competitive and course.is_own and not course.is_ruled and acted >= least_plies(session.game, seats)
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
            share = course.share_of(seat) if is_finished and person.player_id else 0
            results.append(
                Result(seat, person.player_id, computer.level, result, place, side, began, person.name, computer.depth, share)
            )
    return Summary(
        FINISHED if is_finished else CLOSED,
        session.plies,
        outcome.rule if is_finished else "",
        session.competitive,
        seats,
        tuple(results),
        outcome.reason.key if is_finished else "",
        kind_of(seats, apart=is_apart(session.game, session.options)) if counts else "",
        course,
    )


def course_of(entries: Sequence[record_pb2.Entry], seats: int) -> Course:
    """Return how a session of that many seats went."""
    players, first = [""] * seats, [""] * seats
    names: dict[str, str] = {}
    variation: list[record_pb2.Ply] = []
    offered: set[int] = set()
    joined: dict[int, int] = {}
    is_own, is_ruled, is_halted = True, False, False
    for entry in entries:
        match entry.WhichOneof("change"):
            case "acted":
                variation.append(entry.acted.ply)
                is_ruled |= entry.acted.cause == record_pb2.Acted.CAUSE_ARBITER
            case "arbiter_acted" if entry.arbiter_acted.ruling.WhichOneof("kind") == "pause":
                is_halted = entry.arbiter_acted.ruling.pause
            case "closed":
                is_ruled |= is_halted
            case "undone":
                del variation[entry.undone.plies :]
            case "seat_changed" if entry.seat_changed.seat < seats:
                person = entry.seat_changed.occupant.person
                players[entry.seat_changed.seat] = person.player_id
                names[person.player_id] = person.name
                joined.pop(entry.seat_changed.seat, None)
                if person.player_id and entry.seat_changed.seat in offered:
                    offered.remove(entry.seat_changed.seat)
                    joined[entry.seat_changed.seat] = len(variation)
            case "seat_offered":
                offered.add(entry.seat_offered.seat)
            case "created":
                variation = list(entry.created.variation)
                is_own = not variation and not entry.created.HasField("start_position")
            case "settled":
                variation = list(entry.settled.variation)
                is_own = not variation and not entry.settled.HasField("start_position")
            case "loaded":
                variation, is_own = list(entry.loaded.variation), False
            case "dealt":
                players = [players[before] for before in entry.dealt.order]
            case "started":
                first = list(players)
    plies = tuple(Ply(ply.actor - 1 if ply.actor else None, ply.notation) for ply in variation)
    return Course(tuple(first), names, is_own, plies, is_ruled, joined)
