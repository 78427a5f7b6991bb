"""Counts archived sessions of this process's shards for statistics, in the background: each once, a few at a time.

It counts what everybody may see of a finished session, and what its game notes about its record (rules: SurveyRecord).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, sessions_pb2
from brettwerk_games.statistics.result import PERSON, Mark, Result
from brettwerk_games.statistics.tally import by_scope
from services.archive.session_totals import Counted, Counting, Uncounted
from services.runtime.logs import logger
from services.runtime.places import placed
from services.runtime.refusal import Refused

EVERY_S = 2.0
"""How often to check for something to count."""
AT_ONCE = 5
"""How many sessions are read at once; a record can have megabytes."""
PAUSE_S = 30.0
"""How long it waits if the archive or the rules could not be reached."""
_LATER = frozenset({errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_FULL})
"""Errors that may pass: the session is counted later."""

log = logger(__name__)


@dataclass(eq=False, repr=False)
class StatisticsFeed:
    """Counts."""

    _counting: Counting
    _survey: Callable[[bytes], Awaitable[rules_pb2.SurveyRecordResponse]]
    """Asks the rules what a game notes about an encoded record. Raises Refused."""
    _shards: Callable[[], Sequence[int]]
    """Tells which shards are this process's."""

    async def run(self, every_s: float = EVERY_S) -> None:
        """Keep counting, until cancelled."""
        changes, looked_at = self._counting.changes(), tuple[int, ...]()
        while True:
            shards = tuple(self._shards())
            may_be_some, looked_at = changes.may_have_come() or shards != looked_at, shards
            try:
                while may_be_some and await self.count_some() == AT_ONCE:
                    pass
            except Refused as refused:
                log.warning("sessions could not be counted", cause=refused.refusal.message)
                await asyncio.sleep(PAUSE_S)
            await asyncio.sleep(every_s)

    async def count_some(self) -> int:
        """Count at most AT_ONCE sessions and return how many. Raises Refused if it should be retried later."""
        found = await self._counting.uncounted([f"{shard:02x}" for shard in self._shards()], AT_ONCE)
        counted: list[Counted] = []
        later: Refused | None = None
        for one in found:
            try:
                counted.append(await self._counted(one))
            except Refused as refused:
                later = refused
                break
        if counted:
            await self._counting.count(counted)
        if later is not None:
            raise later
        return len(found)

    async def _counted(self, one: Uncounted) -> Counted:
        """Return a session with what it counts. Raises Refused if it should be retried later."""
        session = sessions_pb2.Session()
        try:
            session.ParseFromString(one.session)
        except DecodeError:
            log.error("an archived session cannot be read", session=one.session_id)
            session.Clear()
        survey = rules_pb2.SurveyRecordResponse()
        if session.HasField("outcome"):
            try:
                survey = await self._survey(one.record)
            except Refused as refused:
                if refused.reason in _LATER:
                    raise
                # It still counts, without what its game would note.
                log.warning("an archived session cannot be surveyed", session=one.session_id, cause=refused.refusal.message)
        result = result_of(session, survey)
        scopes = by_scope(result, one.players, public=one.public) if result is not None else {}
        return Counted(one.session_id, one.game, len(session.seats), scopes)


def result_of(session: sessions_pb2.Session, survey: rules_pb2.SurveyRecordResponse) -> Result | None:
    """Return what is counted of a session; None for one that was closed before its end."""
    if not session.HasField("outcome"):
        return None
    computers = [seat.occupant.WhichOneof("kind") == "computer" for seat in session.seats]
    return Result(
        seats=tuple(
            seat.occupant.computer.level if is_computer else PERSON
            for seat, is_computer in zip(session.seats, computers, strict=True)
        ),
        winners=tuple(placed(session.outcome).winners),
        rule=session.outcome.rule,
        actions=session.plies,
        rounds=survey.rounds,
        marks=tuple(Mark(mark.kind, mark.key, mark.seat) for mark in survey.marks),
    )
