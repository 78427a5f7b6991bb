"""While releases change: what one session process leaves to a newer release, the gateway asks of another process."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from brettwerk.v1 import errors_pb2, play_pb2, session_pb2
from gateway import session_calls
from services.runtime.refusal import is_newer, newer
from tests.gateway.conftest import OpenDoor, OpenHouse, OpenTalk
from tests.gateway.doors import House, call_of
from tests.gateway.peer import Carried, Peer, Tailing
from tests.gateway.test_watches import KINDS, versions, watch


class Older(Peer):
    """A session service of the release before: it passes on every session whose id begins with "new"."""

    async def CarryOut(self, request, context):
        carried = Carried(request)
        name = carried.call.WhichOneof("request")
        if getattr(getattr(carried.call, name or ""), "session_id", "").startswith("new"):
            self.calls.append(carried)
            raise newer("format 9")
        return await super().CarryOut(request, context)  # type: ignore[no-untyped-call]

    def _begin(self, tailing: Tailing, follow: session_pb2.Follow) -> None:
        if follow.watch.session_id.startswith("new"):
            self.refuse(tailing, [follow.id], newer("format 9"))
        else:
            super()._begin(tailing, follow)


@pytest_asyncio.fixture(loop_scope="session")
async def pair() -> AsyncIterator[tuple[Older, Peer]]:
    """One process of each release."""
    older, other = Older(), Peer()
    await older.start()
    await other.start()
    yield older, other
    await older.stop()
    await other.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def between(pair: tuple[Older, Peer], open_house: OpenHouse) -> House:
    """A gateway that knows both."""
    return await open_house(session_link_address=addresses(*pair))


def addresses(*peers: Peer) -> str:
    return ",".join(f"127.0.0.1:{one.port}" for one in peers)


@pytest.mark.parametrize("door", ["unary", "json", "websocket"])
async def test_a_call_that_one_process_passes_on_is_answered_by_the_other(
    door: str, pair: tuple[Older, Peer], between: House, through: OpenDoor, token: str
) -> None:
    older, other = pair
    entered = await through(door, between, token)
    for number in range(12):
        answer = await entered.call(call_of("GetSession", session_id=f"new-{number}"))
        assert answer.WhichOneof("response") == "get_session", answer
    assert len(other.calls) == 12
    assert len(older.calls) <= 12 + session_calls.MAX_ELSEWHERE


async def test_the_process_that_knows_is_found_when_the_budget_of_retries_is_used_up(
    pair: tuple[Older, Peer], open_house: OpenHouse, through: OpenDoor
) -> None:
    crowd = [*pair, Older(), Older()]
    for one in crowd[2:]:
        await one.start()
    try:
        house = await open_house(session_link_address=addresses(*crowd))
        door = await through("unary", house)
        while house.gateway._house.desk.sessions._budget.failed():
            pass
        for number in range(12):
            answer = await door.call(call_of("GetSession", session_id=f"new-{number}"))
            assert answer.WhichOneof("response") == "get_session", answer
    finally:
        for one in crowd[2:]:
            await one.stop()


@pytest.fixture
def token(between: House) -> str:
    return between.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere").player_token


async def test_many_calls_at_once_find_the_one_process_that_knows(
    pair: tuple[Older, Peer], open_house: OpenHouse, through: OpenDoor
) -> None:
    older, other = pair
    crowd = [older, other, Older(), Older()]
    for one in crowd[2:]:
        await one.start()
    try:
        house = await open_house(session_link_address=addresses(*crowd))
        door = await through("unary", house)
        answers = await asyncio.gather(*(door.call(call_of("GetSession", session_id="new")) for _ in range(40)))
        assert {answer.WhichOneof("response") for answer in answers} == {"get_session"}
    finally:
        for one in crowd[2:]:
            await one.stop()


async def test_a_call_that_nobody_knows_is_refused_as_it_was_and_asks_a_bounded_number(
    pair: tuple[Older, Peer], open_house: OpenHouse, through: OpenDoor
) -> None:
    older, _ = pair
    house = await open_house(session_link_address=addresses(older))
    answer = await (await through("unary", house)).call(call_of("GetSession", session_id="new"))
    assert is_newer(answer.refusal), answer
    assert len(older.calls) == session_calls.MAX_ELSEWHERE + 1


@KINDS
async def test_a_watch_that_one_process_passes_on_is_fed_by_the_other(
    kind: str, pair: tuple[Older, Peer], between: House, talk_to: OpenTalk
) -> None:
    _, other = pair
    for peer in pair:
        peer.publish("old")
    other.publish("new")
    talk = await talk_to(kind, between)
    await talk.send(watch(1, "new"))
    assert await versions(talk, 1) == [-1]
    other.publish("new")
    assert await versions(talk, 1) == [2]
    await talk.send(watch(2, "old"))
    assert await versions(talk, 1) == [-1]
    assert len(between.gateway.watches) == 2
    await talk.close()
    await other.until(lambda: len(between.gateway.watches) == 0)
    await other.until(lambda: not any(tailing.follows for peer in pair for tailing in peer.tailings))


@KINDS
async def test_a_watch_goes_over_to_the_other_process_in_mid_game_and_misses_nothing(
    kind: str, pair: tuple[Older, Peer], open_house: OpenHouse, talk_to: OpenTalk
) -> None:
    older, other = pair
    house = await open_house(session_link_address=addresses(older))
    for peer in pair:
        peer.publish("a")
    talk = await talk_to(kind, house)
    await talk.send(watch(1, "a"))
    assert await versions(talk, 1) == [-1]
    older.sessions.clear()
    other.publish("a")
    other.publish("a")
    older.refuse(older.tailings[0], list(older.tailings[0].follows), newer("format 9"))
    older.sessions["a"] = other.sessions["a"]
    assert await versions(talk, 2) == [2, 3]


async def test_a_watch_that_nobody_can_feed_ends(
    pair: tuple[Older, Peer], open_house: OpenHouse, talk_to: OpenTalk, monkeypatch
) -> None:
    monkeypatch.setattr("gateway.watches.TRIES", 4)
    older, _ = pair
    house = await open_house(session_link_address=addresses(older))
    talk = await talk_to("connect", house)
    await talk.send(watch(1, "new"))
    _, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert is_newer(refusal), refusal
    assert len(house.gateway.watches) == 0
