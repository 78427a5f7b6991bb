"""Conditional moves that are set while an action of theirs comes, or the session is read anew: none is lost."""

import asyncio
from typing import Any

import pytest

from brettwerk.v1 import conditional_moves_pb2 as pb
from services.runtime.refusal import Refused
from services.session.domain.perception import EVERYBODY
from tests.services.runtime.link.ends import until
from tests.services.session.app.calls.test_prepared_calls import ANSWER, FIRST, begun, cached, line, plies
from tests.services.session.live.test_plateau import play
from tests.services.session.player import Player
from tests.services.session.table import Table


class Gate:
    """Lets a call wait, before it is made or before its result is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, of: object, name: str, *, after: bool = False) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()
        call = getattr(of, name)

        async def waiting(*arguments: Any) -> Any:
            result = await call(*arguments) if after else None
            self.reached.set()
            await self.opened.wait()
            return result if after else await call(*arguments)

        monkeypatch.setattr(of, name, waiting)


async def answer_to_the_last_action(table: Table) -> pb.ConditionalLine:
    """Return the line that answers the last action of the first turn."""
    good = await line(table, FIRST, ANSWER)
    return pb.ConditionalLine(moves=good.moves[len(FIRST) - 1 :])


async def before_the_last_action(table: Table) -> tuple[Player, Player, str]:
    """Return two people and their game, in which the first turn lacks its last action."""
    anna, ben, session = await begun(table)
    await play(anna, session, 0, *FIRST[:-1])
    return anna, ben, session


async def test_an_action_that_comes_while_they_are_set_is_answered_or_they_are_refused(table: Table) -> None:
    rest = await answer_to_the_last_action(table)
    outcomes = set()
    for pause in (*range(0, 48, 4), None):
        anna, ben, session = await before_the_last_action(table)
        act = await anna.act_request(session, 0, notation=FIRST[-1])
        version = (await ben.see(session, 1)).version
        setting = asyncio.create_task(ben.prepare(session, 1, rest, expected_version=version))
        if pause is None:
            await setting  # on a busy machine the action may have come first in all others
        for _ in range(pause or 0):
            await asyncio.sleep(0)
        await anna.ask(act=act)
        result: Any = (await asyncio.gather(setting, return_exceptions=True))[0]
        is_set = not isinstance(result, BaseException)
        assert is_set or isinstance(result, Refused)
        assert len(await plies(table, session)) == len(FIRST) + (len(ANSWER) if is_set else 0)
        outcomes.add(is_set)
    assert True in outcomes


async def test_they_answer_an_action_that_was_under_way_when_the_session_was_read_anew(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await answer_to_the_last_action(table)
    anna, ben, session = await before_the_last_action(table)
    owner = table.owner(session)
    asking = Gate(monkeypatch, owner.rules, "play")
    acting = asyncio.create_task(anna.act(session, 0, notation=FIRST[-1]))
    await asking.reached.wait()
    owner.session_cache.forget(session)
    await ben.prepare(session, 1, rest)
    asking.opened.set()
    await acting
    assert len(await plies(table, session)) == len(FIRST) + len(ANSWER)


async def test_they_are_not_lost_on_a_process_that_reads_the_session_anew_meanwhile(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await answer_to_the_last_action(table)
    anna, ben, session = await before_the_last_action(table)
    owner, before = table.owner(session), cached(table, session)
    lock = owner.session_cache._locks.of(session)
    keeping = Gate(monkeypatch, owner.store, "keep_conditional")
    setting = asyncio.create_task(ben.prepare(session, 1, rest))
    await keeping.reached.wait()
    read = Gate(monkeypatch, owner.store, "read", after=True)
    version = before.head.version
    reading = asyncio.create_task(owner.session_cache.updates(before, version, version, EVERYBODY))
    await until(lambda: read.reached.is_set() or bool(lock._waiters))
    keeping.opened.set()
    await until(lambda: setting.done() or (read.reached.is_set() and bool(lock._waiters)))
    read.opened.set()
    await asyncio.gather(reading, setting)
    await anna.act(session, 0, notation=FIRST[-1])
    assert len(await plies(table, session)) == len(FIRST) + len(ANSWER)
