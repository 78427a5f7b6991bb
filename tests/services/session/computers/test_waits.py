"""Followers of a session are told how its computers' moves stand, and how soon a move is made depends on who waits for it."""

from collections.abc import AsyncIterator

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import play_pb2, wec_pb2
from services.runtime.refusal import unavailable
from services.session.computers import waits
from services.session.computers.waits import computer_wait
from tests.services.session.table import Table
from tests.services.session.watcher import Watcher, watching

WAITING, THINKING = ai_pb2.WantStatus.STATE_WAITING, ai_pb2.WantStatus.STATE_THINKING


@pytest.fixture
async def watcher(table: Table) -> AsyncIterator[Watcher]:
    async with watching(table.wiring) as made:
        yield made


async def ask(table: Table, seconds: float = 1) -> None:
    """Let time go by, and ask once how moves stand: those that are wanted by now are noted before."""
    await table.until_quiet()
    table.clock.pass_s(seconds)
    for session_id in await table.wiring.waits.ask():
        table.wiring.tails.tell_waits(session_id)


def stand(table: Table, state: ai_pb2.WantStatus.State.ValueType, before: int = 0, wait_ms: int = 0) -> None:
    table.ai.status = ai_pb2.WantStatus(state=state, before=before, wait_ms=wait_ms)


def received(wait: play_pb2.ComputerWait) -> tuple[int, bool, int, int, bool]:
    return wait.seat, wait.thinks, wait.before, wait.wait_ms, wait.no_computer


async def test_followers_are_told_of_waiting_and_of_thinking_until_the_next_update(table: Table, watcher: Watcher) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await watcher.follow(1, session, anna.token(session, 0))
    await watcher.follow(2, session)
    await anna.act(session, 0)
    await table.until_quiet()
    await ask(table, 0.5)
    assert not table.ai.statuses or not table.ai.statuses[-1].moves  # most computers have moved by then
    stand(table, WAITING, 14, 19_500)
    await ask(table)
    for number in (1, 2):
        await watcher.until_waits(number, [(1, False, 14, 20_000, False)])
    stand(table, THINKING)
    await ask(table)
    await watcher.until_waits(2, [(1, True, 0, 0, False)])
    await table.computer_moves()
    version = (await anna.see(session)).version
    await watcher.until(2, version)
    assert table.wiring.waits.shown(session) == ()
    await ask(table)
    await table.wiring.tails.beat()
    await watcher.until_waits(2, [])


async def test_a_later_watcher_is_told_by_the_first_heartbeat(table: Table, watcher: Watcher) -> None:
    anna = table.player("Anna")
    session = (await anna.create("easy", "me")).id
    await watcher.follow(1, session)
    await watcher.until_live(session)
    stand(table, WAITING, 3, 4_000)
    await ask(table)
    await watcher.until_waits(1, [(0, False, 3, 4_000, False)])
    await watcher.follow(2, session)
    await watcher.until_waits(2, [(0, False, 3, 4_000, False)])


@pytest.mark.parametrize("is_rated", [True, False], ids=["competitive", "casual"])
async def test_where_computers_can_act_unperceived_only_that_one_thinks_is_shown(
    table: Table, watcher: Watcher, is_rated: bool
) -> None:
    """WEC-RUL-53: the queue would tell how many actions a Turn has. Casual tables can have the game's own option for that."""
    closed = AnyMessage()
    closed.Pack(wec_pb2.WecOptions(competitive=True))
    anna = table.player("Anna")
    session = (await anna.create("easy", "me", game="wec", competitive=is_rated, options=closed)).id
    await watcher.follow(1, session)
    await watcher.until_live(session)
    stand(table, WAITING, 3, 4_000)
    await ask(table)
    await watcher.until_waits(1, [(0, True, 0, 0, False)])


async def test_numbers_change_at_most_every_two_seconds_and_kinds_at_once(table: Table, watcher: Watcher) -> None:
    session = (await table.player("Anna").create("easy", "easy")).id
    await watcher.follow(1, session)
    await table.until_quiet()
    changed = []
    for second in range(20):
        stand(table, WAITING, 20 - second, 20_000 - 1_000 * second)
        table.clock.pass_s(1)
        changed.append(bool(await table.wiring.waits.ask()))
    assert changed[0]
    assert sum(changed) <= 11
    stand(table, THINKING)
    table.clock.pass_s(1)
    assert await table.wiring.waits.ask() == [session]


async def test_with_no_worker_or_no_ai_service_it_is_told_that_there_is_no_computer(table: Table, watcher: Watcher) -> None:
    session = (await table.player("Anna").create("easy", "easy")).id
    await table.until_quiet()
    await watcher.follow(1, session)
    table.ai.demand.workers = 0
    await ask(table)
    await ask(table, 4)
    await watcher.until_waits(1, [(0, False, 0, 0, True)])
    table.ai.demand.workers = 1
    await ask(table)
    await watcher.until_waits(1, [(0, False, 0, 0, False)])
    table.ai.refusal = unavailable("board")
    for _ in range(3):
        await ask(table, 4)
    await watcher.until_waits(1, [(0, False, 0, 0, True)])
    asked = len(table.ai.statuses)
    table.ai.refusal = None
    await ask(table, 30)
    assert len(table.ai.statuses) == asked + 1
    await watcher.until_waits(1, [(0, False, 0, 0, False)])


async def test_only_followed_moves_of_computers_are_asked_about(table: Table, watcher: Watcher) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    followed = (await anna.create("me", "easy")).id
    persons = (await anna.create("me", "open")).id
    await ben.join(persons)
    await anna.create("easy", "easy")
    await watcher.follow(1, followed)
    await watcher.follow(2, persons)
    for _ in range(3):
        await ask(table)
    assert not [move for request in table.ai.statuses for move in request.moves]
    await anna.act(followed, 0)
    await ask(table)
    await ask(table)
    assert {(move.session_id, move.seat) for request in table.ai.statuses for move in request.moves} == {(followed, 1)}
    await watcher.unfollow(1)
    await watcher.until_gone(followed)
    table.ai.statuses.clear()
    await ask(table)
    assert not [move for request in table.ai.statuses for move in request.moves]


async def test_a_game_among_computers_is_wanted_more_when_somebody_comes_to_watch(table: Table, watcher: Watcher) -> None:
    session = (await table.player("Anna").create("easy", "easy")).id
    await table.until_quiet()
    assert table.ai.noted[session, 0].waiting == ai_pb2.WAITING_NOBODY
    await watcher.follow(1, session)
    await ask(table)
    await table.until_quiet()
    assert table.ai.noted[session, 0].waiting == ai_pb2.WAITING_WATCHER
    before = len(table.ai.moves)
    await ask(table)
    await table.until_quiet()
    assert len(table.ai.moves) == before
    await ask(table, waits.AGAIN_MS / 1000)  # a process that does not know of the watcher may have said otherwise
    await table.until_quiet()
    assert len(table.ai.moves) == before + 1


async def test_a_person_who_comes_back_is_waited_for_no_longer_like_a_watcher(table: Table, watcher: Watcher) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await anna.act(session, 0)
    await table.pass_s(4)
    await table.until_quiet()
    assert table.ai.noted[session, 1].waiting == ai_pb2.WAITING_WATCHER
    await watcher.follow(1, session, anna.token(session, 0))
    await watcher.until_present(1, 0)
    await ask(table)
    await table.until_quiet()
    assert table.ai.noted[session, 1].waiting == ai_pb2.WAITING_PERSON
    await table.pass_s(60)
    await table.until_quiet()
    assert table.ai.noted[session, 1].waiting == ai_pb2.WAITING_PERSON


async def test_a_lost_board_is_noticed_though_nothing_new_is_wanted(table: Table) -> None:
    session = (await table.player("Anna").create("easy", "easy")).id
    await table.until_quiet()
    await ask(table)
    table.ai.noted.clear()
    table.ai.demand.epoch = "second"
    await ask(table)
    await table.until_quiet()
    assert list(table.ai.noted) == [(session, 0)]


@given(number=st.integers(0, 10**7))
def test_shown_waits_are_near_the_true_ones(number: int) -> None:
    status = ai_pb2.WantStatus(state=WAITING, before=number, wait_ms=number)
    shown = computer_wait(2, status, is_away=False)
    assert 0 <= shown.wait_ms - number < max(2_000, number / 2)
    assert 0 <= shown.before - number < max(1, number / 2)
    assert received(computer_wait(2, status, is_away=True)) == (2, False, 0, 0, True)
