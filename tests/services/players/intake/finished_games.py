"""Finished sessions for the archive, as a session process keeps them."""

from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from services.archive.entry import Kept, Player

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def session_id(number: int) -> str:
    """Return an id of the usual shape."""
    digits = "".join(ALPHABET[number // 32**place % 32] for place in range(22))
    return f"{number % 16:02x}{digits}"


def person(player_id: str) -> record_pb2.Occupant:
    return record_pb2.Occupant(person=record_pb2.Person(player_id=player_id, name=player_id.title()))


def computer(level: str = "easy") -> record_pb2.Occupant:
    return record_pb2.Occupant(computer=record_pb2.Computer(level=level))


def outcome(*winners: int, seats: int = 2) -> games_pb2.Outcome:
    """Return the outcome of a game that these seats have won; drawn for none."""
    places = [1 if seat in winners or not winners else len(winners) + 1 for seat in range(seats)]
    return games_pb2.Outcome(
        winners=winners,
        places=places,
        scores=[1.0 / place for place in places],
        rule="EWN-END-1",
        reason=games_pb2.Text(key="reason.corner.0"),
    )


def log(*seats: record_pb2.Occupant, plies: int = 24) -> list[record_pb2.Entry]:
    """Return a log in which these sit down and begin, and act so often in turn."""
    sat = [record_pb2.SeatChanged(seat=seat, occupant=who) for seat, who in enumerate(seats)]
    acted = [record_pb2.Acted(ply=record_pb2.Ply(actor=1 + number % len(seats))) for number in range(plies)]
    return [
        *(record_pb2.Entry(seat_changed=change) for change in sat),
        record_pb2.Entry(started=record_pb2.Started()),
        *(record_pb2.Entry(acted=one) for one in acted),
    ]


def session(
    *seats: record_pb2.Occupant, ended: games_pb2.Outcome | None = None, competitive: bool = False
) -> sessions_pb2.Session:
    """Return a session as it is when it is over."""
    return sessions_pb2.Session(
        game="einstein",
        seats=[sessions_pb2.Seat(occupant=who) for who in seats],
        outcome=ended,
        competitive=competitive,
        plies=24,
    )


def kept(
    number: int,
    *seats: record_pb2.Occupant,
    ended: games_pb2.Outcome | None = None,
    competitive: bool = False,
    entries: list[record_pb2.Entry] | None = None,
    finished_at_ms: int = 0,
) -> Kept:
    """Return what the archive keeps of a game between those who sit there."""
    whole = session(*seats, ended=ended, competitive=competitive)
    whole.id = session_id(number)
    created = record_pb2.Entry(created=record_pb2.Created(game="einstein", seats=len(seats), competitive=competitive))
    record = record_pb2.Record(session_id=whole.id, game="einstein", entries=[created, *(entries or log(*seats))])
    return Kept(
        session_id=whole.id,
        game="einstein",
        rules_version="1",
        public=True,
        title="",
        players=tuple(Player(who.person.player_id, (seat,)) for seat, who in enumerate(seats) if who.HasField("person")),
        winners=tuple(whole.outcome.winners),
        places=tuple(whole.outcome.places),
        scores=tuple(whole.outcome.scores),
        finished_at_ms=finished_at_ms or 1_700_000_000_000 + number // 3,
        record=record.SerializeToString(),
        session=whole.SerializeToString(),
    )
