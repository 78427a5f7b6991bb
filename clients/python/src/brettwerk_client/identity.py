"""The caller."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a server. Keep the token: with it the same player comes back, and whoever has it is that player."""

    id: str
    name: str
    token: str = field(repr=False)
    device_token: str = field(default="", repr=False)
    """Of this device, once the player has signed in on it: `SignInRequest.device_tokens` of the next sign-in takes it, so that
    wrong guesses of strangers do not delay that one. It is empty for a guest, and proves nobody."""
