"""All that people at a session tell each other, beside what happens there: talk at its table, and viewings of a finished game."""

from typing import NamedTuple

from services.session.watch.followers import Follower
from services.session.watch.talk import Talk
from services.session.watch.viewings import Viewings


class Company(NamedTuple):
    """Both of them."""

    talk: Talk
    viewings: Viewings

    async def catch_up(self, follower: Follower) -> None:
        """Tell a watch what it lacks of them. Raises Refused (UNAVAILABLE)."""
        await self.talk.begin(follower)
        await self.viewings.catch_up(follower)
