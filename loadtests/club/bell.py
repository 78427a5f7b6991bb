"""A bell: one who belongs to no club challenges another one, so that the players service looks at once what is due.

By itself it looks every two seconds of the real time, and knows nothing of a clock that has jumped.
"""

import asyncio
from collections.abc import Sequence

from brettwerk.v1 import opponents_pb2, play_pb2
from loadtests.club.people import Person
from loadtests.club.server import Server
from loadtests.club.visits import Visits

_PAUSE_S = 0.1


class Bell:
    """The bell. `hang` comes first."""

    def __init__(self, server: Server, visits: Visits, two: Sequence[Person]) -> None:
        """`two`: people who do nothing else."""
        self._server, self._visits = server, visits
        self._ringer, self._hearer = two

    async def hang(self) -> None:
        """Have the two come, and hear of each other: who has had no news is no player yet that others find."""
        for person in (self._ringer, self._hearer):
            made = await self._server.ask(None, "CreatePlayer", play_pb2.CreatePlayerRequest(name="Bell"))
            person.token, person.player_id = made.player_token, made.player_id
        await self.echo()

    async def echo(self) -> None:
        """Return when news of a table has come: all that tables had to say before has come, too.

        While the players service is away, tables pass on their news again after pauses that grow to half a minute.
        """
        seats = [play_pb2.SeatWish(me=True), play_pb2.SeatWish(open=True)]
        opening = play_pb2.CreateSessionRequest(game="einstein", seats=seats)
        session_id = (await self._server.ask(self._hearer, "CreateSession", opening)).session.id
        joining = play_pb2.JoinSessionRequest(session_id=session_id, seat=-1)
        joined = await self._server.ask(self._ringer, "JoinSession", joining)
        ending = play_pb2.ResignRequest(session_id=session_id, seat_token=joined.grant.seat_token)
        await self._server.ask(self._ringer, "Resign", ending)
        while not any(one.subject == session_id for one in self._hearer.feed.values()):
            await asyncio.sleep(_PAUSE_S)
            await self._visits.read_feed(self._hearer)

    async def ring(self) -> None:
        """Make news: a challenge, which is withdrawn."""
        wanted = opponents_pb2.ChallengePlayerRequest(player_id=self._hearer.player_id, game="einstein")
        made = await self._server.ask(self._ringer, "ChallengePlayer", wanted)
        withdrawn = opponents_pb2.WithdrawChallengeRequest(challenge_id=made.challenge.challenge_id)
        await self._server.ask(self._ringer, "WithdrawChallenge", withdrawn)
