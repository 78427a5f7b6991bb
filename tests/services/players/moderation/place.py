"""Moderation in a test: real databases, a clock that stands, and a session service that knows one table."""

from functools import partial
from typing import Any

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import moderation_pb2 as pb
from brettwerk.v1 import news_pb2, record_pb2, sessions_pb2
from services.archive.archive import Archive
from services.archive.talk_reports import TalkReports
from services.players.accounts import rows
from services.players.calls import Caller
from services.players.clubs.clubs import Clubs
from services.players.clubs.membership import Membership
from services.players.clubs.talk import ClubTalk
from services.players.moderation.__main__ import change
from services.players.moderation.moderation import Moderation
from services.players.moderation.reports import Reports
from services.players.moderation.upkeep import Upkeep
from services.players.news import feed
from services.players.store import open_store
from services.runtime.refusal import unknown
from services.runtime.word_list import WordFile
from tests.services.players.opponents.place import Clock, player

ADA, BOB, CLEO, DAN, EVE = (
    player(letter, name) for letter, name in zip("abcde", ("Ada", "Bob", "Cleo", "Dan", "Eve"), strict=True)
)
NOBODY = Caller("", "", "192.0.2.1")
TABLE = "s" * 22


class Tables:
    """The session service."""

    async def shown(self, session_id: str) -> sessions_pb2.Session:
        if session_id != TABLE:
            raise unknown("session", "session_id", session_id)
        seats = [
            sessions_pb2.Seat(occupant=record_pb2.Occupant(person=record_pb2.Person(player_id=one.player_id, name=one.name)))
            for one in (ADA, EVE)
        ]
        return sessions_pb2.Session(id=TABLE, game="einstein", version=7, title="Loud table", seats=seats)


class Place:
    """The calls of one process. The clock goes on by a millisecond with each call, so that there is an order."""

    def __init__(self, players_url: str, archive_url: str) -> None:
        self.clock, self.store, self.archive = Clock(), open_store(players_url), Archive.open(archive_url)
        self.words, self.talk = WordFile(""), TalkReports(self.archive)
        self.woken: dict[str, int] = {}
        tables: Any = Tables()
        self.reports = Reports(self.store, self.talk, tables, self.clock)
        self.moderation = Moderation(self.store, self.woken.update, self.words, self.clock)
        changes = self.archive.changes()
        self.upkeep = Upkeep(self.store, changes, self.reports, self.words, self.woken.update, self.clock)
        clubs, members = Clubs(self.store, self.words, self.clock), Membership(self.store, self.clock)
        said = ClubTalk(self.store, self.words, True, self.clock, "mailto:appeals@example.org")
        self._handlers = {
            **self.reports.handlers(),
            **self.moderation.handlers(),
            **clubs.handlers(),
            **members.handlers(),
            **said.handlers(),
        }
        self._requests = 0

    def close(self) -> None:
        self.store.close()
        self.archive.close()

    async def ask(self, name: str, caller: Caller, request: Any) -> Any:
        """Return the response to a call, by its field in a Call."""
        self.clock.wait(0.001)
        return (await self._handlers[name](request, caller)).response

    def request_id(self) -> str:
        self._requests += 1
        return f"request-{self._requests}"

    async def account(self, *callers: Caller) -> None:
        for caller in callers:
            await self.store.run(partial(rows.keep, caller=caller, now_ms=self.clock()))

    async def grant(self, caller: Caller, role: pb.ModerationRole.ValueType) -> str:
        await self.account(caller)
        return await self.store.run(lambda connection: change(connection, caller.player_id, role, self.clock()))

    async def file(self, caller: Caller, kind: pb.ReportKind.ValueType, **fields: Any) -> None:
        await self.ask("file_report", caller, pb.FileReportRequest(kind=kind, **fields))

    async def listed(self, caller: Caller, **fields: Any) -> list[pb.Report]:
        return list((await self.ask("list_reports", caller, pb.ListReportsRequest(**fields))).reports)

    async def decide(
        self, caller: Caller, report: pb.Report, act: pb.ModerationAct.ValueType, **fields: Any
    ) -> pb.DecideReportResponse:
        measure = pb.Measure(**{"act": act, "reason": "Insults", **fields})
        decided: pb.DecideReportResponse = await self.ask(
            "decide_report", caller, pb.DecideReportRequest(report_id=report.report_id, measure=measure)
        )
        return decided

    async def act(
        self, caller: Caller, whom: Caller, act: pb.ModerationAct.ValueType, request_id: str = "", **fields: Any
    ) -> pb.ModerationEntry:
        measure = pb.Measure(**{"act": act, "reason": "Insults", **fields})
        request = pb.ActOnPlayerRequest(player_id=whom.player_id, measure=measure, request_id=request_id or self.request_id())
        entry: pb.ModerationEntry = (await self.ask("act_on_player", caller, request)).entry
        return entry

    async def log(self, caller: Caller) -> list[tuple[str, str, str]]:
        """Return the log, newest first: the act, by whom, and on whom."""
        found = (await self.ask("list_acts", caller, pb.ListActsRequest())).entries
        return [
            (pb.ModerationAct.Name(one.act).removeprefix("MODERATION_ACT_").lower(), one.actor_name or one.actor_id, one.name)
            for one in found
        ]

    async def news(self, caller: Caller) -> list[str]:
        """Return the kinds of a player's news, oldest first."""
        page = await self.store.run(lambda connection: feed.page(connection, caller.player_id, 0, begins=True))
        return [news_pb2.News.Kind.Name(one.kind)[5:].lower() for one in page.news]

    async def rules(self, version: int = 0) -> players_pb2.GetTalkRulesResponse:
        return await self.moderation.talk_rules(players_pb2.GetTalkRulesRequest(version=version))
