"""A seat of a session, and what can be done from it, on asyncio."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, sessions_pb2, talk_pb2
from brettwerk_client import refusals
from brettwerk_client.connecting import heard
from brettwerk_client.progress import OVER, Field, Hole, Progress
from brettwerk_client.requests import Action, acting
from brettwerk_client.retries import Retries
from brettwerk_client.talk import TalkProgress, saying
from brettwerk_client.turns import OVERTAKEN, AsyncBot, Turns, awaited

if TYPE_CHECKING:
    from brettwerk_client.async_client import AsyncClient


class AsyncSeat:
    """A seat that the client holds, or, without a token, a spectator's place."""

    def __init__(self, client: "AsyncClient", session_id: str, number: int, token: str) -> None:
        self.client = client
        self.session_id = session_id
        self.number = number
        """The seat, from 0; -1 for a spectator. A table that settles before the start may deal another one."""
        self.is_lost = False
        """Whether the seat has changed hands while it was watched: from then on its token shows what a spectator may see."""
        self.token = token
        """Keep it: `AsyncClient.seat` comes back with it."""

    def __repr__(self) -> str:
        return f"AsyncSeat({self.session_id!r}, {self.number})"

    async def play(self, bot: AsyncBot, *, leave_out: Iterable[Field] = ()) -> games_pb2.Outcome:
        """Let a bot play to the end of the game and return its outcome, which a session that was given up has none of.

        A bot that knows the rules need not be told what it may do, and its updates can lack other parts to `leave_out`, too.
        An event before an action is there, such as its time running out, is no error: the bot is asked again. Raises
        Refused when the bot plays what it may not, the seat has changed hands, or the server cannot be reached for a long time.
        """
        return await self.play_through(bot, lambda: None, leave_out)

    async def play_through(
        self, bot: AsyncBot, went_well: Callable[[], None], leave_out: Iterable[Field] = ()
    ) -> games_pb2.Outcome:
        """The same as `play`; `went_well` is called when the server has taken an action, or shows that there is none to take."""
        left_out = tuple(leave_out)
        turns = Turns(left_out)
        async for update in self.watch(leave_out=left_out):
            if update.session.state in OVER:
                return update.session.outcome
            if self.is_lost:
                raise refusals.own(
                    errors_pb2.REASON_NOT_YOUR_SEAT, grpc.StatusCode.PERMISSION_DENIED, "the seat has changed hands"
                )
            if not turns.wants(update, self.number):
                went_well()
                continue
            action = await awaited(bot(update))
            if action is None:
                continue
            try:
                turns.acted((await self.act(update, action)).version)
            except OVERTAKEN:
                continue
            went_well()
        raise AssertionError("a watch ends with its session, or by a refusal")

    async def watch(
        self, *, after_version: int = 0, after_at_ms: int = 0, to_the_end: bool = True, leave_out: Iterable[Field] = ()
    ) -> AsyncIterator[sessions_pb2.Update]:
        """Yield the newest update and all that follow, each once and in order, over as many connections as that takes.

        It ends with the session's last update; without `to_the_end` it goes on, since a rematch may follow. With a version and
        its time it yields what came after that. Updates are smaller without the parts to `leave_out`. When the seat's token has
        become void though nobody else has taken the seat, it is taken again. Raises Refused.
        """
        progress, retries = Progress(after_version, after_at_ms, leave_out), Retries(self.client.timing)
        while True:
            stream = self.client.service.Watch(
                progress.request(self.session_id, self.token), metadata=await self.client.metadata()
            )
            try:
                async for message in heard(stream, self.client.timing.watch_silence_s):
                    retries.succeeded()
                    update = progress.take(message)
                    if update is None:
                        continue
                    if progress.has_void_token and self.token:
                        self.token = (await self.client.join_session(self.session_id, self.number)).token
                        raise Hole
                    self.is_lost = progress.has_lost_seat
                    if update.HasField("viewer_seat"):
                        self.number = update.viewer_seat
                    yield update
                    if to_the_end and update.session.state in OVER:
                        return
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

    async def update(self, *, leave_out: Iterable[Field] = ()) -> sessions_pb2.Update:
        """Return the newest update, smaller without the parts to `leave_out`. Raises Refused."""
        request = play_pb2.GetSessionRequest(session_id=self.session_id, seat_token=self.token, leave_out=leave_out)
        return (await self.client.call(self.client.service.GetSession, request)).update

    async def actions(self, places: Sequence[str] = ()) -> Sequence[games_pb2.ActionChoice]:
        """Return all that the seat may do now, or what of it begins with these places; an update has the first 256 actions.

        Raises Refused.
        """
        found: list[games_pb2.ActionChoice] = []
        request = play_pb2.ListActionsRequest(session_id=self.session_id, seat_token=self.token, page_size=1000, places=places)
        while True:
            page = await self.client.call(self.client.service.ListActions, request)
            found += page.actions
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def act(self, seen: sessions_pb2.Update | int, action: Action) -> play_pb2.ActResponse:
        """Play an action that was chosen at an update, or at its version. Raises Refused (StaleVersion, Illegal, ...)."""
        version = seen if isinstance(seen, int) else seen.version
        return await self.client.call(self.client.service.Act, acting(self.session_id, self.token, version, action))

    async def undo(self, seen: sessions_pb2.Update, plies: int = 1) -> play_pb2.UndoResponse:
        """Take back that many plies, as far as that needs nobody's consent (`free_undo_plies`). Raises Refused."""
        request = play_pb2.UndoRequest(
            session_id=self.session_id,
            seat_token=self.token,
            expected_version=seen.version,
            to_plies=max(0, seen.session.plies - plies),
        )
        return await self.client.call(self.client.service.Undo, request)

    async def say(self, text: str = "", *, phrase: str = "", to_seat: int | None = None) -> talk_pb2.TalkLine:
        """Say words, or one of the game's quick phrases, to all or to one seat alone (EMPERADO). Raises Refused.

        Without a seat the client speaks as somebody who watches.
        """
        request = saying(self.session_id, self.token, text, phrase, to_seat)
        return (await self.client.call(self.client.service.Say, request)).line

    async def talk(self) -> AsyncIterator[talk_pb2.TalkLine]:
        """Yield what is said at the table as this seat hears it: the lines that are kept, then every new one, each once.

        It does not end by itself. Raises Refused.
        """
        progress, retries = TalkProgress(), Retries(self.client.timing)
        while True:
            request = progress.request(self.session_id, self.token)
            stream = self.client.service.Watch(request, metadata=await self.client.metadata())
            try:
                async for message in heard(stream, self.client.timing.watch_silence_s):
                    retries.succeeded()
                    for line in progress.take(message):
                        yield line
                refused = refusals.ended()
            except grpc.RpcError as error:
                refused = refusals.of_call(error)
            except refusals.Unavailable as silence:
                refused = silence
            finally:
                stream.cancel()
            await asyncio.sleep(retries.pause_s(refused))

    async def resign(self) -> None:
        """Give the game up. Raises Refused."""
        request = play_pb2.ResignRequest(session_id=self.session_id, seat_token=self.token)
        await self.client.call(self.client.service.Resign, request)

    async def leave(self) -> None:
        """Give the seat up: it is open before the start, and a computer plays for it afterwards. Raises Refused."""
        request = play_pb2.LeaveSessionRequest(session_id=self.session_id, seat_token=self.token)
        await self.client.call(self.client.service.LeaveSession, request)


@dataclass(frozen=True)
class AsyncTable:
    """A session that was just created."""

    session: sessions_pb2.Session
    """The session, as it was then."""
    seats: Sequence[AsyncSeat] = field(default_factory=tuple)
    """The seats that its creator has, in turn order."""

    @property
    def seat(self) -> AsyncSeat:
        """The creator's seat, or the first of several. Raises LookupError when there is none."""
        if not self.seats:
            raise LookupError("the creator has no seat at this table")
        return self.seats[0]
