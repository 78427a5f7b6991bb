"""The client for programs that run on asyncio."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.protobuf.message import Message

from brettwerk.v1 import (
    accounts_pb2,
    arbiters_pb2,
    games_pb2,
    news_pb2,
    opponents_pb2,
    play_pb2,
    play_pb2_grpc,
    record_pb2,
    sessions_pb2,
    substitutes_pb2,
)
from brettwerk_client import refusals
from brettwerk_client.async_seat import AsyncSeat, AsyncTable
from brettwerk_client.connecting import OPTIONS, credentials_of, heard, metadata_of
from brettwerk_client.identity import Player
from brettwerk_client.news import NewsProgress
from brettwerk_client.outages import Waits
from brettwerk_client.progress import Field, Hole
from brettwerk_client.requests import named, packed
from brettwerk_client.retries import COSTLY, Retries, Timing
from brettwerk_client.running import Ended, Filter, OnMistake, Running, RunOptions, anything
from brettwerk_client.talk import phrases_in
from brettwerk_client.turns import AsyncBot

SEEK_WAIT_MS = 3000
"""How long one question waits for an opponent."""
SESSION_WAIT_S = 0.5
"""How long to wait for the session of a challenge before it is asked for again."""
Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


class AsyncClient:
    """A connection to a server, and who calls over it. Make and use it in one event loop."""

    def __init__(
        self,
        address: str,
        *,
        name: str = "",
        token: str = "",
        tls: bool | grpc.ChannelCredentials = False,
        timing: Timing | None = None,
    ) -> None:
        """Take the address of the gRPC endpoint (host:port), which nobody asks yet.

        With a token the caller is the player whose it is. With a name it is a guest who is made when one is needed first. With
        neither it is nobody, who may look at what is public, until `sign_in`.
        """
        self.address, self.tls = address, tls
        """How the server is reached, for another client."""
        credentials = credentials_of(tls)
        self._channel = (
            grpc.aio.secure_channel(address, credentials, OPTIONS) if credentials else grpc.aio.insecure_channel(address, OPTIONS)
        )
        self.service: play_pb2_grpc.PlayServiceAsyncStub = play_pb2_grpc.PlayServiceStub(self._channel)
        """The methods of the contract, to be called through `call`."""
        self.timing = timing or Timing()
        self._name = name
        self._token = token
        self._player: Player | None = None
        self._signing_in = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the server; watches end."""
        await self._channel.close()

    async def call(self, method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]", request: Request) -> Response:
        """Return the answer to a call of one of the methods of `service`, sent again as long as that may help. Raises Refused.

        A write without a request id gets one, so that it is carried out once, however often it is sent.
        """
        await self._be_somebody()
        return await self._carry_out(method, request)

    # The caller.

    @property
    def player(self) -> Player | None:
        """The client's player, once it has signed in by itself; None for a token that was brought along, and for nobody."""
        return self._player

    async def token(self) -> str:
        """The player's token, to come back with; empty for nobody. A guest who was not needed yet is made for it."""
        await self._be_somebody()
        return self._token

    async def sign_in(self, request: play_pb2.CreatePlayerRequest | accounts_pb2.SignInRequest) -> Player:
        """Be a guest, or the player that a link, a phrase, or a name and a password prove. Raises Refused."""
        answer: play_pb2.CreatePlayerResponse | accounts_pb2.SignInResponse
        if isinstance(request, play_pb2.CreatePlayerRequest):
            answer = await self._carry_out(self.service.CreatePlayer, request)
        else:
            answer = await self._carry_out(self.service.SignIn, request)
        device_token = answer.device_token if isinstance(answer, accounts_pb2.SignInResponse) else ""
        self._player = Player(answer.player_id, answer.name, answer.player_token, device_token)
        self._token = answer.player_token
        return self._player

    # Players' first steps. For all others there is `call`.

    async def games(self) -> Sequence[games_pb2.Game]:
        """Return the games of the server. Raises Refused."""
        return (await self.call(self.service.ListGames, play_pb2.ListGamesRequest(page_size=100))).games

    async def phrases(self, game: str, language: str = "en") -> dict[str, str]:
        """Return a game's quick phrases by their ids, in a language such as en, de or fr, to say and to read. Raises Refused."""
        request = play_pb2.GetGameRequest(game=game, language=language, without_rules_page=True, key_prefixes=["phrase."])
        found = await self.call(self.service.GetGame, request)
        return phrases_in(found.catalogue, found.game.phrases)

    async def board(self, game: str, options: Message | None = None, seats: int = 0) -> games_pb2.Board:
        """Return what a game is played on, with these options and so many seats, 0 for as few as it can have. Raises Refused."""
        request = play_pb2.GetGameRequest(game=game, language="en", without_rules_page=True, shows_board=True, seats=seats)
        if options is not None:
            request.options.CopyFrom(packed(options))
        return (await self.call(self.service.GetGame, request)).board

    async def open_sessions(self, game: str = "") -> Sequence[sessions_pb2.Session]:
        """Return public sessions with an open seat, newest first: those of a game, or all. Raises Refused."""
        request = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_OPEN, game=game, page_size=100)
        return (await self.call(self.service.ListSessions, request)).sessions

    async def open_seats(self, game: str = "") -> Sequence[sessions_pb2.Session]:
        """Return running games with a seat whose player is gone (its `offer`): those of a game, or all. Raises Refused."""
        request = substitutes_pb2.ListOpenSeatsRequest(game=game, page_size=100)
        return (await self.call(self.service.ListOpenSeats, request)).sessions

    async def ask_for_seat(self, session_id: str, seat: int) -> AsyncSeat | None:
        """Ask for such a seat, and take it; None while those who play there may still refuse. Raises Refused."""
        request = substitutes_pb2.AskForSeatRequest(session_id=session_id, seat=seat)
        session = (await self.call(self.service.AskForSeat, request)).session
        return None if session.seats[seat].HasField("offer") else await self.join_session(session_id, seat)

    async def rule(self, session_id: str, reason: str, **ruling: Any) -> int:
        """Rule something as an arbiter of a table, for a reason that everybody sees, and return the version that it made.

        `ruling` is one field of a `Ruling`: `pause=True`, `given_time=GivenTime(seat=0, time_ms=60_000)`, `forfeited_seat=1`,
        `draw=True` or `ranking=Ranking(seats=[2, 0, 1])`. Raises Refused.
        """
        request = arbiters_pb2.RuleAsArbiterRequest(session_id=session_id, ruling=record_pb2.Ruling(reason=reason, **ruling))
        version: int = (await self.call(self.service.RuleAsArbiter, request)).version
        return version

    async def create_session(
        self,
        game: str,
        seats: Sequence[play_pb2.SeatWish],
        *,
        options: Message | None = None,
        start_position: Message | None = None,
        clock: record_pb2.ClockSpec | None = None,
        title: str = "",
        public: bool = False,
        competitive: bool = False,
        spectator_delay: int = 0,
        substitutes: bool | None = None,
        least_reliability: int = 0,
        arbiter: bool = False,
    ) -> AsyncTable:
        """Create a session; `seats` says who shall sit where (`me`, `computer`, `nobody`). Raises Refused.

        Options and start position are the game's own messages; without them it is played with default options. Spectators of
        a competitive session see an action after so many others (`spectator_delay`). `substitutes` says whether others may take
        the seat of a player who is gone; None for what is usual. Players who are known to finish fewer of their games than
        `least_reliability` percent cannot sit down. `arbiter`: whether the caller takes no seat and may `rule`.
        """
        request = play_pb2.CreateSessionRequest(
            game=game,
            seats=seats,
            clock=clock,
            title=title,
            public=public,
            competitive=competitive,
            spectator_delay=spectator_delay,
            substitutes=substitutes,
            least_reliability=least_reliability,
            arbiter=arbiter,
        )
        if options is not None:
            request.options.CopyFrom(packed(options))
        if start_position is not None:
            request.start_position.CopyFrom(packed(start_position))
        created = await self.call(self.service.CreateSession, request)
        return self.table(created)

    def table(
        self,
        created: play_pb2.CreateSessionResponse
        | play_pb2.RematchResponse
        | play_pb2.ImportSessionResponse
        | play_pb2.ForkSessionResponse,
    ) -> AsyncTable:
        """Return the table that an answer tells of."""
        seats = [AsyncSeat(self, created.session.id, grant.seat, grant.seat_token) for grant in created.grants]
        return AsyncTable(created.session, seats)

    async def join_session(self, session_id: str, seat: int = -1) -> AsyncSeat:
        """Take a seat, -1 for any that is open; one's own seat gets a new token. Raises Refused."""
        request = play_pb2.JoinSessionRequest(session_id=session_id, seat=seat)
        grant = (await self.call(self.service.JoinSession, request)).grant
        return AsyncSeat(self, session_id, grant.seat, grant.seat_token)

    async def find_opponent(
        self, game: str, *, clock: record_pb2.ClockSpec | None = None, competitive: bool = False, least_reliability: int = 0
    ) -> AsyncSeat:
        """Wait in a pool for an opponent of similar strength, and take the seat at the resulting table.

        The clock is one that the game has a pool for (`ListPools`), none for no clock. It takes as long as it takes; whoever
        breaks it off has left the pool. Players who are known to finish fewer of their games than `least_reliability` percent
        are no opponents. Raises Refused.
        """
        start = opponents_pb2.StartSeekRequest(
            game=game, clock=clock, competitive=competitive, least_reliability=least_reliability
        )
        seek = (await self.call(self.service.StartSeek, start)).seek
        try:
            while seek.state != opponents_pb2.Seek.STATE_READY:
                follow = opponents_pb2.FollowSeekRequest(seek_id=seek.seek_id, wait_ms=SEEK_WAIT_MS)
                seek = (await self.call(self.service.FollowSeek, follow)).seek
                if seek.state == opponents_pb2.Seek.STATE_OVER:
                    seek = (await self.call(self.service.StartSeek, start)).seek
        finally:
            await self.call(self.service.StopSeek, opponents_pb2.StopSeekRequest(seek_id=seek.seek_id))
        return await self.join_session(seek.session_id)

    async def challenges(self) -> Sequence[opponents_pb2.Challenge]:
        """Return the challenges to the player that wait for an answer, newest first. Raises Refused."""
        found = await self.call(self.service.ListChallenges, opponents_pb2.ListChallengesRequest())
        return [one for one in found.received if one.state == opponents_pb2.Challenge.STATE_OPEN]

    async def accept_challenge(self, challenge_id: str) -> str:
        """Accept a challenge, and return the session in which a seat is kept (`join_session`). Raises Refused.

        It is empty where the server has no room for the session.
        """
        answer = opponents_pb2.AnswerChallengeRequest(challenge_id=challenge_id, accept=True)
        accepted = (await self.call(self.service.AnswerChallenge, answer)).challenge
        while not accepted.session_id and accepted.state == opponents_pb2.Challenge.STATE_ACCEPTED:
            await asyncio.sleep(SESSION_WAIT_S)
            accepted = (await self.call(self.service.AnswerChallenge, answer)).challenge
        return accepted.session_id

    async def run(
        self,
        bot: AsyncBot,
        *,
        accepts: Filter = anything,
        at_once: int = 4,
        ended: Ended | None = None,
        on_mistake: OnMistake = "leave",
        waits: Waits | None = None,
        leave_out: Iterable[Field] = (),
    ) -> None:
        """Let a bot play all of the player's games until this is cancelled: whoever challenges it, and wherever it is expected.

        All choices are made in this event loop. `accepts` chooses among challenges and invitations (a rematch); without it all
        are accepted, as long as fewer than `at_once` games are being played. Games that an earlier process has left are gone on
        with. `ended` is told of each game that is over. `on_mistake` says what becomes of a game in which the bot has played what
        it may not: "leave" leaves it as it is, "resign" gives it up, a function is told the seat and the refusal. The updates
        lack the parts to `leave_out`, such as lists of actions for a bot that knows the rules.

        Trouble that may pass by itself, as an outage, is waited out without end; `waits` is told of it. Raises Refused if the
        token is void or lacks a scope, and whatever the bot raises.
        """
        await Running(self, bot, RunOptions(accepts, at_once, ended, on_mistake, waits, tuple(leave_out))).run()

    def seat(self, session_id: str, number: int, token: str) -> AsyncSeat:
        """Return a seat whose token was kept."""
        return AsyncSeat(self, session_id, number, token)

    def spectator(self, session_id: str) -> AsyncSeat:
        """Return a place from which a session can be watched, with no seat."""
        return AsyncSeat(self, session_id, -1, "")

    async def news(self, *, after_version: int = 0) -> AsyncIterator[news_pb2.News]:
        """Yield what concerns the player at any table, each news once and in order, over as many connections as that takes.

        It does not end by itself. It begins after the news that has the given version; with 0, with all that is kept. Where
        the version is not the next one, news in between was lost or is kept no longer: `ListSessions` says how the player's
        sessions stand. Raises Refused.
        """
        async for news in self.news_through(after_version, lambda: None):
            yield news

    async def news_through(self, after_version: int, went_well: Callable[[], None]) -> AsyncIterator[news_pb2.News]:
        """The same as `news`; `went_well` is called with every sign of life."""
        progress, retries = NewsProgress(after_version), Retries(self.timing)
        while True:
            stream = self.service.WatchPlayer(progress.request(), metadata=await self.metadata())
            try:
                async for message in heard(stream, self.timing.news_silence_s):
                    retries.succeeded()
                    went_well()
                    for news in progress.take(message):
                        yield news
                refused = refusals.ended()
            except Hole:
                continue
            except grpc.RpcError as error:
                refused = refusals.of_call(error)
            except refusals.Unavailable as silence:
                refused = silence
            finally:
                stream.cancel()
            await asyncio.sleep(retries.pause_s(refused))

    async def metadata(self) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a call, to make one without this class."""
        await self._be_somebody()
        return metadata_of(self._token)

    async def _be_somebody(self) -> None:
        if self._token or not self._name:
            return
        async with self._signing_in:
            if not self._token:
                await self.sign_in(play_pb2.CreatePlayerRequest(name=self._name))

    async def _carry_out(self, method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]", request: Request) -> Response:
        request = named(request)
        is_costly = type(request).__name__.removesuffix("Request") in COSTLY
        timeout = self.timing.costly_call_s if is_costly else self.timing.call_s
        retries = Retries(self.timing)
        while True:
            try:
                return await method(request, timeout=timeout, metadata=metadata_of(self._token))
            except grpc.RpcError as error:
                refused = refusals.of_call(error)
            await asyncio.sleep(retries.pause_s(refused))
