"""A bot that plays all of its games from one process: it answers challenges, and takes every seat that is kept for it."""

import asyncio
import inspect
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import grpc

from brettwerk.v1 import errors_pb2, games_pb2, news_pb2, opponents_pb2, play_pb2, sessions_pb2
from brettwerk_client import refusals
from brettwerk_client.async_seat import AsyncSeat
from brettwerk_client.invitation import as_challenge
from brettwerk_client.outages import GAMES, NEWS, Outages, Waits
from brettwerk_client.progress import OVER, Field
from brettwerk_client.refusals import Refused
from brettwerk_client.turns import AsyncBot

if TYPE_CHECKING:
    from brettwerk_client.async_client import AsyncClient

Filter: TypeAlias = Callable[[opponents_pb2.Challenge], bool]
"""Returns whether a challenge is accepted; others are declined.

An invitation is asked about like a challenge: a rematch, or a saved game that goes on. It has a `session_id`, no `challenge_id`.
"""
Ended: TypeAlias = Callable[[AsyncSeat, games_pb2.Outcome], Awaitable[None] | None]
"""Is told of each game that has ended, with the seat that the bot had there."""
OnMistake: TypeAlias = Literal["leave", "resign"] | Callable[[AsyncSeat, Refused], Awaitable[None] | None]
"""The fate of a game in which the bot has played what it may not: it is left as it is, resigned, or up to a function."""

LOOK_S = 30.0
"""How often the bot looks for games and challenges whose news was lost on its way."""
_HELD_S, _MAX_TAKE_BACK_S = 600.0, 60.0
"""A seat that was held for so long is taken back at once; the longest pause otherwise."""
_REMEMBERED = 10_000
"""How many sessions are remembered that are over, or left."""
_KINDS = news_pb2.News
_SEATS = frozenset({_KINDS.KIND_CHALLENGE_ANSWERED, _KINDS.KIND_PAIRED, _KINDS.KIND_ROUND})
"""News of a seat that is kept for the player, who has agreed to it, if a session comes with it."""
_Done = TypeVar("_Done")
_MISTAKES = (refusals.Illegal, refusals.Malformed, refusals.Ambiguous)
_log = logging.getLogger(__name__)


def anything(_challenge: opponents_pb2.Challenge) -> bool:
    """Accept every challenge."""
    return True


@dataclass(frozen=True)
class RunOptions:
    """The ways in which a bot plays its games (`Client.run`)."""

    accepts: Filter = anything
    at_once: int = 4
    ended: Ended | None = None
    on_mistake: OnMistake = "leave"
    waits: Waits | None = None
    leave_out: tuple[Field, ...] = ()


class Running:
    """One such bot."""

    def __init__(self, client: "AsyncClient", bot: AsyncBot, options: RunOptions) -> None:
        self._client = client
        self._bot = bot
        self._options = options
        self._outages = Outages(client.timing, options.waits)
        self._busy: set[str] = set()
        """Sessions that are being played, and challenges and invitations that may lead to one, by their ids."""
        self._declining: set[str] = set()
        """Challenges that are being declined."""
        self._postponed: dict[str, None] = {}
        """Invitations that are accepted as soon as there is room for another game."""
        self._over: dict[str, None] = {}
        """Sessions that were over when the bot looked last."""
        self._left: dict[str, None] = {}
        """Sessions that the bot has left, or not come to."""

    async def run(self) -> None:
        """Play until cancelled. Raises Refused if the bot may not do that (any more), and whatever the bot raises."""
        try:
            async with asyncio.TaskGroup() as tasks:
                await self._through(GAMES, self._note_old)
                await self._through(GAMES, lambda: self._look(tasks, everything=True))
                tasks.create_task(self._keep_looking(tasks))
                await self._follow(tasks)
        except ExceptionGroup as group:
            raise group.exceptions[0] from None  # the first one has ended all the others

    async def _through(self, place: str, work: Callable[[], Awaitable[_Done]]) -> _Done:
        """Return what some work returns, begun again as long as what prevents it may pass. Raises Refused."""
        while True:
            try:
                done = await work()
            except Refused as refused:
                await self._outages.wait(place, refused)
            else:
                self._outages.over(place)
                return done

    async def _follow(self, tasks: asyncio.TaskGroup) -> None:
        last = 0
        while True:
            try:
                async for news in self._client.news_through(last, lambda: self._outages.over(NEWS)):
                    await self._hear(tasks, news)
                    last = news.version
            except Refused as refused:
                await self._outages.wait(NEWS, refused)

    async def _hear(self, tasks: asyncio.TaskGroup, news: news_pb2.News) -> None:
        if news.kind == _KINDS.KIND_CHALLENGED:
            await self._answer(tasks)
        elif not news.session_id or news.session_id in self._over:
            pass
        elif news.kind == _KINDS.KIND_INVITED:
            self._consider(tasks, news.session_id)
        elif news.kind == _KINDS.KIND_YOUR_TURN:
            self._begin(tasks, news.session_id, news.seat)
        elif news.kind in _SEATS:
            self._begin(tasks, news.session_id)

    async def _keep_looking(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self._through(GAMES, lambda: self._look(tasks, everything=False))

    async def _note_old(self) -> None:
        """Note the newest sessions that are over: the news that is kept may be about them."""
        request = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE, page_size=100)
        for session in (await self._client.call(self._client.service.ListSessions, request)).sessions:
            if session.state in OVER:
                _remember(self._over, session.id)

    async def _look(self, tasks: asyncio.TaskGroup, *, everything: bool) -> None:
        """Go on with all games that are not over, and answer all challenges.

        A server of release 1.0 lists what is over, too. There only the newest are looked at, except for `everything`.
        """
        request = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE, unfinished=True, page_size=100)
        while True:
            page = await self._client.call(self._client.service.ListSessions, request)
            for session, turn in zip(page.sessions, page.turns, strict=True):
                if session.state not in OVER:
                    self._go_on(tasks, session.id, turn)
            request.page_token = page.next_page_token
            is_filtered = all(session.state not in OVER for session in page.sessions)
            if not request.page_token or not (everything or is_filtered):
                break
        await self._answer(tasks)

    def _go_on(self, tasks: asyncio.TaskGroup, session_id: str, turn: sessions_pb2.TurnState) -> None:
        self._over.pop(session_id, None)  # moves were taken back
        if not turn.HasField("own"):
            self._begin(tasks, session_id)
        elif turn.own.invited:
            self._consider(tasks, session_id)
        elif turn.own.held or turn.own.kept:  # otherwise it has only created the table
            self._begin(tasks, session_id, (turn.own.held or turn.own.kept)[0])

    async def _answer(self, tasks: asyncio.TaskGroup) -> None:
        for challenge in await self._client.challenges():
            if challenge.challenge_id in self._busy or challenge.challenge_id in self._declining:
                continue
            is_wanted = self._options.accepts(challenge)
            accepts = is_wanted and len(self._busy) < self._options.at_once
            (self._busy if accepts else self._declining).add(challenge.challenge_id)
            reason = opponents_pb2.DECLINE_REASON_LATER if is_wanted else opponents_pb2.DECLINE_REASON_UNSPECIFIED
            decline = None if accepts else reason
            tasks.create_task(self._reply(tasks, challenge.challenge_id, decline))

    async def _reply(
        self, tasks: asyncio.TaskGroup, challenge_id: str, decline: opponents_pb2.DeclineReason.ValueType | None
    ) -> None:
        """Decline a challenge for a reason, or accept it."""
        session_id = ""

        async def reply() -> str:
            if decline is None:
                return await self._client.accept_challenge(challenge_id)
            answer = opponents_pb2.AnswerChallengeRequest(challenge_id=challenge_id, decline_reason=decline)
            await self._client.call(self._client.service.AnswerChallenge, answer)
            return ""

        try:
            session_id = await self._through(challenge_id, reply)
        except (refusals.ProposalStands, refusals.Unknown):
            pass  # it was withdrawn meanwhile
        finally:
            self._outages.over(challenge_id)
            self._busy.discard(challenge_id)
            self._declining.discard(challenge_id)
        if session_id:
            self._begin(tasks, session_id)
        else:
            self._go_on_with_postponed(tasks)

    def _consider(self, tasks: asyncio.TaskGroup, session_id: str) -> None:
        """Answer an invitation, now or as soon as there is room for another game."""
        if session_id in self._busy or session_id in self._left:
            return
        if len(self._busy) >= self._options.at_once:
            self._postponed[session_id] = None
        else:
            self._busy.add(session_id)
            tasks.create_task(self._accept(tasks, session_id))

    async def _accept(self, tasks: asyncio.TaskGroup, session_id: str) -> None:
        """Accept or decline an invitation."""
        wanted = False

        async def reply() -> bool:
            request = play_pb2.GetSessionRequest(session_id=session_id)
            session = (await self._client.call(self._client.service.GetSession, request)).update.session
            invitation = as_challenge(session)
            if invitation is None:
                return False
            if self._options.accepts(invitation):
                return True
            await self._client.call(self._client.service.LeaveSession, play_pb2.LeaveSessionRequest(session_id=session_id))
            return False

        try:
            wanted = await self._through(session_id, reply)
        except refusals.Refused as refused:
            # The table is gone, or a server of release 1.0 takes no such answer: then the seat stays kept.
            _log.info("no answer to the invitation to %s: %s", session_id, refused)
        self._outages.over(session_id)
        self._busy.discard(session_id)
        if wanted:
            self._begin(tasks, session_id)
        else:
            _remember(self._left, session_id)
            self._go_on_with_postponed(tasks)

    def _go_on_with_postponed(self, tasks: asyncio.TaskGroup) -> None:
        while self._postponed and len(self._busy) < self._options.at_once:
            session_id = next(iter(self._postponed))
            del self._postponed[session_id]
            self._consider(tasks, session_id)

    def _begin(self, tasks: asyncio.TaskGroup, session_id: str, seat: int = -1) -> None:
        if session_id not in self._busy and session_id not in self._left:
            self._busy.add(session_id)
            self._postponed.pop(session_id, None)
            tasks.create_task(self._play(tasks, session_id, seat))

    async def _seat(self, session_id: str, number: int) -> AsyncSeat:
        """Take the seat of a number, the one that is kept for the player, or the one that they had before. Raises Refused."""
        if number >= 0:
            try:
                return await self._client.join_session(session_id, number)
            except refusals.SeatTaken:
                pass  # a table that settled has dealt another one
        try:
            return await self._client.join_session(session_id)
        except (refusals.SeatTaken, refusals.NotRunning, refusals.Full) as refused:
            request = play_pb2.GetSessionRequest(session_id=session_id)
            session = (await self._client.call(self._client.service.GetSession, request)).update.session
            for other, seat in enumerate(session.seats):
                if seat.occupant.HasField("person"):
                    try:
                        return await self._client.join_session(session_id, other)
                    except refusals.SeatTaken:
                        continue  # it is somebody else's
            raise refused from None

    async def _take_back(self, session_id: str, number: int) -> AsyncSeat:
        """Take a seat whose token has become void. Raises Refused (NotYourSeat) if somebody has put a computer there."""
        request = play_pb2.GetSessionRequest(session_id=session_id)
        session = (await self._client.call(self._client.service.GetSession, request)).update.session
        if not session.seats[number].occupant.HasField("person"):
            raise refusals.own(errors_pb2.REASON_NOT_YOUR_SEAT, grpc.StatusCode.PERMISSION_DENIED, "a computer plays there now")
        return await self._client.join_session(session_id, number)

    async def _play(self, tasks: asyncio.TaskGroup, session_id: str, number: int) -> None:
        """Play a game to its end, however often the server is away meanwhile."""
        try:
            await self._play_on(session_id, number)
        except refusals.NoToken:
            raise
        except refusals.GameOver:
            _remember(self._over, session_id)
        except Refused as refused:
            # No reason to leave the other games.
            _log.warning("left %s: %s", session_id, refused)
            _remember(self._left, session_id)
        else:
            _remember(self._over, session_id)
        finally:
            self._outages.over(session_id)
            self._busy.discard(session_id)
        self._go_on_with_postponed(tasks)

    async def _play_on(self, session_id: str, number: int) -> None:
        seat: AsyncSeat | None = None
        lost, taken_s = 0, 0.0
        while True:
            try:
                if seat is None:
                    seat = await (self._take_back(session_id, number) if lost else self._seat(session_id, number))
                    taken_s = time.monotonic()
                outcome = await seat.play_through(self._bot, lambda: self._outages.over(session_id), self._options.leave_out)
                await self._tell_ended(seat, outcome)
                return
            except refusals.NotYourSeat:
                # The seat has got another token: the player has signed out, the store was set back, or another program of the
                # player plays there, too. Every time is an entry of the session's log.
                if seat is None:
                    raise
                number = seat.number
                lost = lost + 1 if time.monotonic() - taken_s < _HELD_S else 1
                seat = None
                await asyncio.sleep(min(_MAX_TAKE_BACK_S, 0.25 * 4 ** (lost - 1)))
            except _MISTAKES as mistake:
                if seat is not None:
                    await self._deal_with(seat, mistake)
                raise
            except Refused as refused:
                await self._outages.wait(session_id, refused)

    async def _deal_with(self, seat: AsyncSeat, mistake: Refused) -> None:
        """Do what is to be done about a game in which the bot has played what it may not. Raises Refused."""
        if callable(self._options.on_mistake):
            noted = self._options.on_mistake(seat, mistake)
            if inspect.isawaitable(noted):
                await noted
        elif self._options.on_mistake == "resign":
            await self._through(seat.session_id, seat.resign)
            session = (await seat.update()).session
            if session.state in OVER:
                await self._tell_ended(seat, session.outcome)

    async def _tell_ended(self, seat: AsyncSeat, outcome: games_pb2.Outcome) -> None:
        noted = None if self._options.ended is None else self._options.ended(seat, outcome)
        if inspect.isawaitable(noted):
            await noted


def _remember(sessions: dict[str, None], session_id: str) -> None:
    """Note one more session; the oldest are forgotten."""
    sessions[session_id] = None
    if len(sessions) > _REMEMBERED:
        del sessions[next(iter(sessions))]
