"""A game with hidden things, dice, turns of many actions and six seats: nobody is told more than their seat may know."""

from brettwerk.v1 import play_pb2
from services.session.domain.updates import update_for
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.watcher import watching


async def three(table: Table) -> tuple[list[Player], str]:
    players = [table.player(name) for name in ("Anna", "Ben", "Carl")]
    session = await players[0].create("me", "open", "open", game="emperado")
    for player in players[1:]:
        await player.join(session.id)
    return players, session.id


async def play_on(table: Table, players: list[Player], session: str, plies: int) -> None:
    for ply in range(plies):
        state = (await table.wiring.session_cache.newest(session)).state
        if not state.to_act:
            break
        await players[state.to_act[0]].act(session, state.to_act[0], pick=7 * ply)


async def test_every_seat_is_told_its_own_view_and_the_log_tells_it_again(table: Table) -> None:
    players, session = await three(table)
    async with watching(table.wiring) as watcher:
        for seat, player in enumerate(players):
            await watcher.follow(seat, session, player.token(session, seat), 5)
        await watcher.follow(9, session, "", 5)
        await play_on(table, players, session, 60)
        head = (await table.wiring.session_cache.newest(session)).state.version
        rebuilt = await table.rebuilt(session)
        audiences: tuple[tuple[int, int | None], ...] = ((0, 0), (1, 1), (2, 2), (9, None))
        for number, audience in audiences:
            await watcher.until(number, head)
            received = [response.update for response in watcher.responses(number)[1:]]
            assert received == [update_for(packed, audience) for packed in rebuilt.packed[5:]]
            assert all(not update.actions for update in received if audience not in update.to_act)
        assert watcher.messages[0][-1] != watcher.messages[1][-1]
    await check_rebuilt(table, session)


async def test_its_running_log_leaves_the_server_sealed_only(table: Table) -> None:
    players, session = await three(table)
    await play_on(table, players, session, 20)
    record = await players[0].export(session)
    assert not record.entries
    seats = [wish("me"), wish("easy"), wish("easy")]
    importing = play_pb2.ImportSessionRequest(record=record, seats=seats, request_id=request_id())
    with refused("STILL_RUNNING"):
        await players[0].ask(import_session=importing)
    forking = play_pb2.ForkSessionRequest(session_id=session, at_version=6, seats=seats, request_id=request_id())
    with refused("STILL_RUNNING"):
        await players[0].ask(fork_session=forking)
    with refused("STILL_RUNNING"):
        hint = play_pb2.GetHintRequest(session_id=session, seat_token=players[0].token(session, 0), at_version=6)
        await players[0].ask(get_hint=hint)


async def test_a_computer_is_sent_the_view_of_its_seat_and_nothing_else(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("easy", "me", game="emperado")
    asked = await table.until_asked()
    assert asked.view is not None
    found = await table.find(asked.want)
    state = (await table.wiring.session_cache.newest(session.id)).state
    assert asked.view == await table.wiring.session_cache.view(state, 0)
    assert asked.view != await table.wiring.session_cache.view(state, 1)
    for sent in (asked.want, found):
        assert state.secret not in sent.SerializeToString()
        assert anna.caller.player_id.encode() not in sent.SerializeToString()


async def test_a_watch_that_comes_back_after_the_end_does_not_get_again_what_was_cut_until_then(table: Table) -> None:
    players, session = await three(table)
    await play_on(table, players, session, 6)
    for seat, player in enumerate(players[:2]):
        token = player.token(session, seat)
        await player.ask(resign=play_pb2.ResignRequest(session_id=session, seat_token=token, request_id=request_id()))
    state = (await table.wiring.session_cache.newest(session)).state
    assert state.is_over
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, "", 5)
        await watcher.follow(2, session, "", state.version - 1)
        for number in (1, 2):
            await watcher.until(number, state.version)
        assert [kind for kind in watcher.kinds(1) if kind[0] != "h"] == [f"OPENED{state.version}"]
        assert [kind for kind in watcher.kinds(2) if kind[0] != "h"] == [str(state.version)]
