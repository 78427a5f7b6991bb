"""The actions acknowledged to those who play, and whether the record of a session has them."""

import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brettwerk.v1 import record_pb2


@dataclass(frozen=True)
class Acknowledged:
    """An action that the system said it had carried out."""

    session: str
    version: int
    seat: int
    action: bytes
    waited_s: float
    at_s: float


@dataclass(frozen=True)
class Answer:
    """A computer's move, and how long somebody waited for it."""

    waited_s: float
    at_s: float


@dataclass
class Ledger:
    """The memory of all who play. Threads share it."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    games: int = 0
    """That were played to their end."""
    failures: list[str] = field(default_factory=list)
    """Calls that were given up: nothing was acknowledged."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def began(self, session: str) -> None:
        """Note a session."""
        with self._lock:
            self.sessions.append(session)

    def acted(self, one: Acknowledged) -> None:
        """Note an action."""
        with self._lock:
            self.acknowledged.append(one)

    def answered(self, waited_s: float) -> None:
        """Note that a computer has moved now."""
        with self._lock:
            self.answers.append(Answer(waited_s, time.monotonic()))

    def ended(self) -> None:
        """Note that a game has come to its end."""
        with self._lock:
            self.games += 1

    def gave_up(self, what: str) -> None:
        """Note that a call was not answered in a minute."""
        with self._lock:
            self.failures.append(f"{time.strftime('%H:%M:%S')} {what}")

    def since(self, at_s: float) -> Sequence[Acknowledged]:
        """Return what was acknowledged from some time on."""
        with self._lock:
            return [one for one in self.acknowledged if one.at_s >= at_s]

    def answers_since(self, at_s: float) -> Sequence[Answer]:
        """Return the moves that computers made from some time on."""
        with self._lock:
            return [one for one in self.answers if one.at_s >= at_s]


def lost(acknowledged: Sequence[Acknowledged], records: Mapping[str, record_pb2.Record]) -> Sequence[Acknowledged]:
    """Return the acknowledged actions that are not in the record of their session."""
    kept: Counter[tuple[str, int, int, bytes]] = Counter()
    for session, record in records.items():
        for entry in record.entries:
            if entry.WhichOneof("change") == "acted":
                ply = entry.acted.ply
                seat = ply.actor_seat if ply.HasField("actor_seat") else -1
                kept[session, entry.version, seat, ply.action.SerializeToString()] += 1
    missing = []
    for one in acknowledged:
        key = (one.session, one.version, one.seat, one.action)
        if kept[key]:
            kept[key] -= 1
        else:
            missing.append(one)
    return missing
