"""Calls about talk, at a table and in a viewing. They never write to a game, and no action waits for them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from brettwerk.v1 import arbiters_pb2, errors_pb2, games_pb2, talk_pb2, viewings_pb2
from services.archive.talk_reports import Report, TalkReports
from services.runtime import metrics
from services.runtime.player_text import talk_text
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.seats import put_seat, seat_in
from services.runtime.talk_rules import TalkRules
from services.runtime.token_buckets import Buckets
from services.runtime.word_list import WordFile
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.calls import Rows
from services.session.domain.commands import access, arbitration
from services.session.domain.ids import Request, checked
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games
from services.session.live.session_cache import SessionCache
from services.session.watch import talk
from services.session.watch.talk import Talk
from services.session.watch.viewings import Viewings

CONTEXT_LINES = 10
"""How many lines before a reported one the operator gets to read."""
ROOM_PER_S = 4.0
ROOM_BURST = 30.0
"""How many lines all people together may say to a table, or to its watchers, so that no crowd drowns it.

Private talk is not counted, because nobody else may notice it; each player also has a rate at the gateway.
"""
ID_BYTES = 10
"""Bytes of the id of a line."""


_Said: TypeAlias = talk_pb2.SayRequest | viewings_pb2.SayInViewingRequest
_Heard: TypeAlias = tuple[State, str, list[talk_pb2.TalkLine]]
"""A session, who hears, and the lines that they hear."""


@dataclass(eq=False, repr=False)
class Speech:
    """The rules of what players say, wherever they say it. Raises Refused."""

    _games: Games
    _words: WordFile
    _rules: TalkRules

    def text(self, request: _Said) -> str:
        """Return the text that is said; empty for a phrase. Raises Refused (MALFORMED) for neither or both, WORD_NOT_ALLOWED."""
        if bool(request.text) == bool(request.phrase):
            raise malformed("text", "give either a text or a phrase")
        text = talk_text(request.text) if request.text else ""
        self._words.check(text, "text")
        return text

    def check(self, player_id: str) -> None:
        """Return if a player may talk. Raises Refused (RESTRICTED)."""
        self._rules.check(player_id)

    async def game(self, name: str, phrase: str) -> games_pb2.Game:
        """Return the facts of a game. Raises Refused (UNKNOWN) for a phrase that it does not have."""
        game = await self._games.facts(name)
        if phrase and phrase not in game.phrases:
            raise unknown("phrase", "phrase", phrase, game.phrases)
        return game


def rooms(place: str, name: str, now_ms: Callable[[], int]) -> Buckets:
    """Return the bounds of what all people together may say in each room of a kind: at a table, or in a viewing."""
    sentence = f"too much is said {place}; the next line is taken"
    return Buckets(name, ROOM_PER_S, ROOM_BURST, lambda: now_ms() / 1000, sentence)


@dataclass(eq=False, repr=False)
class TalkCalls:
    """Takes what is said at tables. Raises Refused."""

    _talk: Talk
    _session_cache: SessionCache
    _speech: Speech
    _blocks: Blocks
    _now_ms: Callable[[], int]

    def __post_init__(self) -> None:
        self._rooms = rooms("at this table", "talk_of_table", self._now_ms)

    async def say(self, request: talk_pb2.SayRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Say something, and return the line.

        Raises Refused: MALFORMED, UNKNOWN, NOT_YOUR_SEAT, RESTRICTED, BLOCKED, TOO_MANY_REQUESTS.
        """
        text = self._speech.text(request)
        state = (await self._session_cache.newest(checked(request.session_id))).state
        speaker = talk.speaker(state, request.seat_token, caller)
        self._speech.check(speaker.player_id)
        game = await self._speech.game(state.game, request.phrase)
        line = talk_pb2.TalkLine(text=text, phrase=request.phrase, player_id=speaker.player_id, at_ms=self._now_ms())
        line.name = caller.name if speaker.seat is None else state.seats[speaker.seat].name
        new = StoredTalkLine(line=line, request=once.field, digest=once.digest)
        listener = seat_in(request, "listener_seat")
        if listener is not None:
            if not game.private_talk:
                raise malformed("listener_seat", "there is no private talk in this game")
            if speaker.seat is None:
                raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "only players can speak to a single seat")
            new.to_player_id = talk.addressee(state, speaker.seat, listener)
            new.line.room = talk.PRIVATE
        else:
            new.line.room = talk.room_for(state, speaker, hidden=game.hidden)
        await self._leave_out_blocked(new, state.players)
        put_seat(new.line, "listener_seat", listener)
        put_seat(new.line, "speaker_seat", speaker.seat)
        new.line.id = secrets.token_hex(ID_BYTES)
        stored, is_new = await self._add(state.id, new)
        if is_new:
            metrics.TALK_LINES.labels(state.game, _room_of(stored.line)).inc()
            known = self._session_cache.known(state.id)  # seats may have changed hands meanwhile
            self._talk.say(state if known is None else known.state, stored, hidden=game.hidden)
        return talk_pb2.SayResponse(line=stored.line)

    async def _add(self, session_id: str, new: StoredTalkLine) -> tuple[StoredTalkLine, bool]:
        if new.line.room != talk.PRIVATE:
            # A repeat is answered whatever the rate, and does not count towards it.
            before = talk.repeated(await self._talk.lines(session_id), new.request, new.digest)
            if before is not None:
                return before, False
            self._rooms.take(f"{session_id} {new.line.room}", 1)
        return await self._talk.add(session_id, new)

    async def _leave_out_blocked(self, new: StoredTalkLine, seated: frozenset[str]) -> None:
        """Note who at the table does not hear a line because of a block. Raises Refused (BLOCKED) if nobody would be left."""
        addressed = {new.to_player_id} if new.to_player_id else seated - {new.line.player_id}
        blocked = await self._blocks.found(new.line.player_id, addressed)
        if addressed and blocked >= addressed and new.line.room != talk.WATCHERS:
            raise Refused(errors_pb2.REASON_BLOCKED, "there is nobody at this table who hears what the caller says")
        new.unheard_by.extend(sorted(blocked))


@dataclass(eq=False, repr=False)
class TalkReview:
    """Takes reports of what was said, and shows it to arbiters. Raises Refused."""

    _talk: Talk
    _viewings: Viewings
    _session_cache: SessionCache
    _rebuilds: Rebuilds
    _games: Games
    _reports: TalkReports
    _now_ms: Callable[[], int]

    async def report_talk(self, request: talk_pb2.ReportTalkRequest, caller: session_pb2.Caller) -> Message:
        """Keep a reported line for the operator. Returns an empty answer. Raises Refused: NO_TOKEN, UNKNOWN."""
        comment = talk_text(request.comment) if request.comment.strip() else ""
        state, reporter_id, heard = await (self._in_viewing if request.viewing_id else self._at_table)(request, caller)
        place = next((number for number, line in enumerate(heard) if line.id == request.line_id), None)
        if place is None:
            raise unknown("line", "line_id", request.line_id)
        line = heard[place]
        before = [one for one in heard[:place] if talk.share_bound(one, line)][-CONTEXT_LINES:]
        is_new = await self._reports.keep(
            Report(
                session_id=state.id,
                line_id=line.id,
                reporter_id=reporter_id,
                game=state.game,
                reported_at_ms=self._now_ms(),
                player_id=line.player_id,
                name=line.name,
                said=_words_of(line),
                said_at_ms=line.at_ms,
                room="viewing" if request.viewing_id else _room_of(line),
                comment=comment,
                before=tuple(f"{one.name}: {_words_of(one)}" for one in before),
            )
        )
        if is_new:
            metrics.TALK_REPORTS.labels(state.game).inc()
        return talk_pb2.ReportTalkResponse()

    async def get_table_talk(self, request: arbiters_pb2.GetTableTalkRequest, caller: session_pb2.Caller) -> Message:
        """Return all that is kept of what was said at a table whose game is over.

        Raises Refused: NO_TOKEN, ARBITER, STILL_RUNNING.
        """
        state, is_archived = await self._rebuilds.state(checked(request.session_id))
        arbitration.reviewer(state, caller)
        stored = () if is_archived else await self._talk.lines(state.id)
        return arbiters_pb2.GetTableTalkResponse(lines=[one.line for one in stored])

    async def _at_table(self, request: talk_pb2.ReportTalkRequest, caller: session_pb2.Caller) -> _Heard:
        state = (await self._session_cache.newest(checked(request.session_id))).state
        seat = access.viewer(state, request.seat_token)
        listener = talk.Listener(seat, access.player(caller) if seat is None else state.seats[seat].player_id)
        hidden = await self._games.hides(state.game)
        lines = talk.audible_lines(state, await self._talk.lines(state.id), listener, hidden=hidden)
        return state, listener.player_id, lines

    async def _in_viewing(self, request: talk_pb2.ReportTalkRequest, caller: session_pb2.Caller) -> _Heard:
        player = access.player(caller)
        state, _ = await self._rebuilds.state(checked(request.session_id))
        viewing = await self._viewings.find(state.id, request.viewing_id)
        return state, player, [one.line for one in await self._viewings.lines(viewing, player)]


def _words_of(line: talk_pb2.TalkLine) -> str:
    return line.text or f"({line.phrase})"


def _room_of(line: talk_pb2.TalkLine) -> str:
    return talk_pb2.TalkLine.Room.Name(line.room).removeprefix("ROOM_").lower()


async def _refuse(_request: object, _caller: session_pb2.Caller, _once: Request) -> Message:
    raise Refused(errors_pb2.REASON_TALK_OFF, "talk is turned off on this server")


OFF: Rows = {"say": _refuse, "report_talk": _refuse, "say_in_viewing": _refuse}
"""The answers of a server where nobody can talk."""
