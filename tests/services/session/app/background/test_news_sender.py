"""Which commits are news, to whom, and how they reach the players service."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import news_pb2, play_pb2, record_pb2
from services.runtime.inner_calls import by_all_names
from services.session.app.background.news_sender import NewsSender
from services.session.store import store
from tests.ports import free_port
from tests.services.session.player import Player, request_id
from tests.services.session.settling import settling
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watcher import watching


def news(table: Table) -> list[tuple[str, str]]:
    """Return what waits to be told, as players and kinds, and forget it."""
    waiting = table.wiring.news_sender._waiting
    noted = [one for one in waiting if isinstance(one, players_pb2.NotedNews)]
    waiting.clear()
    return sorted((one.player_id, news_pb2.News.Kind.Name(one.news.kind).removeprefix("KIND_")) for one in noted)


def handled(table: Table) -> list[tuple[str, int]]:
    """Return who has seen to what they were told, and up to which version, and forget all that waits."""
    waiting = table.wiring.news_sender._waiting
    found = [(one.player_id, one.session_version) for one in waiting if isinstance(one, players_pb2.HandledNews)]
    waiting.clear()
    return found


async def rematch(player: Player, session_id: str) -> str:
    """Ask for a rematch from the second seat; return its session."""
    token = player.token(session_id, 1)
    request = play_pb2.RematchRequest(session_id=session_id, seat_token=token, request_id=request_id())
    made: str = (await player.ask(rematch=request)).session.id
    return made


async def test_players_are_told_who_sat_down_whose_turn_it_is_and_that_it_is_over(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open")).id
    assert news(table) == []
    await ben.join(session)
    assert news(table) == [("p-anna", "SEAT_TAKEN"), ("p-anna", "YOUR_TURN")]
    await anna.act(session, 0)
    assert news(table) == [("p-ben", "YOUR_TURN")]
    await ben.resign(session, 1)
    assert news(table) == [("p-anna", "GAME_OVER"), ("p-ben", "GAME_OVER")]


async def test_a_player_who_has_moved_or_answered_needs_to_be_told_no_more(table: Table) -> None:
    anna, ben, session = await two(table)
    news(table)
    first = await anna.act(session, 0)
    assert handled(table) == [("p-anna", first.version - 1)]  # told when Ben sat down
    second = await ben.act(session, 1)
    assert handled(table) == [("p-ben", second.version - 1)]
    number = (await anna.propose(session, 0, undo_to_plies=0)).proposal_id
    assert handled(table) == []
    await ben.reply(session, 1, number, accept=False)
    assert [player for player, _ in handled(table)] == ["p-ben"]
    await ben.resign(session, 1)
    assert [player for player, _ in handled(table)] == ["p-anna"]


async def test_a_player_who_was_not_told_has_no_news_to_see_to(table: Table) -> None:
    anna, ben, session = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, ben.token(session, 1))
        await anna.act(session, 0)
        news(table)
        await ben.act(session, 1)
        assert handled(table) == []


async def test_a_player_watching_their_own_seat_is_not_told(table: Table) -> None:
    anna, ben, session = await two(table)
    news(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, ben.token(session, 1))
        await anna.act(session, 0)
        assert news(table) == []
    await watcher.until_gone(session)
    await ben.act(session, 1)
    assert news(table) == [("p-anna", "YOUR_TURN")]


async def test_a_player_watching_as_a_spectator_is_told(table: Table) -> None:
    anna, _, session = await two(table)
    news(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session)
        await anna.act(session, 0)
        assert news(table) == [("p-ben", "YOUR_TURN")]


async def test_a_proposal_is_news_to_those_who_are_to_answer_it(table: Table) -> None:
    anna, ben, session = await two(table)
    await anna.act(session, 0)
    await ben.act(session, 1)
    news(table)
    number = (await anna.propose(session, 0, undo_to_plies=0)).proposal_id
    assert news(table) == [("p-ben", "PROPOSED")]
    await ben.reply(session, 1, number, accept=False)
    assert news(table) == []


async def test_a_turn_says_until_when_and_tells_nothing_of_what_was_played(table: Table) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3 * 86_400_000)
    anna, _, session = await two(table, clock=clock, title="Over days")
    news(table)
    await anna.act(session, 0)
    (noted,) = (one for one in table.wiring.news_sender._waiting if isinstance(one, players_pb2.NotedNews))
    assert noted.news == news_pb2.News(
        kind=news_pb2.News.KIND_YOUR_TURN,
        session_id=session,
        game="einstein",
        title="Over days",
        seat=1,
        at_ms=table.clock.now_ms,
        until_ms=table.clock.now_ms + 3 * 86_400_000,
    )


async def test_an_action_that_others_do_not_perceive_is_no_news(table: Table) -> None:
    anna, ben, session = await settling(table, game="wec")
    await anna.begin(session, 0)
    seat = (await anna.see(session)).to_act[0]
    player = anna if seat in await anna.find_seats(session) else ben
    news(table)
    while (await player.see(session, seat)).to_act == [seat]:
        assert news(table) == []
        await player.act(session, seat)
    assert [kind for _, kind in news(table)] == ["YOUR_TURN"]


async def test_a_rematch_invites_the_others(table: Table) -> None:
    anna, ben, session = await two(table)
    await anna.resign(session, 0)
    news(table)
    await rematch(ben, session)
    assert ("p-anna", "INVITED") in news(table)


async def test_a_player_who_took_their_kept_seat_needs_to_be_told_no_more(table: Table) -> None:
    anna, ben, session = await two(table)
    await anna.resign(session, 0)
    again = await rematch(ben, session)
    handled(table)
    await anna.join(again)
    now = await anna.see(again)
    assert handled(table) == [("p-anna", now.version - 1)]  # that it is a turn of Anna's then is news


async def test_a_player_who_declined_an_invitation_needs_to_be_told_no_more(table: Table) -> None:
    anna, ben, session = await two(table)
    await anna.resign(session, 0)
    again = await rematch(ben, session)
    handled(table)
    await anna.ask(leave_session=play_pb2.LeaveSessionRequest(session_id=again, request_id=request_id()))
    assert handled(table) == [("p-anna", (await anna.see(again)).version - 1)]


async def test_a_seat_is_kept_for_nobody_at_a_table_that_is_closed(table: Table) -> None:
    anna, ben, session = await two(table)
    await anna.resign(session, 0)
    again = await rematch(ben, session)
    handled(table)
    closing = play_pb2.CloseSessionRequest(session_id=again, seat_token=ben.token(again), request_id=request_id())
    await ben.ask(close_session=closing)
    assert "p-anna" in [player for player, _ in handled(table)]


async def test_one_person_at_all_seats_is_told_of_no_turn_after_their_own(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "me")).id
    news(table)
    await anna.act(session, 0)
    assert news(table) == []


class Peer(players_pb2_grpc.PlayersServiceServicer):
    """Takes notes."""

    def __init__(self) -> None:
        self.notes: list[players_pb2.NotedNews] = []
        self.came = asyncio.Event()
        self.strangers = 0
        """How many callers it does not know yet."""

    async def NoteNews(self, request: players_pb2.NoteNewsRequest, context: Any) -> players_pb2.NoteNewsResponse:
        if self.strangers:
            self.strangers -= 1
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the time in the call's token is 5000 s from this server's")
        self.notes += request.notes
        self.came.set()
        return players_pb2.NoteNewsResponse()


@contextlib.asynccontextmanager
async def serving(peer: Peer, address: str) -> AsyncIterator[str]:
    server = grpc.aio.server()
    players_pb2_grpc.add_PlayersServiceServicer_to_server(peer, by_all_names(server))
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def test_news_are_handed_on_when_the_players_service_comes_back(table: Table) -> None:
    anna, _, session = await two(table)
    (state,) = [(await table.wiring.session_cache.newest(session)).state]
    peer = Peer()  # type: ignore[abstract] # nothing else is asked of it
    address = f"127.0.0.1:{free_port()}"
    sender = NewsSender(address, 2.0, lambda _: 0)
    running = asyncio.create_task(sender.run())
    await anna.act(session, 0)
    sender.committed((await table.wiring.session_cache.newest(session)).state, state, ())
    assert not await sender._hand_on()
    async with serving(peer, address), asyncio.timeout(60):
        await peer.came.wait()
    assert [one.player_id for one in peer.notes] == ["p-ben"]
    running.cancel()
    await sender.close()


async def test_news_are_handed_on_when_a_clock_or_a_key_that_was_wrong_is_right_again(table: Table) -> None:
    anna, _, session = await two(table)
    (state,) = [(await table.wiring.session_cache.newest(session)).state]
    peer = Peer()  # type: ignore[abstract] # nothing else is asked of it
    peer.strangers = 2
    async with serving(peer, "127.0.0.1:0") as address, asyncio.timeout(60):
        sender = NewsSender(address, 2.0, lambda _: 0)
        running = asyncio.create_task(sender.run())
        await anna.act(session, 0)
        sender.committed((await table.wiring.session_cache.newest(session)).state, state, ())
        await peer.came.wait()
    assert [one.player_id for one in peer.notes] == ["p-ben"]
    running.cancel()
    await sender.close()


async def test_a_player_on_vacation_has_seen_to_their_turn_and_the_next_one_says_until_when(table: Table) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3 * 86_400_000)
    anna, ben, session = await two(table, clock=clock)
    news(table)
    taken = await anna.take_vacation(session, 0, 5)
    assert handled(table) == [("p-anna", taken.version - 1)]
    away = await ben.take_vacation(session, 1, 2)
    assert handled(table) == [], "nobody has told Ben anything"
    await anna.act(session, 0)
    (noted,) = (one for one in table.wiring.news_sender._waiting if isinstance(one, players_pb2.NotedNews))
    assert noted.news.until_ms == away.until_ms + 3 * 86_400_000


async def test_a_vacation_that_begins_by_itself_is_news_and_the_turn_still_waits(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    day_s = 86_400
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * day_s * 1000)
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=day_s * 1000, automatic_vacation=True)
    _, _, _ = await two(table, clock=clock)
    news(table)
    table.clock.pass_s(day_s - 1800)
    await table.sweep()
    found = [one for one in table.wiring.news_sender._waiting if isinstance(one, players_pb2.NotedNews)]
    assert [(one.player_id, one.news.kind) for one in found] == [("p-anna", news_pb2.News.KIND_VACATION_BEGUN)]
    assert handled(table) == []
