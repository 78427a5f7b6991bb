"""The archive's entry of one session, its line in a list, and the place where a list goes on."""

import re
from dataclasses import dataclass, field

RECORD_BYTES = 8 * 1024 * 1024
"""The largest record that is kept, before compression: the largest message between services."""
SESSION_BYTES = 64 * 1024
"""The largest Session message that is kept for lists."""
MAX_PLAYERS = 1000
"""The maximum number of players of one session; seats change hands, so there can be more players than seats."""
MAX_LISTED = 100
"""The maximum number of entries of one list."""

_CURSOR = re.compile(r"([0-9]{1,16})/(.{1,40})")


@dataclass(frozen=True, slots=True)
class Player:
    """Someone who has or had seats in the session."""

    id: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished session. Raises ValueError if it exceeds the bounds above."""

    session_id: str
    game: str
    rules_version: str
    public: bool
    title: str
    players: tuple[Player, ...]
    winners: tuple[int, ...]
    """The seats that have won; empty in a draw, too."""
    places: tuple[int, ...]
    """The outcome's place of every seat; empty if the session was closed before its end."""
    scores: tuple[float, ...]
    """The outcome's score of every seat; empty likewise."""
    finished_at_ms: int
    record: bytes = field(repr=False)
    """A Record message."""
    session: bytes = field(default=b"", repr=False)
    """The Session message as everybody may see it: lists show it without opening the record."""

    def __post_init__(self) -> None:
        for name, size, most in (
            ("session_id", len(self.session_id.encode()), 40),
            ("game", len(self.game.encode()), 32),
            ("rules_version", len(self.rules_version.encode()), 16),
            ("title", len(self.title.encode()), 80),
            ("players", len(self.players), MAX_PLAYERS),
            ("player id", max((len(player.id.encode()) for player in self.players), default=0), 64),
            ("record", len(self.record), RECORD_BYTES),
            ("session", len(self.session), SESSION_BYTES),
        ):
            if size > most:
                raise ValueError(f"the {name} of an archived session is {size} large, at most {most} is kept")


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """A place in a list, newest first: the list goes on with what is older. Times may be equal, so the id is part of it."""

    finished_at_ms: int
    session_id: str

    def __str__(self) -> str:
        """Return it as a short text, for page tokens."""
        return f"{self.finished_at_ms}/{self.session_id}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Return the cursor of a text. Raises ValueError if it is invalid."""
        if not (match := _CURSOR.fullmatch(text)):
            raise ValueError("not a place in a list of the archive")
        return cls(int(match[1]), match[2])


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of a list."""

    session_id: str
    game: str
    rules_version: str
    public: bool
    title: str
    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    finished_at_ms: int
    session: bytes = field(repr=False)

    @property
    def cursor(self) -> Cursor:
        """The place after this line."""
        return Cursor(self.finished_at_ms, self.session_id)
