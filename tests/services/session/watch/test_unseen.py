"""Unseen actions of a Turn make no message and have no number for those who do not see them; after the game, all is shown."""

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.session.domain.clocks import Chore, Timeouts, next_due
from services.session.domain.perception import number_of
from services.session.domain.state import State
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.settling import wec_options
from tests.services.session.table import Table
from tests.services.session.watcher import Watcher, watching

BEN, SPECTATOR = 1, 9
"""Watches: of a seat, and of nobody's."""


async def secret_game(table: Table, *, has_clock: bool = True, competitive: bool = True) -> tuple[Player, Player, str]:
    """Return two people at a game whose history is closed, mostly with clocks and competitive, in which Anna is to begin."""
    anna, ben = table.player("Anna"), table.player("Ben")
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=1_000)
    options = wec_options(competitive=True)
    fields = {"clock": clock} if has_clock else {}
    session = (await anna.create("me", "open", game="wec", options=options, competitive=competitive, **fields)).id
    await ben.join(session)
    return anna, ben, session


async def act(who: Player, session: str, seat: int, begins: str) -> play_pb2.ActResponse:
    """Play the first action whose notation begins so."""
    update = await who.see(session, seat)
    choice = next(each for each in update.actions if each.notation.startswith(begins))
    return await who.act(session, seat, action=choice.action)


async def state_of(table: Table, session: str) -> State:
    return (await table.wiring.session_cache.newest(session)).state


async def hidden_turn(table: Table, anna: Player, session: str) -> int:
    """Let Anna move what nobody else sees; return how many versions that made."""
    before = (await state_of(table, session)).version
    await act(anna, session, 0, "MV:AAA")
    state = await state_of(table, session)
    assert state.unperceived[-1].version == state.version
    return state.version - before


async def updates(who: Player, session: str, seat: int | None, size: int) -> list[sessions_pb2.Update]:
    """Return all updates that are listed, in pages of a size."""
    found: list[sessions_pb2.Update] = []
    token = ""
    while not found or token:
        page = await who.ask(
            list_updates=play_pb2.ListUpdatesRequest(
                session_id=session,
                seat_token="" if seat is None else who.token(session, seat),
                page_size=size,
                page_token=token,
            )
        )
        found.extend(page.updates)
        token = page.next_page_token
    return found


async def export(who: Player, session: str, seat: int) -> record_pb2.Record:
    """Export a running game from a seat, which puts it into everybody's list."""
    request = play_pb2.ExportSessionRequest(session_id=session, seat_token=who.token(session, seat))
    record: record_pb2.Record = (await who.ask(export_session=request)).record
    return record


def received(watcher: Watcher, number: int) -> list[sessions_pb2.Update]:
    return [response.update for response in watcher.responses(number) if response.HasField("update")]


async def test_a_table_that_stands_still_ends_at_a_time_that_tells_nothing_of_what_was_done_unseen(table: Table) -> None:
    anna, ben, session = await secret_game(table, has_clock=False)
    for turn in range(2):
        if turn:
            await act(anna, session, 0, "END")
            await act(ben, session, 1, "MV:FP")
            await act(ben, session, 1, "END")
        timeouts = Timeouts({}, 1_000, 500_000_000)
        ends = next_due(await state_of(table, session), timeouts)
        assert ends.chore == Chore.ABANDON
        assert ends.at_ms == table.clock.now_ms + (timeouts.abandon_ms if turn else timeouts.unmoved_ms)
        table.clock.pass_s(3_600)
        await hidden_turn(table, anna, session)
        assert next_due(await state_of(table, session), timeouts) == ends
    await act(anna, session, 0, "END")
    assert next_due(await state_of(table, session), timeouts).at_ms == table.clock.now_ms + timeouts.abandon_ms
    await check_rebuilt(table, session)


async def test_an_unseen_action_tells_the_others_nothing_until_the_turn_ends(table: Table) -> None:
    anna, ben, session = await secret_game(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(BEN, session, ben.token(session, 1))
        await watcher.follow(SPECTATOR, session)
        await watcher.until_live(session)
        seen, messages = await ben.see(session, 1), {number: list(watcher.messages[number]) for number in (BEN, SPECTATOR)}
        await hidden_turn(table, anna, session)
        assert await ben.see(session, 1) == seen
        lobby = await ben.see(session)
        assert lobby.version == seen.version and lobby.session.plies == seen.session.plies
        with refused("NOT_YOUR_TURN"):
            await ben.act(session, 1, notation="END")
        assert {number: watcher.messages[number] for number in messages} == messages
        table.clock.pass_s(7)
        ended = await act(anna, session, 0, "END")
        await watcher.until(BEN, seen.version + 1)
        await watcher.until(SPECTATOR, seen.version + 1)
        for number in (BEN, SPECTATOR):
            last = received(watcher, number)[-1]
            assert (last.version, last.happening.ply, last.session.plies) == (seen.version + 1, 1, 1)
            assert last.happening.notation == "END"
            assert last.position_version == last.session.version == last.version
        assert ended.version == seen.version + 2, "whoever acted has seen both"


async def test_a_watch_that_comes_back_at_any_version_gets_what_one_that_stayed_got(table: Table) -> None:
    anna, ben, session = await secret_game(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(BEN, session, ben.token(session, 1))
        await hidden_turn(table, anna, session)
        await act(anna, session, 0, "END")
        await act(ben, session, 1, "MV:AAA")
        await act(ben, session, 1, "END")
        await hidden_turn(table, anna, session)
        await act(anna, session, 0, "END")
        head = (await ben.see(session, 1)).version
        await watcher.until(BEN, head)
        stayed = await updates(ben, session, 1, 200)
        assert [update.version for update in stayed] == list(range(1, head + 1))
        assert await updates(ben, session, 1, 2) == stayed, "pages join without holes"
        for after in range(1, head):
            for number, at_ms in ((100 + after, 0), (200 + after, stayed[after - 1].at_ms)):
                await watcher.follow(number, session, ben.token(session, 1), after, at_ms)
                await watcher.until(number, head)
                assert received(watcher, number) == stayed[after:]
        await watcher.follow(300, session, ben.token(session, 1), head + 1)
        assert watcher.responses(300)[-1].resync.cause == play_pb2.Resync.CAUSE_AHEAD
    await check_rebuilt(table, session)


async def test_actions_name_the_versions_of_those_who_act(table: Table) -> None:
    anna, ben, session = await secret_game(table)
    await hidden_turn(table, anna, session)
    await act(anna, session, 0, "END")
    seen = await ben.see(session, 1)
    assert seen.version < (await anna.see(session, 0)).version
    with refused("STALE_VERSION") as stale:
        await ben.act(session, 1, expected_version=seen.version - 1)
    assert stale.value.refusal.head_version == seen.version
    with refused("STALE_VERSION"):
        await ben.act(session, 1, expected_version=seen.version + 1)
    choice = next(each for each in seen.actions if each.notation.startswith("MV:"))
    once = request_id()
    first = await ben.act(session, 1, action=choice.action, request_id=once, expected_version=seen.version)
    assert first.version == seen.version + 1
    again = play_pb2.ActRequest(
        session_id=session,
        seat_token=ben.token(session, 1),
        expected_version=seen.version,
        request_id=once,
        action=choice.action,
    )
    assert await ben.ask(act=again) == first


async def test_once_the_game_is_over_everything_counts_for_everybody(table: Table) -> None:
    anna, ben, session = await secret_game(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(BEN, session, ben.token(session, 1))
        await hidden_turn(table, anna, session)
        await act(anna, session, 0, "END")
        before = await ben.see(session, 1)
        resigning = play_pb2.ResignRequest(session_id=session, seat_token=ben.token(session, 1), request_id=request_id())
        ended = await ben.ask(resign=resigning)
        state = await state_of(table, session)
        assert ended.version == state.version == before.version + 2
        await watcher.until(BEN, state.version)
        last = watcher.responses(BEN)[-1].resync
        assert last.cause == play_pb2.Resync.CAUSE_OPENED
        assert last.update == await ben.see(session, 1)
        listed = await updates(ben, session, 1, 3)
        assert [update.version for update in listed] == list(range(1, state.version + 1))
        assert [update.happening.ply for update in listed if update.happening.ply] == list(range(1, state.ply_count + 1))
        assert any(update.happening.notation.startswith("MV:AAA") for update in listed)
        assert await updates(ben, session, None, 100) != []
        for after in range(1, state.version - 1):
            await watcher.follow(100 + after, session, ben.token(session, 1), after)
            assert watcher.responses(100 + after)[-1].resync.update == last.update, "what was cut is not sent again"
    assert number_of(state, 1, state.version) == state.version
    await check_rebuilt(table, session)


async def test_a_save_tells_by_its_size_and_its_name_nothing_of_what_was_done_unseen(table: Table) -> None:
    anna, ben, session = await secret_game(table)
    before = await export(ben, session, 1)
    await hidden_turn(table, anna, session)
    after = await export(ben, session, 1)
    assert len(before.sealed) == len(after.sealed)
    assert before.sealed != after.sealed
    (saved,) = (await ben.ask(list_saves=play_pb2.ListSavesRequest())).saves
    assert saved.id.endswith(f".{(await ben.see(session)).version}"), (
        "there is one save, whether something was done unseen or not"
    )


async def test_a_game_that_goes_on_from_a_save_counts_what_was_perceived_before(table: Table) -> None:
    anna, ben, session = await secret_game(table)
    await hidden_turn(table, anna, session)
    await act(anna, session, 0, "END")
    record = await export(ben, session, 1)
    for who, seat in ((anna, 0), (ben, 1)):
        leaving = play_pb2.LeaveSessionRequest(session_id=session, seat_token=who.token(session, seat), request_id=request_id())
        await who.ask(leave_session=leaving)
    opened = await ben.ask(import_session=play_pb2.ImportSessionRequest(record=record, request_id=request_id()))
    await anna.join(opened.session.id)
    assert (await ben.see(opened.session.id, 1)).session.plies == 1
    assert (await anna.see(opened.session.id, 0)).session.plies == 2
    assert (await ben.see(opened.session.id)).session.plies == 1


async def test_a_computer_that_acts_unseen_does_not_change_what_is_shown_of_its_thinking(table: Table) -> None:
    anna, _, session = await secret_game(table)
    table.wiring.waits.enter(await state_of(table, session))
    watched = table.wiring.waits._watched[session]
    before = watched.since_ms
    table.clock.pass_s(3)
    await hidden_turn(table, anna, session)
    assert (watched.since_ms, watched.version) == (before, (await state_of(table, session)).version)
    await act(anna, session, 0, "END")
    assert watched.since_ms > before
