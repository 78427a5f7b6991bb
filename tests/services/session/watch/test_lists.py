"""Lists of legal actions: made for the seats whose watches need them, and there in every update of those."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from brettwerk_games.rules import registry
from services.rules import answers, heavy, plies, steps
from services.session.domain import perception
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watch.test_tail import updates
from tests.services.session.watcher import Watcher, watching

UNLISTED = [sessions_pb2.Update.FIELD_ACTIONS]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The views for which the rules have made lists."""
    views: list[object] = []
    make = steps._listed

    def noted(any_codec: Any, view: object) -> bytes:
        views.append(view)
        return make(any_codec, view)

    monkeypatch.setattr(steps, "_listed", noted)
    return views


async def play(players: tuple[Player, Player], session_id: str, number: int, dice: random.Random | None = None) -> int:
    """Play so many random actions for which nobody is told a list with an update; returns the newest version of seat 0."""
    dice = dice or random.Random(number)
    for _ in range(number):
        update = await unlisted(players[0], session_id, 0)
        if not update.to_act:
            break
        seat = update.to_act[0]
        token = players[seat].token(session_id, seat)
        asked = play_pb2.ListActionsRequest(session_id=session_id, seat_token=token, page_size=1000)
        listed = await players[seat].ask(list_actions=asked)
        act = play_pb2.ActRequest(
            session_id=session_id,
            seat_token=token,
            expected_version=listed.at_version,
            action=dice.choice(listed.actions).action,
            request_id=request_id(),
        )
        await players[seat].ask(act=act)
    return (await unlisted(players[0], session_id, 0)).version


async def unlisted(player: Player, session_id: str, seat: int) -> sessions_pb2.Update:
    token = player.token(session_id, seat)
    request = play_pb2.GetSessionRequest(session_id=session_id, seat_token=token, leave_out=UNLISTED)
    update: sessions_pb2.Update = (await player.ask(get_session=request)).update
    return update


def received(watcher: Watcher, number: int) -> list[sessions_pb2.Update]:
    """The updates that came for a watch, that of its beginning first."""
    responses = [response for response in watcher.responses(number) if not response.HasField("heartbeat")]
    return [response.resync.update if response.HasField("resync") else response.update for response in responses]


def without(update: sessions_pb2.Update) -> sessions_pb2.Update:
    smaller = sessions_pb2.Update()
    smaller.CopyFrom(update)
    smaller.ClearField("actions")
    smaller.ClearField("more_actions")
    return smaller


async def test_no_list_is_made_that_no_watch_of_a_seat_needs(table: Table, made: list[object]) -> None:
    anna, ben, game = await two(table)
    made.clear()
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0), leave_out=UNLISTED)
        await watcher.follow(2, game, ben.token(game, 1), leave_out=UNLISTED)
        await watcher.follow(3, game)
        head = await play((anna, ben), game, 5)
        for number in (1, 2, 3):
            await watcher.until(number, head)
            assert [update.version for update in received(watcher, number)] == list(range(4, head + 1))
        assert not made
        whole = [await updates(anna, game, 0), await updates(ben, game, 1)]
        assert any(update.actions for update in whole[0]) and any(update.actions for update in whole[1])
        for number, listed in enumerate(whole, 1):
            assert [without(update) for update in listed[3:]] == [without(update) for update in received(watcher, number)]
            assert received(watcher, number)[1:] == [without(update) for update in listed[4:]]


async def test_a_list_is_made_from_the_beginning_for_those_who_need_it(table: Table, made: list[object]) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    game = (await anna.create("me", "open")).id
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0), leave_out=UNLISTED)
        made.clear()
        await ben.join(game)
        head = (await unlisted(anna, game, 0)).version
        await watcher.until(1, head)
        assert (await unlisted(anna, game, 0)).to_act == [0]
        assert not made
        await watcher.follow(2, game, ben.token(game, 1))
        head = await play((anna, ben), game, 3)
        await watcher.until(2, head)
        assert len(made) == 2, "after the first and the third action the other is to act"
        assert [bool(update.actions) for update in received(watcher, 2)][1:] == [True, False, True]


@pytest.mark.parametrize("game", registry.games())
async def test_of_two_watches_of_a_seat_one_may_have_lists_and_the_other_none(table: Table, game: str) -> None:
    anna, ben, session = await two(table, game=game, competitive=True)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, anna.token(session, 0), leave_out=UNLISTED)
        await watcher.follow(2, session, anna.token(session, 0))
        await watcher.follow(3, session, ben.token(session, 1), leave_out=UNLISTED)
        head = await play((anna, ben), session, 12)
        bens = (await unlisted(ben, session, 1)).version
        for number, last in ((1, head), (2, head), (3, bens)):
            await watcher.until(number, last)
        listed, other = await updates(anna, session, 0), await updates(ben, session, 1)
        assert any(update.actions for update in listed[4:])
        assert received(watcher, 2) == listed[-len(received(watcher, 2)) :]
        for number, whole in ((1, listed), (3, other)):
            assert [without(update) for update in received(watcher, number)] == [
                without(update) for update in whole[-len(received(watcher, number)) :]
            ]
        assert not any(update.actions for update in received(watcher, 3)[1:])


@pytest.mark.parametrize("after", [0, 4, 6])
async def test_a_watch_with_lists_that_begins_later_has_all_of_its_updates_with_them(table: Table, after: int) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0), leave_out=UNLISTED)
        await watcher.follow(2, game, ben.token(game, 1), leave_out=UNLISTED)
        head = await play((anna, ben), game, 6)
        await watcher.until(1, head)
        for seat, player in enumerate((anna, ben)):
            await watcher.follow(3 + seat, game, player.token(game, seat), after)
            await watcher.until(3 + seat, head)
        head = await play((anna, ben), game, 2)
        for seat, player in enumerate((anna, ben)):
            await watcher.until(3 + seat, head)
            expected = (await updates(player, game, seat))[-len(received(watcher, 3 + seat)) :]
            assert received(watcher, 3 + seat) == expected
            assert [bool(update.actions) for update in expected] == [seat in update.to_act for update in expected]


@pytest.mark.parametrize("ends", ["connection", "process", "shard"])
async def test_a_watch_with_lists_that_comes_back_lacks_none(table: Table, ends: str) -> None:
    anna, ben, game = await two(table)
    tokens = anna.token(game, 0), ben.token(game, 1)
    async with watching(table.wiring) as others:
        await others.follow(1, game, tokens[0], leave_out=UNLISTED)
        async with watching(table.wiring) as watcher:
            await watcher.follow(2, game, tokens[1])
            head = await play((anna, ben), game, 2)
            await watcher.until(2, head)
        await play((anna, ben), game, 3)
        if ends == "shard":
            await table.hand_over(game, await table.another_process())
        elif ends == "process":
            await table.restart()
        owner = table.owner(game)
        async with watching(owner) as again:
            await again.follow(1, game, tokens[0], head, leave_out=UNLISTED)
            await again.follow(2, game, tokens[1], head)
            last = await play((anna, ben), game, 2)
            for number in (1, 2):
                await again.until(number, last)
            assert received(again, 2) == (await updates(ben, game, 1))[head:]
            assert [without(one) for one in received(again, 1)] == [without(one) for one in (await updates(anna, game, 0))[head:]]


def unaware_of_unlisted(fill: Callable[..., None]) -> Callable[..., None]:
    """Return what fills steps as a release does that knows no `unlisted`."""
    return lambda *args, unlisted=0, **fields: fill(*args, **fields)


async def test_lists_of_rules_of_an_earlier_release_do_no_harm(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (answers, plies, heavy):
        monkeypatch.setattr(module, "fill_step", unaware_of_unlisted(steps.fill_step))
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0), leave_out=UNLISTED)
        await watcher.follow(2, game, ben.token(game, 1))
        head = await play((anna, ben), game, 5)
        for number in (1, 2):
            await watcher.until(number, head)
        assert received(watcher, 2) == (await updates(ben, game, 1))[3:]
        assert received(watcher, 1)[1:] == [without(update) for update in (await updates(anna, game, 0))[4:]]


async def test_an_answer_without_its_list_makes_none(table: Table, made: list[object]) -> None:
    anna, ben, game = await two(table)
    await play((anna, ben), game, 2)
    await table.restart()
    made.clear()
    smaller = await unlisted(anna, game, 0)
    assert not made
    whole = await anna.see(game, 0)
    assert made and whole.actions
    assert without(whole) == smaller


def test_lists_are_bits_of_their_own() -> None:
    everybody = perception.with_lists(0b1000011)
    assert perception.existing(perception.EVERYBODY, 2) == everybody
    assert perception.unlisted(everybody) == 0
    assert perception.unlisted(0b1000011) == 0b11
    assert perception.unlisted(everybody & ~(1 << perception.LISTS)) == 0b01
