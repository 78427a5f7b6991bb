"""How long the sessions of each game wait: from the settings, and from what the rules say about its computers' levels."""

from services.runtime.settings import Settings
from services.session.domain.due import Timeouts
from services.session.live.rules_client import Games


class KnownTimeouts:
    """Finds that out, once for each game."""

    def __init__(self, config: Settings, games: Games) -> None:
        self._config = config
        self._games = games
        self._known: dict[str, Timeouts] = {}

    async def of(self, game: str) -> Timeouts:
        """Return how long a game's sessions wait."""
        known = self._known.get(game)
        if known is not None:
            return known
        think_ms = await self._games.think_ms(game)
        timeouts = Timeouts(
            think_ms,
            round(self._config.ai_grace_s * 1000),
            round(self._config.abandon_s * 1000),
            unmoved_ms=round(self._config.unmoved_s * 1000),
        )
        if think_ms:  # nothing while the rules cannot be reached
            self._known[game] = timeouts
        return timeouts
