"""When more is wanted of computers than there is room for, no table with computers is created; games that there are go on."""

from collections.abc import Awaitable
from typing import Any

import pytest

from brettwerk.v1 import play_pb2
from services.session.computers.ai_client import FRESH_MS
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table


async def full(table: Table) -> None:
    """Let the process hear that there is no room."""
    table.ai.demand.full = True
    await table.player("Zoe").create("easy", "easy")
    await table.until_quiet()
    assert table.wiring.workforce.is_full


async def no_room(call: Awaitable[Any]) -> None:
    with refused("FULL") as caught:
        await call
    assert dict(caught.value.refusal.details) == {"bound": "computers"}
    assert caught.value.refusal.retry_after_ms > 0


def creating(*seats: str) -> play_pb2.CreateSessionRequest:
    return play_pb2.CreateSessionRequest(game="einstein", seats=[wish(one) for one in seats], request_id=request_id())


async def rematching(anna: Player, session: str) -> Any:
    token = anna.token(session, 0)
    return await anna.ask(rematch=play_pb2.RematchRequest(session_id=session, seat_token=token, request_id=request_id()))


async def forking(anna: Player, session: str, *seats: str) -> Any:
    wishes = [wish(one) for one in seats]
    request = play_pb2.ForkSessionRequest(session_id=session, at_version=3, seats=wishes, request_id=request_id())
    return await anna.ask(fork_session=request)


async def importing(anna: Player, record: Any, *seats: str) -> Any:
    wishes = [wish(one) for one in seats]
    return await anna.ask(import_session=play_pb2.ImportSessionRequest(record=record, seats=wishes, request_id=request_id()))


async def test_tables_with_computers_are_refused_and_those_of_persons_are_not(table: Table) -> None:
    anna = table.player("Anna")
    first = creating("me", "easy")
    running = (await anna.ask(create_session=first)).session.id
    over = (await anna.create("me", "easy")).id
    await anna.act(over, 0)
    await table.computer_moves()
    await anna.resign(over, 0)
    record = await anna.export(over)
    await full(table)
    await no_room(anna.create("me", "easy"))
    await no_room(rematching(anna, over))
    await no_room(forking(anna, over, "me", "easy"))
    await no_room(importing(anna, record, "easy", "me"))
    await anna.create("me", "me")
    await forking(anna, over, "me", "me")
    await importing(anna, record, "me", "me")
    assert (await anna.ask(create_session=first)).session.id == running
    await anna.act(running, 0)
    await table.computer_moves()


async def test_no_seat_is_given_to_another_computer_but_one_that_plays_can_be_changed(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "easy", "open", game="emperado")).id
    await full(table)
    await no_room(anna.set_seat(session, 2, "easy"))
    await anna.set_seat(session, 1, "strong")
    await ben.join(session)
    await no_room(ben.set_seat(session, 2, "easy", by=2))
    await ben.ask(leave_session=play_pb2.LeaveSessionRequest(session_id=session, seat_token=ben.token(session, 2), request_id=request_id()))  # fmt: skip # noqa: E501
    state = (await table.wiring.session_cache.newest(session)).state
    assert state.seats[2].is_computer  # games go on


@pytest.mark.parametrize("is_asked", [True, False])
async def test_it_ends_when_there_is_room_again_and_when_nothing_is_heard_for_long(table: Table, is_asked: bool) -> None:
    anna = table.player("Anna")
    await full(table)
    await no_room(anna.create("me", "easy"))
    table.ai.demand.full = False
    if is_asked:
        await table.wiring.waits.ask()
    else:
        table.clock.pass_s(FRESH_MS / 1000)
    await anna.create("me", "easy")


async def test_while_there_is_no_room_it_is_asked_whether_there_is_though_nothing_is_wanted_here(table: Table) -> None:
    table.ai.demand.full = True
    await table.player("Anna").create("easy", "me")
    await table.computer_moves()
    await table.until_quiet()
    table.wiring.want_reporter._known.clear()
    before = len(table.ai.statuses)
    await table.wiring.waits.ask()
    assert len(table.ai.statuses) == before + 1
    table.ai.demand.full = False
    await table.wiring.waits.ask()
    await table.wiring.waits.ask()
    assert len(table.ai.statuses) == before + 2
