"""Players' real possessions: their tokens, sessions, seats, actions, views, records. All of it was in answers of the server."""

import random
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2

MAX_KEPT = 300
"""How many of each thing are remembered; the oldest go first."""
MAX_NAMED = 20
"""How many texts are remembered of all fields with one name; the oldest go first."""
MAX_TEXT = 200
"""The longest text that is remembered for its field, in characters."""


@dataclass
class Person:
    """A player: who they are, and the token that proves it."""

    name: str
    player_id: str
    token: str


@dataclass
class Table:
    """A session as far as its players know it."""

    session: sessions_pb2.Session
    tokens: dict[int, tuple[str, Person]] = field(default_factory=dict)
    """The token of a seat, and whose it is."""
    updates: dict[int, sessions_pb2.Update] = field(default_factory=dict)
    """The last picture that each seat saw; -1 for a spectator."""


class Material:
    """Everything that all players of a run have together. A wrong use of it is what the run is about."""

    def __init__(self, rng: random.Random) -> None:
        """Take the random numbers that decide what is forgotten."""
        self._rng = rng
        self.people: list[Person] = []
        self.games: dict[str, games_pb2.Game] = {}
        self.tables: dict[str, Table] = {}
        self.any_values: deque[AnyMessage] = deque(maxlen=MAX_KEPT)
        self.presets: dict[str, list[games_pb2.Preset]] = {}
        """The prepared settings and boards of each game."""
        self.positions: deque[tuple[str, AnyMessage]] = deque(maxlen=MAX_KEPT)
        self.records: deque[record_pb2.Record] = deque(maxlen=40)
        self.texts: deque[str] = deque(maxlen=MAX_KEPT)
        self.named: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=MAX_NAMED))
        """The values of fields in answers, by name: ids of tournaments, codes, names."""
        self.request_ids: deque[str] = deque(maxlen=40)

    def learn(self, person: Person, request: Message, response: Message) -> None:
        """Remember what a response says."""
        asked: Any = request
        for message in _walk(response):
            for descriptor, value in message.ListFields():
                if isinstance(value, str) and len(value) <= MAX_TEXT:
                    self.named[descriptor.name].append(value)
            match message:
                case sessions_pb2.Session():
                    self._see(message)
                case sessions_pb2.Update():
                    self._look(message, getattr(asked, "seat_token", ""))
                case games_pb2.Game():
                    self.games[message.id] = message
                    self.presets[message.id] = list(message.presets)
                case games_pb2.ActionChoice():
                    self._keep(message.action)
                    self.texts.append(message.notation)
                case record_pb2.Record():
                    self.records.append(message)
                case AnyMessage():
                    self._keep(message)
        self._take_grants(person, asked, response)
        if hasattr(asked, "request_id"):
            self.request_ids.append(asked.request_id)
        position = getattr(response, "position", None)
        if isinstance(position, AnyMessage) and position.value:
            self.positions.append((asked.game, position))

    def _take_grants(self, person: Person, asked: Any, response: Any) -> None:
        grants = [*getattr(response, "grants", ())]
        if "grant" in response.DESCRIPTOR.fields_by_name and response.HasField("grant"):
            grants.append(response.grant)
        session_id = response.session.id if grants else ""
        for grant in grants:
            if session_id in self.tables:
                self.tables[session_id].tokens[grant.seat] = (grant.seat_token, person)
            self.texts.append(grant.seat_token)
        if getattr(response, "proposal_id", 0):
            self.texts.append(asked.session_id)

    def _see(self, session: sessions_pb2.Session) -> None:
        if session.id in self.tables:
            self.tables[session.id].session = session
            return
        while len(self.tables) >= MAX_KEPT:
            self.tables.pop(self._rng.choice(list(self.tables)))
        self.tables[session.id] = Table(session)
        self.texts.append(session.id)

    def _look(self, update: sessions_pb2.Update, seat_token: str) -> None:
        table = self.tables.get(update.session_id)
        if table is None:
            return
        seat = next((seat for seat, (token, _) in table.tokens.items() if token == seat_token), -1)
        if update.HasField("viewer_seat") and seat >= 0 and update.viewer_seat != seat:
            table.tokens[update.viewer_seat] = table.tokens.pop(seat)
            seat = update.viewer_seat
        table.updates[seat] = update

    def _keep(self, value: AnyMessage) -> None:
        if value.type_url:
            self.any_values.append(value)


def _walk(message: Message) -> list[Message]:
    """Return the message and all that are in it, but not what is in the records in it."""
    found, rest = [], [message]
    while rest:
        one = rest.pop()
        found.append(one)
        if isinstance(one, record_pb2.Record):
            continue
        for descriptor, value in one.ListFields():
            if descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
                continue
            rest.extend(value if descriptor.is_repeated else [value])
    return found
