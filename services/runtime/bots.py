"""How a bot is recognised: by its player id, everywhere and for ever, without asking anybody."""

PREFIX = "bot-"
"""Begins every bot's id, and no other player's: those have letters and digits only."""


def is_bot(player_id: str) -> bool:
    """Return whether an id is a bot's."""
    return player_id.startswith(PREFIX)
