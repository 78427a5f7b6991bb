"""Playing actions."""

import asyncio

import pytest

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from services.session.live.rules_client import RulesClient
from tests.services.session.carrying_out import asked, carry_out
from tests.services.session.player import request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two


async def test_two_persons_play_a_game_to_its_end(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game)
    update = await anna.see(game)
    assert sum(update.session.outcome.scores) == 1
    assert len(update.session.secret) == 32
    with refused("GAME_OVER"):
        await anna.act(game, 0, notation="3D4-C3")
    verified = await anna.ask(verify_session=play_pb2.VerifySessionRequest(session_id=game))
    assert verified.verification.good, verified.verification.fault
    assert verified.verification.chance_proved


async def test_a_repeated_request_gets_the_first_answer_and_is_carried_out_once(table: Table) -> None:
    anna, ben, game = await two(table)
    request = await anna.act_request(game, 0)
    first = await anna.ask(act=request)
    await ben.act(game, 1)
    again = await anna.ask(act=request)
    assert again == first
    assert (await anna.see(game)).version == first.version + 1


async def test_a_request_id_is_good_for_one_request_only(table: Table) -> None:
    anna, ben, game = await two(table)
    request = await anna.act_request(game, 0)
    await anna.ask(act=request)
    await ben.act(game, 1)
    with refused("REQUEST_ID_REUSED"):
        await anna.act(game, 0, request_id=request.request_id)


async def test_the_same_request_id_of_another_player_is_another_one(table: Table) -> None:
    anna, ben, game = await two(table)
    await anna.act(game, 0, request_id="the same id")
    await ben.act(game, 1, request_id="the same id")
    assert (await anna.see(game)).session.plies == 2


async def test_an_action_for_an_older_position_is_stale_and_says_what_is_newest(table: Table) -> None:
    anna, ben, game = await two(table)
    seen = (await anna.see(game)).version
    await anna.act(game, 0)
    await ben.act(game, 1)
    with refused("STALE_VERSION") as caught:
        await anna.act(game, 0, expected_version=seen)
    assert caught.value.refusal.head_version == seen + 2
    with refused("STALE_VERSION"):
        await anna.act(game, 0, expected_version=seen + 3)


async def test_a_draw_offer_does_not_make_an_action_stale(table: Table) -> None:
    anna, ben, game = await two(table)
    seen = (await anna.see(game)).version
    await ben.propose(game, 1, pause=True)
    assert (await anna.act(game, 0, expected_version=seen)).version == seen + 2


async def test_of_two_writers_with_one_version_one_wins(table: Table) -> None:
    anna, _, game = await two(table)
    requests = [await anna.act_request(game, 0, pick) for pick in range(4)]

    async def ask(request: play_pb2.ActRequest) -> int:
        try:
            answer = await carry_out(table.wiring.calls, play_pb2.Call(act=request), anna.caller)
        except Exception:  # noqa: BLE001 - the losers are refused, whatever they are told
            return 0
        return answer.act.version

    versions = await asyncio.gather(*map(ask, requests))
    assert sorted(versions)[:3] == [0, 0, 0]
    assert max(versions) == (await anna.see(game)).version


async def test_an_answer_that_was_lost_after_the_commit_is_given_again(table: Table) -> None:
    anna, _, game = await two(table)
    request = await anna.act_request(game, 0)
    before = (await anna.see(game)).version
    task = asyncio.create_task(anna.ask(act=request))
    while await table.wiring.store.version(game) == before:  # noqa: ASYNC110 - the commit, whenever it is
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await table.restart()
    assert (await anna.ask(act=request)).version == before + 1
    assert await table.wiring.store.version(game) == before + 1


async def test_refusals_come_in_the_order_of_the_contract(table: Table) -> None:
    anna, ben, game = await two(table)
    good = await anna.act_request(game, 0)

    def but(**fields: object) -> play_pb2.ActRequest:
        request = play_pb2.ActRequest()
        request.CopyFrom(good)
        request.request_id = request_id()
        for name, value in fields.items():
            if value is None:
                request.ClearField(name)  # type: ignore[arg-type]
            else:
                setattr(request, name, value)
        return request

    elsewhere = (await anna.create("me", "me")).id
    for reason, request in (
        ("MALFORMED", but(action=None, session_id="0" + "a" * 23)),
        ("MALFORMED", but(notation="3D4-C3", seat_token="")),
        ("MALFORMED", but(session_id="nonsense", seat_token="")),
        ("MALFORMED", but(request_id="short")),
        ("UNKNOWN", but(session_id="00" + "a" * 22, seat_token="")),
        ("NO_TOKEN", but(seat_token="", expected_version=1)),
        ("NOT_YOUR_SEAT", but(seat_token="guessed", expected_version=1)),
        ("NOT_YOUR_SEAT", but(seat_token=anna.token(elsewhere, 0), expected_version=1)),
        ("STALE_VERSION", but(seat_token=ben.token(game, 1), expected_version=1)),
        ("NOT_YOUR_TURN", but(seat_token=ben.token(game, 1))),
        ("MALFORMED", but(action=None, notation="what?")),
    ):
        with refused(reason):
            await anna.ask(act=request)
    await anna.ask(act=good)


async def test_a_rule_that_forbids_an_action_is_named(table: Table) -> None:
    anna, _, game = await two(table)
    request = await anna.act_request(game, 0)
    legal = {choice.notation for choice in (await anna.see(game, 0)).actions}
    request.ClearField("action")
    request.notation = next(
        text
        for roll in "123456"
        for text in (f"{roll}:{roll}E5-D5", f"{roll}:{roll}D5-C5", f"{roll}:{roll}D4-E5")
        if text not in legal
    )
    request.request_id = request_id()
    with refused("ILLEGAL") as caught:
        await anna.ask(act=request)
    assert caught.value.refusal.rule.startswith("EWN-")
    assert (await anna.see(game)).session.plies == 0


async def test_actions_before_the_start_and_in_a_pause_are_refused(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "open")
    with refused("NOT_RUNNING"):
        await anna.act(session.id, 0, notation="3D4-C3")
    hot_seat = await anna.create("me", "me")
    await anna.propose(hot_seat.id, 0, pause=True)
    with refused("NOT_RUNNING"):
        await anna.act(hot_seat.id, 0, notation="3D4-C3")


async def test_notation_and_messages_play_the_same(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    choice = (await anna.see(session.id, 0)).actions[0]
    answer = await anna.act(session.id, 0, notation=choice.notation)
    assert answer.notation_played == choice.notation
    read = await anna.ask(
        read_notation=play_pb2.ReadNotationRequest(
            session_id=session.id,
            seat_token=anna.token(session.id, 1),
            notation=(await anna.see(session.id, 1)).actions[0].notation,
        )
    )
    assert read.action == (await anna.see(session.id, 1)).actions[0].action


async def test_a_call_that_the_service_has_not_is_refused(table: Table) -> None:
    with refused("NO_SUCH_METHOD"):
        await table.wiring.calls.carry_out(
            asked(play_pb2.Call(create_player=play_pb2.CreatePlayerRequest()), session_pb2.Caller())
        )


@pytest.mark.parametrize("is_older", [False, True])
async def test_actions_are_listed_by_the_places_that_were_touched(
    table: Table, monkeypatch: pytest.MonkeyPatch, is_older: bool
) -> None:
    if is_older:  # a rules process of an earlier release reads over the places
        legal = RulesClient.legal
        monkeypatch.setattr(RulesClient, "legal", lambda *args: legal(*args[:5]))
    anna = table.player("Anna")
    session = await anna.create("me", "me", game="wec")
    asked_for_all = play_pb2.ListActionsRequest(session_id=session.id, seat_token=anna.token(session.id, 0), page_size=1000)
    whole = (await anna.ask(list_actions=asked_for_all)).actions
    touched = sorted({tuple(choice.places[:1]) for choice in whole})
    assert len(touched) > 1
    for places in [(), *touched, tuple(whole[-1].places), ("nowhere",)]:
        found, token, pages = [], "", 0
        while token or not pages:
            request = play_pb2.ListActionsRequest(
                session_id=session.id, seat_token=anna.token(session.id, 0), places=places, page_size=100, page_token=token
            )
            page = await anna.ask(list_actions=request)
            found += page.actions
            token, pages = page.next_page_token, pages + 1
        assert found == [choice for choice in whole if tuple(choice.places[: len(places)]) == places]


@pytest.mark.parametrize("size", [1, 3])
async def test_all_actions_are_listed_by_pages_of_one_version(table: Table, size: int) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    update = await anna.see(session.id, 0)
    found, token = [], ""
    while True:
        page = await anna.ask(
            list_actions=play_pb2.ListActionsRequest(
                session_id=session.id, seat_token=anna.token(session.id, 0), page_size=size, page_token=token
            )
        )
        assert page.at_version == update.version
        found += page.actions
        token = page.next_page_token
        if not token:
            break
    assert found == list(update.actions)
