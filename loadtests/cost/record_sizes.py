"""How large the records of long games are, against the bounds of a record: `python -m loadtests.cost.record_sizes --seconds 60`.

Plays each game by lot for some seconds, with all seats taken, and prints the longest game as its record: what comes on the wire
when it is saved, checked or loaded. A session loaded from it holds every ply twice, as its line and in its log.
"""

import random
import time
from dataclasses import dataclass
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from loadtests.cost.finished_games import SEED_BYTES, play
from loadtests.markdown import head, row
from loadtests.run import parser

MAX_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Size:
    """A record's size."""

    entries: int
    messages: int
    size: int


def messages(message: Message) -> int:
    """Return how many messages are in a message, at any depth."""
    found = 0
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for inner in value if field.is_repeated else [value]:
            found += 1 + messages(inner)
    return found


def size(record: record_pb2.Record) -> Size:
    """Return the size of a record."""
    return Size(len(record.entries), messages(record), record.ByteSize())


def record_of(game: AnyGame, seats: int, dice: random.Random, until: float) -> record_pb2.Record:
    """Return the record of a game that is played by lot until its end, its bound or a time (`time.monotonic`)."""
    record = record_pb2.Record(
        format=1, session_id="0" * 26, game=game.facts.id, secret=bytes(SEED_BYTES), position_hash=bytes(SEED_BYTES)
    )
    url = f"type.googleapis.com/{game.codec.type_name(Kind.OPTIONS)}"
    options = AnyMessage(type_url=url, value=preset_options(game, seats))
    created = record_pb2.Created(game=game.facts.id, rules_version=game.facts.rules_version, options=options, seats=seats)
    created.commitment = bytes(SEED_BYTES)
    _add(record, created=created)
    for seat in range(seats):
        person = record_pb2.Occupant(person=record_pb2.Person(player_id="0" * 22, name="Ada Lovelace"))
        _add(record, seat_changed=record_pb2.SeatChanged(seat=seat, occupant=person, seed_contribution=bytes(SEED_BYTES)))
    _add(record, started=record_pb2.Started(seed=dice.randbytes(SEED_BYTES)))
    for ply in play(game, seats, dice, most=MAX_ENTRIES - len(record.entries), until=until).plies:
        _add(record, acted=record_pb2.Acted(ply=ply))
    return record


def _add(record: record_pb2.Record, **change: Any) -> None:
    record.entries.add(version=len(record.entries) + 1, at_ms=1_800_000_000_000, **change)


def main() -> None:
    """Measure and print a table."""
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=60, help="seconds for each game")
    asked = options.parse_args()
    print(head(("game", "games", "entries", "messages", "bytes", "bytes an entry", "messages an entry")))
    for name, game in registry.games().items():
        dice, until, longest, count = random.Random(1), time.monotonic() + asked.seconds, Size(0, 0, 0), 0
        while time.monotonic() < until:
            found = size(record_of(game, len(game.facts.seats), dice, until))
            count += 1
            longest = max(longest, found, key=lambda one: one.entries)
        figures = [f"{figure:,}" for figure in (longest.entries, longest.messages, longest.size)]
        each = f"{longest.size / longest.entries:.0f}", f"{longest.messages / longest.entries:.1f}"
        print(row((name, count, *figures, *each)), flush=True)


if __name__ == "__main__":
    main()
