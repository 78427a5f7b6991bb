"""A bot that plays all of its games from one process: it answers challenges, and takes every seat that is kept for it."""

import asyncio
import contextlib
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from brettwerk.v1 import games_pb2, news_pb2, opponents_pb2, play_pb2, sessions_pb2
from brettwerk_client import refusals
from brettwerk_client.async_seat import AsyncSeat
from brettwerk_client.turns import AsyncBot

if TYPE_CHECKING:
    from brettwerk_client.async_client import AsyncClient

Filter: TypeAlias = Callable[[opponents_pb2.Challenge], bool]
"""Returns whether a challenge is accepted; others are declined."""
Ended: TypeAlias = Callable[[AsyncSeat, games_pb2.Outcome], Awaitable[None] | None]
"""Is told of each game that has ended, with the seat that the bot had there."""

_KINDS = news_pb2.News
_SEATS = frozenset({_KINDS.KIND_CHALLENGE_ANSWERED, _KINDS.KIND_PAIRED, _KINDS.KIND_ROUND, _KINDS.KIND_INVITED})
"""News of a seat that is kept for the player, if a session comes with it."""
_LIVE = frozenset({sessions_pb2.Session.STATE_WAITING, sessions_pb2.Session.STATE_RUNNING, sessions_pb2.Session.STATE_PAUSED})
_log = logging.getLogger(__name__)


def anything(_challenge: opponents_pb2.Challenge) -> bool:
    """Accept every challenge."""
    return True


class Running:
    """One such bot."""

    def __init__(self, client: "AsyncClient", bot: AsyncBot, accepts: Filter, at_once: int, ended: Ended | None) -> None:
        self._client = client
        self._bot = bot
        self._accepts = accepts
        self._at_once = at_once
        self._ended = ended
        self._playing: set[str] = set()
        self._tried: set[str] = set()

    async def run(self) -> None:
        """Play until cancelled. Raises Refused if the server cannot be reached for a long time, and whatever the bot raises."""
        try:
            async with asyncio.TaskGroup() as games:
                await self._follow(games)
        except ExceptionGroup as group:
            raise group.exceptions[0] from None  # the first one has ended all the others

    async def _follow(self, games: asyncio.TaskGroup) -> None:
        await self._resume(games)
        await self._answer(games)
        async for news in self._client.news():
            if news.kind == _KINDS.KIND_CHALLENGED:
                await self._answer(games)
            elif news.session_id and (news.kind in _SEATS or news.kind == _KINDS.KIND_YOUR_TURN):
                self._begin(games, news.session_id)

    async def _resume(self, games: asyncio.TaskGroup) -> None:
        """Go on with the games that were being played when the last process of this bot ended."""
        request = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE, page_size=100)
        for session in (await self._client.call(self._client.service.ListSessions, request)).sessions:
            if session.state in _LIVE:
                self._begin(games, session.id)
            else:
                self._tried.add(session.id)

    async def _answer(self, games: asyncio.TaskGroup) -> None:
        for challenge in await self._client.challenges():
            reason = opponents_pb2.DECLINE_REASON_UNSPECIFIED
            accept = self._accepts(challenge)
            if accept and len(self._playing) >= self._at_once:
                accept, reason = False, opponents_pb2.DECLINE_REASON_LATER
            # It may have been withdrawn meanwhile.
            with contextlib.suppress(refusals.ProposalStands, refusals.Unknown):
                if accept:
                    if session_id := await self._client.accept_challenge(challenge.challenge_id):
                        self._begin(games, session_id)
                    continue
                answer = opponents_pb2.AnswerChallengeRequest(challenge_id=challenge.challenge_id, decline_reason=reason)
                await self._client.call(self._client.service.AnswerChallenge, answer)

    def _begin(self, games: asyncio.TaskGroup, session_id: str) -> None:
        if session_id not in self._playing and session_id not in self._tried:
            self._playing.add(session_id)
            games.create_task(self._play(session_id))

    async def _seat(self, session_id: str) -> AsyncSeat:
        """Take the seat that is kept for the player, or the one that they had before. Raises Refused."""
        try:
            return await self._client.join_session(session_id)
        except (refusals.SeatTaken, refusals.NotRunning, refusals.Full) as refused:
            request = play_pb2.GetSessionRequest(session_id=session_id)
            session = (await self._client.call(self._client.service.GetSession, request)).update.session
            for number, seat in enumerate(session.seats):
                if seat.occupant.HasField("person"):
                    # Whoever sits there otherwise keeps their seat.
                    with contextlib.suppress(refusals.SeatTaken):
                        return await self._client.join_session(session_id, number)
            raise refused from None

    async def _play(self, session_id: str) -> None:
        try:
            seat = await self._seat(session_id)
            outcome = await seat.play(self._bot)
            if self._ended is not None:
                noted = self._ended(seat, outcome)
                if inspect.isawaitable(noted):
                    await noted
        except refusals.Refused as refused:
            # No reason to leave the other games. The game is over or its seat somebody else's, if the bot has made no mistake.
            is_mistake = isinstance(refused, refusals.Illegal | refusals.Malformed)
            _log.log(logging.WARNING if is_mistake else logging.INFO, "left %s: %s", session_id, refused)
        finally:
            self._playing.discard(session_id)
            self._tried.add(session_id)
