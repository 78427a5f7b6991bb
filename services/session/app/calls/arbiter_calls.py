"""Calls of arbiters and about them: naming them, their rulings, and looking into what was said once a game is over."""

from dataclasses import dataclass

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import arbiters_pb2
from services.runtime.player_text import clean_text
from services.runtime.refusal import unknown
from services.runtime.word_list import WordFile
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.calls import write
from services.session.domain.commands import access, arbitration
from services.session.domain.ids import checked
from services.session.live.rebuilds import Rebuilds
from services.session.live.session_cache import SessionCache
from services.session.live.write_builder import Request
from services.session.live.writer import Writer
from services.session.watch.talk import Talk

REASON_BYTES = 200
"""The longest reason of a ruling, in UTF-8."""


@dataclass(eq=False, repr=False)
class ArbiterCalls:
    """Carries out what arbiters rule. Raises Refused."""

    _writer: Writer
    _session_cache: SessionCache
    _blocks: Blocks
    _words: WordFile

    async def name_arbiter(self, request: arbiters_pb2.NameArbiterRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Make a player an arbiter of a table, or no longer one, and return the session.

        Raises Refused: NO_TOKEN, ARBITER, UNKNOWN for a player without an account, BLOCKED, GAME_OVER, FULL.
        """
        player, called = access.player(caller), caller.name
        state = (await self._session_cache.any(checked(request.session_id))).state
        is_new = not request.withdraw and not arbitration.is_no_change(state, request)
        if is_new and request.player_id != player:
            await self._blocks.check(player, {request.player_id})
            called = await self._blocks.name_of(request.player_id)
            if not called:
                raise unknown("player", "player_id", request.player_id)
        return await write(self._writer, request.session_id, arbitration.name(request, caller, called), once)

    async def rule_as_arbiter(
        self, request: arbiters_pb2.RuleAsArbiterRequest, caller: session_pb2.Caller, once: Request
    ) -> Message:
        """Rule something, and return the version that it made.

        Raises Refused: NO_TOKEN, ARBITER, MALFORMED, WORD_NOT_ALLOWED, UNKNOWN, GAME_OVER, NOT_RUNNING, what the rules refuse.
        """
        reason = clean_text(request.ruling.reason, "ruling.reason", REASON_BYTES)
        self._words.check(reason, "ruling.reason")
        ruled = arbiters_pb2.RuleAsArbiterRequest()
        ruled.CopyFrom(request)
        ruled.ruling.reason = reason
        return await write(self._writer, request.session_id, arbitration.rule(ruled, caller), once)


@dataclass(eq=False, repr=False)
class TableTalkCalls:
    """Shows arbiters what was said. Raises Refused."""

    _talk: Talk
    _rebuilds: Rebuilds

    async def get_table_talk(self, request: arbiters_pb2.GetTableTalkRequest, caller: session_pb2.Caller) -> Message:
        """Return all that is kept of what was said at a table whose game is over.

        Raises Refused: NO_TOKEN, ARBITER, STILL_RUNNING.
        """
        state, is_archived = await self._rebuilds.state(checked(request.session_id))
        arbitration.reviewer(state, caller)
        stored = () if is_archived else await self._talk.lines(state.id)
        return arbiters_pb2.GetTableTalkResponse(lines=[one.line for one in stored])
