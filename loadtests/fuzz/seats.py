"""The seats that players hold: where a sensible request can be made."""

import random
from typing import Any

from google.protobuf.message import Message

from brettwerk.v1 import sessions_pb2
from loadtests.fuzz.material import Material, Person, Table

OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
"""The states of games that are over."""


class Seats:
    """Finds them."""

    def __init__(self, rng: random.Random, material: Material) -> None:
        """Take the random numbers that choose, and what the players have."""
        self._rng = rng
        self._material = material

    def table(self, person: Person, *, over: bool | None = False) -> tuple[Table, int, str] | None:
        """Return a table where the player holds a seat, with the seat and its token. `over`: whether its game is (None: any)."""
        found = [
            (table, seat, token)
            for table in self._material.tables.values()
            for seat, (token, holder) in table.tokens.items()
            if holder is person and (over is None or (table.session.state in OVER) == over)
        ]
        return self._rng.choice(found[-20:]) if found else None

    def held(self, person: Person, request: type[Message], *, over: bool | None = False) -> Message | None:
        """Return an empty request of the player at one of their tables, as its seat; None where there is none."""
        held = self.table(person, over=over)
        if held is None:
            return None
        made: Any = request()
        made.session_id = held[0].session.id
        if "seat_token" in made.DESCRIPTOR.fields_by_name:
            made.seat_token = held[2]
        return made  # type: ignore[no-any-return]
