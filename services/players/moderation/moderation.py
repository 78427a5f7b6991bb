"""Answers the calls of moderators and operators. Each asks for the role first: without one, every refusal is the same."""

import hashlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from sqlalchemy import Connection

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import moderation_pb2 as pb
from brettwerk.v1 import news_pb2
from services.archive.access import Access
from services.players.accounts import restrictions
from services.players.calls import Answered, Caller, Handler
from services.players.conduct.recent_report import RecentReport
from services.players.moderation import acts, conduct_lists, measures, report_rows, roles, talk_rules
from services.players.moderation.measures import Measure
from services.players.moderation.roles import MODERATOR, OPERATOR
from services.players.news import feed
from services.players.request_ids import derived_id
from services.runtime.refusal import malformed, unknown
from services.runtime.restriction import ACCOUNT, TALK
from services.runtime.wall_clock import wall_ms
from services.runtime.word_list import WordFile

PAGE = 20
"""Elements of a page whose size nobody asks for."""
T = TypeVar("T")
_ACTS = {TALK: pb.MODERATION_ACT_MUTE, ACCOUNT: pb.MODERATION_ACT_SUSPEND}


class Moderation:
    """The calls. Raises Refused."""

    def __init__(
        self,
        store: Access,
        wake: Callable[[dict[str, int]], None],
        words: WordFile,
        now_ms: Callable[[], int] = wall_ms,
    ) -> None:
        """`wake`: called with the versions of players' newest news; `words`: those that this process checks."""
        self._store = store
        self._wake = wake
        self._words = words
        self._now_ms = now_ms
        self._conduct = RecentReport(store, now_ms)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "get_moderation": self.get,
            "list_reports": self.reports,
            "decide_report": self.decide,
            "act_on_player": self.act,
            "list_restrictions": self.restrictions,
            "list_acts": self.acts,
            "list_conduct": self.conduct,
            "list_words": self.words,
            "change_words": self.change_words,
        }

    async def _run(
        self,
        caller: Caller,
        least: pb.ModerationRole.ValueType,
        work: Callable[[Connection, pb.ModerationRole.ValueType, int], T],
    ) -> T:
        """Return what `work` returns, called with the caller's role and the time. Raises Refused (UNKNOWN) without the role."""
        now_ms = self._now_ms()
        return await self._store.run(
            lambda connection: work(connection, roles.require(connection, caller, least, now_ms), now_ms)
        )

    async def get(self, _request: pb.GetModerationRequest, caller: Caller) -> Answered:
        """Return what waits."""

        def read(connection: Connection, role: pb.ModerationRole.ValueType, now_ms: int) -> pb.GetModerationResponse:
            return pb.GetModerationResponse(
                role=role,
                open_reports=report_rows.count_open(connection),
                muted=restrictions.count(connection, TALK, now_ms),
                suspended=restrictions.count(connection, ACCOUNT, now_ms),
            )

        return Answered(await self._run(caller, MODERATOR, read))

    async def reports(self, request: pb.ListReportsRequest, caller: Caller) -> Answered:
        """Return a page of reports. Raises Refused (UNKNOWN, MALFORMED for a page token that no page had)."""
        size = request.page_size or PAGE

        def read(connection: Connection, _role: pb.ModerationRole.ValueType, _now_ms: int) -> pb.ListReportsResponse:
            at, report_id = _token(request.page_token, 2)
            after = (int(at), report_id) if request.page_token else None
            found = report_rows.listed(
                connection, decided=request.decided, player_id=request.player_id, after=after, limit=size + 1
            )
            shown = found[:size]
            last = shown[-1] if len(found) > size else None
            more = "" if last is None else f"{last.decided_at_ms if request.decided else last.reported_at_ms} {last.report_id}"
            return pb.ListReportsResponse(reports=report_rows.described(connection, shown), next_page_token=more)

        return Answered(await self._run(caller, MODERATOR, read))

    async def decide(self, request: pb.DecideReportRequest, caller: Caller) -> Answered:
        """Decide a report, with all open ones of the same thing; return it with the decision that counts.

        Raises Refused: UNKNOWN, MALFORMED, NAME_RESERVED, FULL.
        """

        def write(
            connection: Connection, _role: pb.ModerationRole.ValueType, now_ms: int
        ) -> tuple[pb.DecideReportResponse, dict[str, int]]:
            measure = Measure.of(request.measure, now_ms)
            # Taken before anything is done: of two who decide at once, the second one waits here, and finds it decided.
            is_open = report_rows.decide(connection, request.report_id, -1, now_ms)
            row = report_rows.find(connection, request.report_id)
            if row is None:
                raise unknown("report", "report_id", request.report_id)
            heads: dict[str, int] = {}
            if is_open:
                act_id = hashlib.sha256(f"decision\0{row.report_id}".encode()).hexdigest()[:32]
                player = caller.player_id, row.player_id
                number, notes = measures.take(connection, *player, measure, now_ms, act_id, report_id=row.report_id)
                report_rows.note_decision(connection, row.report_id, number)
                others = report_rows.decide_others(connection, row.matter, number, now_ms)
                reporters = dict.fromkeys([row.reporter_id, *(one.reporter_id for one in others)])
                notes += [_seen(reporter, number, now_ms) for reporter in reporters]
                heads = feed.note(connection, notes)
                row = report_rows.find(connection, request.report_id)
                assert row is not None
            report = report_rows.described(connection, [row])[0]
            mine = report.decision.actor_id == caller.player_id and report.decision.act == measure.act
            return pb.DecideReportResponse(report=report, decided=is_open or mine), heads

        response, heads = await self._run(caller, MODERATOR, write)
        self._wake_all(heads)
        return Answered(response)

    async def act(self, request: pb.ActOnPlayerRequest, caller: Caller) -> Answered:
        """Do something to a player; return how it was logged. A repeat does nothing more.

        Raises Refused: UNKNOWN, MALFORMED, NAME_RESERVED, FULL.
        """

        def write(
            connection: Connection, _role: pb.ModerationRole.ValueType, now_ms: int
        ) -> tuple[pb.ModerationEntry, dict[str, int]]:
            act_id = derived_id("act", caller.player_id, request.request_id)
            if (there := acts.find(connection, act_id)) is not None:
                return acts.described(connection, [there])[0], {}
            measure = Measure.of(request.measure, now_ms)
            number, notes = measures.take(connection, caller.player_id, request.player_id, measure, now_ms, act_id)
            return acts.numbered(connection, {number})[number], feed.note(connection, notes)

        entry, heads = await self._run(caller, MODERATOR, write)
        self._wake_all(heads)
        return Answered(pb.ActOnPlayerResponse(entry=entry))

    async def restrictions(self, request: pb.ListRestrictionsRequest, caller: Caller) -> Answered:
        """Return a page of the players who may not do something at present."""
        size = request.page_size or PAGE

        def read(connection: Connection, _role: pb.ModerationRole.ValueType, now_ms: int) -> pb.ListRestrictionsResponse:
            at, player_id, what = _token(request.page_token, 3)
            before = (int(at), player_id, what) if request.page_token else None
            found = restrictions.listed(connection, before, size + 1, now_ms)
            shown = found[:size]
            names = acts.called(connection, {row.player_id for row in shown})
            listed = (
                pb.Restriction(
                    player_id=row.player_id,
                    name=names.get(row.player_id, ""),
                    act=_ACTS[row.what],
                    until_ms=row.until_ms,
                    reason=row.reason,
                    since_ms=row.since_ms,
                )
                for row in shown
            )
            more = f"{shown[-1].since_ms} {shown[-1].player_id} {shown[-1].what}" if len(found) > size else ""
            return pb.ListRestrictionsResponse(restrictions=listed, next_page_token=more)

        return Answered(await self._run(caller, MODERATOR, read))

    async def acts(self, request: pb.ListActsRequest, caller: Caller) -> Answered:
        """Return a page of the log."""
        size = request.page_size or PAGE

        def read(connection: Connection, _role: pb.ModerationRole.ValueType, _now_ms: int) -> pb.ListActsResponse:
            (before,) = _token(request.page_token, 1)
            found = acts.listed(connection, request.player_id, int(before), size + 1)
            more = str(found[size - 1].number) if len(found) > size else ""
            return pb.ListActsResponse(entries=found[:size], next_page_token=more)

        return Answered(await self._run(caller, MODERATOR, read))

    async def conduct(self, _request: pb.ListConductRequest, caller: Caller) -> Answered:
        """Return what may be rating abuse, and who pauses for leaving games. Raises Refused (UNKNOWN, UNAVAILABLE)."""
        await self._run(caller, MODERATOR, lambda _connection, _role, _now_ms: None)  # before anything is made for the caller
        found = await self._conduct.get()
        answer = await self._run(caller, MODERATOR, lambda one, _role, now_ms: conduct_lists.described(one, found, now_ms))
        return Answered(answer)

    async def words(self, _request: pb.ListWordsRequest, caller: Caller) -> Answered:
        """Return the words of the moderators."""
        found = await self._run(caller, OPERATOR, lambda connection, _role, _now_ms: talk_rules.words(connection))
        return Answered(pb.ListWordsResponse(words=found))

    async def change_words(self, request: pb.ChangeWordsRequest, caller: Caller) -> Answered:
        """Add words and remove others; return all. Raises Refused: UNKNOWN, MALFORMED, FULL."""

        def write(connection: Connection, _role: pb.ModerationRole.ValueType, now_ms: int) -> pb.ChangeWordsResponse:
            added = [one for word in request.add if talk_rules.add_word(connection, one := talk_rules.checked_word(word), now_ms)]
            removed = [word for word in request.remove if talk_rules.remove_word(connection, word)]
            for act, words in ((pb.MODERATION_ACT_ADD_WORD, added), (pb.MODERATION_ACT_REMOVE_WORD, removed)):
                for word in words:
                    acts.note(connection, act, caller.player_id, now_ms, subject=word)
            if added or removed:
                talk_rules.changed(connection)
            return pb.ChangeWordsResponse(words=talk_rules.words(connection))

        response = await self._run(caller, OPERATOR, write)
        self._words.extend(response.words)
        return Answered(response)

    async def talk_rules(self, request: players_pb2.GetTalkRulesRequest) -> players_pb2.GetTalkRulesResponse:
        """Return the rules of talk, as far as a session process does not know them."""
        now_ms = self._now_ms()
        return await self._store.run(lambda connection: talk_rules.whole(connection, request.version, now_ms))

    async def role(self, request: players_pb2.FindModerationRoleRequest) -> players_pb2.FindModerationRoleResponse:
        """Return a player's role, for a gateway that has recognised them."""
        now_ms = self._now_ms()
        role = await self._store.run(lambda connection: roles.role_of(connection, request.player_id, now_ms))
        return players_pb2.FindModerationRoleResponse(role=role)

    def _wake_all(self, heads: dict[str, int]) -> None:
        if heads:
            self._wake(heads)


def _seen(reporter_id: str, number: int, now_ms: int) -> players_pb2.NotedNews:
    """Return the news for a player that their report was looked at; it does not say what was decided."""
    shown = news_pb2.News(kind=news_pb2.News.KIND_REPORT_SEEN, at_ms=now_ms)
    return players_pb2.NotedNews(player_id=reporter_id, session_version=number, news=shown)


def _token(text: str, parts: int) -> list[str]:
    """Return the parts of a page token, of which the first is a number; zero and nothing for none. Raises Refused (MALFORMED)."""
    if not text:
        return ["0", *[""] * (parts - 1)]
    found = text.split(" ")
    if len(found) != parts or not (found[0].isascii() and found[0].isdigit() and len(found[0]) < 19):
        raise malformed("page_token", "this is not a page token")
    return found
