"""Who calls."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a server. Keep the token: with it the same player comes back, and whoever has it is that player."""

    id: str
    name: str
    token: str = field(repr=False)
