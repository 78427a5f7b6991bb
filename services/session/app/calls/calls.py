"""Carries out clients' calls: which call means which command, and the answer if there is no such session."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

from google.protobuf.message import DecodeError
from prometheus_client import Counter

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.archive.archive import Archive
from services.runtime import metrics, wire
from services.runtime.refusal import Refused, malformed, moved_shard
from services.session.app.calls import canonical_proposals
from services.session.app.calls.archive_search import ArchiveSearch
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.conditional_calls import ConditionalCalls
from services.session.app.calls.creation import SECRET_BYTES, Creation
from services.session.app.calls.hint_calls import HintCalls
from services.session.app.calls.look_ahead import LookAhead
from services.session.app.calls.queries import Queries
from services.session.app.calls.saves import Saves
from services.session.app.calls.server_saves import ServerSaves
from services.session.app.calls.session_lists import SessionLists
from services.session.app.calls.statistics import Statistics
from services.session.app.calls.talk_calls import TalkCalls
from services.session.computers.workforce import Workforce
from services.session.domain.commands import access, actions, agreement, endings, proposals, seats, undo, vacation
from services.session.domain.commands.decision import Command
from services.session.domain.ids import checked
from services.session.domain.state import SETTLING, State
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.write_builder import Request, identified
from services.session.live.writer import Writer

_Handler: TypeAlias = Callable[[Any, session_pb2.Caller, Request], Awaitable[play_pb2.Answer]]

_UNIDENTIFIED = Request(b"", b"")
_CREATING = ("fork_session", "rematch")
"""Calls that name a session, but are for the owner of the new one."""
_CHECK_RECORD = play_pb2.Call.DESCRIPTOR.fields_by_name["check_record"].number
_RECORD = play_pb2.CheckRecordRequest.DESCRIPTOR.fields_by_name["record"].number


class Calls:
    """Carries out calls."""

    def __init__(
        self,
        writer: Writer,
        session_cache: SessionCache,
        rules: RulesClient,
        games: Games,
        queries: Queries,
        hints: HintCalls,
        session_lists: SessionLists,
        archive_search: ArchiveSearch,
        creation: Creation,
        saves: Saves,
        kept: ServerSaves,
        archive: Archive,
        statistics: Statistics,
        talk: TalkCalls,
        conditional: ConditionalCalls,
        look_ahead: LookAhead,
        blocks: Blocks,
        workforce: Workforce,
        check_owner: Callable[[str], None],
        draw: Callable[[int], bytes],
    ) -> None:
        """`check_owner` raises Refused (moved) if a session is in another process's shard.

        `draw` returns that many unpredictable bytes.
        """
        self._check_owner = check_owner
        self._creation = creation
        self._talk = talk
        self._blocks = blocks
        self._workforce = workforce
        self._writer = writer
        self._session_cache = session_cache
        self._rules = rules
        self._games = games
        self._saves = saves
        self._archive = archive
        self._draw_secret = lambda: draw(SECRET_BYTES)
        self._handlers: Mapping[str, _Handler] = {
            "list_games": lambda request, _caller, _once: queries.list_games(request),
            "get_game": lambda request, _caller, _once: queries.get_game(request),
            "describe_view": lambda request, _caller, _once: queries.describe_view(request),
            "check_start": lambda request, _caller, _once: queries.check_start(request),
            "get_session": lambda request, _caller, _once: queries.get_session(request),
            "list_updates": lambda request, _caller, _once: queries.list_updates(request),
            "list_actions": lambda request, _caller, _once: queries.list_actions(request),
            "read_notation": lambda request, _caller, _once: queries.read_notation(request),
            "get_hint": lambda request, _caller, _once: hints.get_hint(request),
            "list_sessions": lambda request, caller, _once: session_lists.list_sessions(request, caller),
            "search_games": lambda request, caller, _once: archive_search.search(request, caller),
            "export_session": lambda request, _caller, _once: kept.export(request),
            "save_session": lambda request, _caller, _once: kept.save(request),
            "list_saves": lambda request, caller, _once: kept.list(request, caller),
            "delete_save": lambda request, caller, _once: kept.delete(request, caller),
            "verify_session": lambda request, _caller, _once: saves.verify(request),
            "read_text": lambda request, _caller, _once: saves.read(request),
            "check_record": lambda request, _caller, _once: saves.check(request.record.SerializeToString()),
            "get_statistics": lambda request, caller, _once: statistics.get(request, caller),
            "start_run": statistics.start,
            "get_run": lambda request, caller, _once: statistics.find(request, caller),
            "list_runs": lambda request, caller, _once: statistics.list_own(request, caller),
            "cancel_run": lambda request, caller, _once: statistics.cancel(request, caller),
            "say": self._talking(talk.say),
            "report_talk": self._talking(talk.report),
            "create_session": creation.create,
            "fork_session": creation.fork,
            "import_session": creation.import_,
            "rematch": creation.rematch,
            "act": self._act,
            "propose": self._propose,
            "leave_session": self._leave,
            "set_seat": self._set_seat,
            "undo": self._writing(lambda request, _caller: undo.undo(request)),
            "resign": self._writing(lambda request, _caller: endings.resign(request)),
            "answer_proposal": self._writing(lambda request, _caller: proposals.reply(request)),
            "take_vacation": self._writing(lambda request, _caller: vacation.take(request)),
            "set_conditional_moves": lambda request, _caller, _once: conditional.set(request),
            "get_conditional_moves": lambda request, _caller, _once: conditional.get(request),
            "look_ahead": lambda request, _caller, _once: look_ahead.look(request),
            "wish_seat": self._writing(lambda request, _caller: agreement.wish(request)),
            "begin_game": self._writing(lambda request, _caller: agreement.begin(request)),
            "join_session": self._join,
            "close_session": self._writing(endings.close),
        }

    async def carry_out(self, asked: session_pb2.CarryOutRequest) -> play_pb2.Answer:
        """Return the answer to a call. Raises Refused, which is counted; MALFORMED if it is none."""
        request: Any = None
        try:
            if asked.packed_call and (record := _record_to_check(asked.packed_call)) is not None:
                return await self._saves.check(record)
            data = asked.packed_call or asked.call
            call = _parsed(data)
            name = call.WhichOneof("request") or ""
            handler = self._handlers.get(name)
            if handler is None:
                raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "the session service has no such method")
            request = getattr(call, name)
            if name not in _CREATING:
                self._check_owner(getattr(request, "session_id", ""))
            once = _UNIDENTIFIED
            if hasattr(request, "request_id"):
                # A repeat has the same bytes: clients repeat what they have sent, and what comes as JSON is always encoded alike.
                once = identified(request, asked.caller, data)
            return await handler(request, asked.caller, once)
        except Refused as refused:
            self._count_refused(request, refused)
            raise

    async def arrange(self, asked: session_pb2.ArrangeSessionRequest) -> session_pb2.ArrangeSessionResponse:
        """Create a session for players who have found each other, or check that one is possible. Raises Refused."""
        if asked.only_checks:
            self._talk.check_words(asked.create.title, "name")
        return await self._creation.arrange(asked)

    async def close_waiting(self, asked: session_pb2.CloseWaitingRequest) -> session_pb2.CloseWaitingResponse:
        """Close an arranged session whose game has not begun. Raises Refused."""
        return await self._creation.close_waiting(asked.arrangement_id)

    def _count_refused(self, request: Any, refused: Refused) -> None:
        if moved_shard(refused.refusal) is not None:
            return  # its owner is asked
        game = self._session_cache.game(getattr(request, "session_id", ""))
        metrics.REFUSALS.labels(game, errors_pb2.Reason.Name(refused.reason).removeprefix("REASON_")).inc()

    def _writing(self, command: Callable[[Any, session_pb2.Caller], Command]) -> _Handler:
        """Return what carries out a call that is just a command to its session."""
        return lambda request, caller, once: self._write(request.session_id, command(request, caller), once)

    def _talking(self, handler: _Handler) -> _Handler:
        """Return what carries out a call about talk, which ends once only the archive has the session."""

        async def carry_out(request: Any, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
            try:
                return await handler(request, caller, once)
            except Refused as refused:
                if refused.reason == errors_pb2.REASON_UNKNOWN and refused.refusal.details.get("what") == "session":
                    await self._check_archive(request.session_id)
                raise

        return carry_out

    async def _write(self, session_id: str, command: Command, once: Request) -> play_pb2.Answer:
        try:
            written = await self._writer.write(checked(session_id), command, once)
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_UNKNOWN and refused.refusal.details.get("what") == "session":
                await self._check_archive(session_id)
            raise
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer

    async def _check_archive(self, session_id: str) -> None:
        """Check that the archive does not have the session either."""
        if await self._archive.find(session_id) is not None:
            raise Refused(errors_pb2.REASON_GAME_OVER, "the game is over and in the archive")

    async def _act(self, request: play_pb2.ActRequest, _caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        answer = await self._write(request.session_id, actions.act(request), once)
        _played(self._session_cache.game(request.session_id)).inc()
        return answer

    async def _propose(self, request: play_pb2.ProposeRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        load: record_pb2.Record | None = None
        parts: agreement.Parts | None = None
        wish, kind = request, request.proposal.WhichOneof("kind")
        if kind in ("options", "setup", "load"):
            state = (await self._session_cache.newest(checked(request.session_id))).state
            if kind == "load":
                access.holder(state, request.seat_token)
                load = await self._saves.to_load(request.proposal.load, caller, state.game, len(state.seats))
            else:
                wish = play_pb2.ProposeRequest()
                wish.CopyFrom(request)
                wish.proposal.CopyFrom(await canonical_proposals.as_stored(self._rules, state, request.proposal))
            if kind == "options" and state.status == SETTLING:
                seat = access.holder(state, request.seat_token)
                wanted, count = wish.proposal.options, len(state.seats)
                rated = state.created.competitive
                split = await self._rules.split_options(state.game, count, state.options, wanted, seat, competitive=rated)
                parts = agreement.Parts(state.options, seat, split)
        return await self._write(request.session_id, proposals.propose(wish, caller, load, parts), once)

    async def _join(self, request: play_pb2.JoinSessionRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        await self._blocks.check_table(access.player(caller), await self._state(request.session_id))
        return await self._write(request.session_id, seats.join(request, caller, self._draw_secret), once)

    async def _leave(self, request: play_pb2.LeaveSessionRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        if not request.seat_token:
            return await self._write(request.session_id, seats.decline(caller), once)
        facts = await self._games.facts(await self._game(request.session_id))
        return await self._write(request.session_id, seats.leave(request, facts), once)

    async def _set_seat(self, request: play_pb2.SetSeatRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        if not request.HasField("wish"):
            raise malformed("wish", "a wish must say who will sit there")
        state = await self._state(request.session_id)
        if request.wish.WhichOneof("kind") == "me":
            await self._blocks.check_table(access.player(caller), state)
        facts = await self._games.facts(state.game)
        command = seats.set_seat(request, caller, facts, self._draw_secret, self._workforce.check_room)
        return await self._write(request.session_id, command, once)

    async def _game(self, session_id: str) -> str:
        return (await self._state(session_id)).game

    async def _state(self, session_id: str) -> State:
        """Return a session as it is remembered, which may have been overtaken."""
        try:
            return (await self._session_cache.any(checked(session_id))).state
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_UNKNOWN:
                await self._check_archive(session_id)
            raise


def _parsed(data: bytes) -> play_pb2.Call:
    try:
        return play_pb2.Call.FromString(data)
    except DecodeError:
        raise malformed("call", "call is not a Call") from None


@cache
def _played(game: str) -> Counter:
    return metrics.ACTIONS.labels(game, "person", "played")


def _record_to_check(packed_call: bytes) -> bytes | None:
    """Return the encoded record if the call is to check it: what only passes through is not parsed here."""
    request = wire.split(packed_call).get(_CHECK_RECORD)
    return None if request is None else bytes(wire.split(bytes(request)).get(_RECORD, b""))
