"""What a finished session's log says of how it was played. Pure: it reads messages, and gives values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brettwerk.v1 import record_pb2


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


def course_of(entries: Sequence[record_pb2.Entry], seats: int) -> Course:
    """Return how a session of that many seats went."""
    players, first = [""] * seats, [""] * seats
    names: dict[str, str] = {}
    variation: list[record_pb2.Ply] = []
    is_own = True
    for entry in entries:
        match entry.WhichOneof("change"):
            case "acted":
                variation.append(entry.acted.ply)
            case "undone":
                del variation[entry.undone.plies :]
            case "seat_changed" if entry.seat_changed.seat < seats:
                person = entry.seat_changed.occupant.person
                players[entry.seat_changed.seat] = person.player_id
                names[person.player_id] = person.name
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
    return Course(tuple(first), names, is_own, plies)
