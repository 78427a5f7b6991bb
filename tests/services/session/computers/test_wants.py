"""Wants of sessions are noted with the AI service, whatever becomes of either, and of what it has noted."""

import asyncio
import itertools
from typing import Any

import pytest

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime import trace
from services.runtime.refusal import Refused, unavailable
from services.session.app.background.sweeper import LEASE_MS
from services.session.computers import wants
from services.sharding.shards import shard_of
from tests.services.session.player import request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.watcher import watching


async def wanting(table: Table, count: int) -> set[tuple[str, int]]:
    """Begin games in which a computer is to move; return the seats."""
    anna, seats = table.player("Anna"), set()
    for _ in range(count):
        session = await anna.create("me", "easy")
        await anna.act(session.id, 0)
        seats.add((session.id, 1))
    await table.until_quiet()
    return seats


async def until_noted(table: Table, seats: set[tuple[str, int]]) -> None:
    await table.until_all_is_noted()
    assert set(table.ai.noted) == seats


async def test_wants_refused_for_a_while_are_noted_when_the_ai_service_is_back(table: Table) -> None:
    table.ai.refusal = unavailable("board")
    seats = await wanting(table, 3)
    assert not table.ai.noted
    table.ai.refusal = None
    await until_noted(table, seats)
    assert table.wiring.workforce.away_ms == 0


async def test_a_move_taken_back_while_the_ai_service_is_away_is_not_noted_later(table: Table) -> None:
    anna = table.player("Anna")
    table.ai.refusal = unavailable("board")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    await table.until_quiet()
    await anna.undo(session.id, 0, to_plies=0)
    table.ai.refusal = None
    await until_noted(table, set())


async def test_a_move_taken_back_while_it_is_being_noted_in_vain_is_not_noted_later(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    asked, goes_on = asyncio.Event(), asyncio.Event()

    async def fail(_call: object, _request: ai_pb2.WantMovesRequest) -> ai_pb2.WantMovesResponse:
        asked.set()
        await goes_on.wait()
        raise unavailable("AI service")

    with monkeypatch.context() as patched:
        patched.setattr(table.wiring.ai, "ask", fail)
        await anna.act(session.id, 0)
        await asked.wait()
        await anna.undo(session.id, 0, to_plies=0)
        goes_on.set()
        await table.until_quiet()
    await until_noted(table, set())
    assert not table.ai.moves


async def test_a_want_refused_for_good_is_not_tried_for_ever(table: Table) -> None:
    table.ai.refusal = Refused(errors_pb2.REASON_MALFORMED, "no")
    seats = await wanting(table, 1)
    assert table.wiring.want_reporter._task is None
    table.ai.refusal = None
    await table.pass_s(4)
    await until_noted(table, seats)


async def test_another_epoch_has_all_noted_again_at_once(table: Table) -> None:
    seats = await wanting(table, 4)
    await table.answer_for(table.ai.noted.popitem()[1])
    await table.until_quiet()
    table.ai.noted.clear()  # the board came back empty
    table.ai.demand.epoch = "second"
    more = await wanting(table, 1)
    await until_noted(table, {seat for seat in seats if table.wiring.want_reporter.known(seat[0])} | more)
    assert len(table.ai.noted) == 4


async def test_wants_go_in_batches_within_the_contract(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wants, "BATCH", 2)
    seats = await wanting(table, 5)
    table.ai.noted.clear()
    table.ai.requests.clear()
    table.ai.demand.epoch = "second"
    table.wiring.want_reporter.hear(table.ai.demand)
    await until_noted(table, seats)
    assert [len(request.wants) for request in table.ai.requests] == [2, 2, 1]


async def test_commits_of_a_tick_are_reported_in_one_call(table: Table) -> None:
    session = await table.player("Anna").create("easy", "easy")
    await table.until_quiet()
    table.ai.requests.clear()
    state = (await table.wiring.session_cache.newest(session.id)).state
    for number in range(40):
        wants = tuple(
            ai_pb2.Want(session_id=f"{number:024}", seat=seat, version=state.version, game="einstein") for seat in (0, 1)
        )
        table.wiring.want_reporter.note(f"{number:024}", 1, wants, wants)
    await table.until_quiet()
    assert [len(request.wants) for request in table.ai.requests] == [80]


async def test_a_want_is_part_of_the_trace_of_the_action_that_led_to_it(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    traces = []
    for pick in range(3):
        traces.append(trace.begin(f"00-{pick:031x}1-00000000000000aa-01"))
        await anna.act(session.id, 0, pick=pick)
        await table.until_quiet()
        trace.begin()
        await table.computer_moves()
    assert table.ai.traces == traces


async def test_only_so_much_is_remembered_and_not_for_ever(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wants, "KNOWN", 3)
    table.ai.refusal = unavailable("board")
    seats = await wanting(table, 5)
    assert len(table.wiring.want_reporter._known) == 3
    table.ai.refusal = None
    await until_noted(table, {seat for seat in seats if table.wiring.want_reporter.known(seat[0])})
    monkeypatch.undo()
    await table.pass_s(70)  # what was forgotten is due
    await until_noted(table, seats)
    table.clock.pass_s(wants.KNOWN_MS / 1000)
    table.wiring.want_reporter.forget_old()
    assert table.wiring.want_reporter.is_idle


async def test_a_restart_forgets_no_computer(table: Table) -> None:
    seats = await wanting(table, 1)
    table.ai.noted.clear()
    await table.restart()
    await table.pass_s(4)
    await until_noted(table, seats)
    await table.computer_moves()


async def test_an_overdue_move_is_noted_again_less_and_less_often_and_nobody_moves_instead(table: Table) -> None:
    await wanting(table, 1)
    times = []
    for _ in range(300):
        before = len(table.ai.moves)
        await table.pass_s(1)
        await table.until_quiet()
        times += [table.clock.now_ms] * (len(table.ai.moves) - before)
    gaps = [later - sooner for sooner, later in itertools.pairwise(times)]
    assert all(later >= sooner - 1_000 for sooner, later in itertools.pairwise(gaps))
    assert 59_000 <= gaps[-1] <= 61_000
    assert len(times) < 12
    assert len({(want.version, want.ticket) for want in table.ai.moves}) == 1
    await table.computer_moves()


async def until_due_s(table: Table, session: str) -> float:
    """Return in how many seconds a session is due."""
    found = await table.wiring.store._client.zscore(f"bw:{{s{shard_of(session):02x}}}:due", session)
    assert found is not None
    return (float(found) - table.clock.now_ms) / 1000


@pytest.mark.parametrize("obstacle", ["away", "refused", "no room"])
async def test_a_session_stays_due_until_its_wants_stand_on_the_board(table: Table, obstacle: str) -> None:
    """In the meantime only this process's memory has them, and it may die."""
    ((session, _),) = await wanting(table, 1)
    if obstacle == "no room":
        table.ai.has_room = False
    else:
        table.ai.refusal = unavailable("board") if obstacle == "away" else Refused(errors_pb2.REASON_MALFORMED, "no")
    for _ in range(8):  # the session moves itself after 20 s without the AI service
        await table.pass_s(2)
        await table.until_quiet()
        assert await until_due_s(table, session) <= LEASE_MS / 1000
    table.ai.refusal, table.ai.has_room = None, True
    await table.until_all_is_noted()
    table.clock.pass_s(LEASE_MS / 1000)
    await table.sweep()
    await table.until_all_is_noted()
    await table.until_quiet()
    assert 15 < await until_due_s(table, session) <= 30


async def test_a_move_is_wanted_though_nobody_knows_whether_the_commit_before_it_was_stored(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = table.player("Anna")
    await anna.act((await anna.create("me", "me")).id, 0)  # from now on the store knows the script
    session = await anna.create("me", "easy")
    send = table.wiring.store._scripts.send

    def stored_in_silence(*arguments: Any, **named: Any) -> Any:
        """Let the store carry it out, and lose its answer."""
        lost: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        lost.set_exception(unavailable("store"))
        send(*arguments, **named)
        return lost

    with monkeypatch.context() as patched:
        patched.setattr(table.wiring.store._commits, "_send", stored_in_silence)
        with refused("UNAVAILABLE"):
            await anna.act(session.id, 0)
    await until_noted(table, {(session.id, 1)})


async def test_each_sweeper_sees_to_its_own_shards(table: Table) -> None:
    other = await table.another_process()
    session, _ = min(await wanting(table, 3))
    await table.hand_over(session, other)
    await table.until_quiet()
    before = len(table.ai.moves)
    table.clock.pass_s(4)
    await table.sweep()
    await table.until_quiet()
    assert len(table.ai.moves) == before + 3
    assert other.want_reporter.known(session) is not None


async def test_a_want_that_an_owner_could_not_report_is_reported_by_the_next_owner(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hangs, or dies, between the commit and the word with the AI service: nobody waits until the move is overdue."""
    other = await table.another_process()
    monkeypatch.setattr(table.wiring.want_reporter, "note", lambda *_, **__: None)
    ((session, seat),) = await wanting(table, 1)
    assert not table.ai.moves
    await table.hand_over(session, other)
    await table.sweep()
    await until_noted(table, {(session, seat)})
    assert other.overdue_moves.count() == 0
    await table.sweep()
    await table.until_quiet()
    assert len(table.ai.moves) == 1, "it is looked at once"
    table.clock.pass_s(4)
    await table.sweep()
    assert other.overdue_moves.count() == 1, "it is overdue when it would have been"


async def test_wants_of_a_players_games_carry_one_mark_and_those_of_an_address_another(table: Table) -> None:
    anna, ben, other = table.player("Anna"), table.player("Ben"), table.player("Cleo")
    for who, address in ((anna, "192.0.2.1"), (ben, "192.0.2.1"), (other, "")):
        who.caller.address = address
        for seats in (("easy", "me"), ("easy", "easy")):
            await who.create(*seats)
    await table.until_quiet()
    wants = table.ai.moves
    assert len(wants) == 6
    assert [want.player for want in wants[::2]] == [want.player for want in wants[1::2]]
    assert len({want.player for want in wants}) == 3
    assert len({want.address for want in wants[:4]}) == 1
    assert {len(want.player) for want in wants} == {16}
    assert wants[0].address
    assert {want.address for want in wants[4:]} == {b""}
    said = b"".join(want.SerializeToString() for want in wants)
    assert b"192.0.2" not in said
    assert b"p-anna" not in said


async def test_forks_and_rematches_have_the_mark_of_their_creator(table: Table) -> None:
    anna = table.player("Anna")
    anna.caller.address = "192.0.2.1"
    session = await anna.create("easy", "me")
    record = (await table.until_asked()).want
    anna.caller.address = "192.0.2.9"
    forking = play_pb2.ForkSessionRequest(
        session_id=session.id, at_version=3, seats=[wish("easy"), wish("me")], request_id=request_id()
    )
    fork = (await anna.ask(fork_session=forking)).session
    await table.computer_moves()
    await anna.resign(session.id, 1)
    again = play_pb2.RematchRequest(session_id=session.id, seat_token=anna.token(session.id, 1), request_id=request_id())
    rematch = (await anna.ask(rematch=again)).session
    marks = [(await table.wiring.session_cache.newest(one)).state.created_from for one in (session.id, fork.id, rematch.id)]
    assert marks[0] == record.address != marks[1]
    assert marks[1] == marks[2] != b""


async def test_a_want_waits_for_a_person_at_the_table_a_watcher_or_nobody(table: Table) -> None:
    anna = table.player("Anna")
    await wanting(table, 1)
    assert table.ai.moves[-1].waiting == ai_pb2.WAITING_PERSON
    await table.pass_s(4)
    await table.until_quiet()
    assert table.ai.moves[-1].waiting == ai_pb2.WAITING_WATCHER  # they are not connected
    session = await anna.create("easy", "easy")
    await table.until_quiet()
    assert table.ai.moves[-1].waiting == ai_pb2.WAITING_NOBODY
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session.id)
        await table.computer_moves()
        await table.until_quiet()
        assert table.ai.moves[-1].waiting == ai_pb2.WAITING_WATCHER
