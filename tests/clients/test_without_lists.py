"""Bots that know their game, to the Python client: they play without lists, or ask what a piece may do."""

import asyncio
import random

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, sessions_pb2
from brettwerk_client import AsyncClient, Client, me
from brettwerk_games.rules.interface import Kind
from deploy.local.deployment import Deployment
from services.rules.any_codec import any_codec
from tests.clients.owned_bots import answered, bot_of, challenge

pytestmark = pytest.mark.e2e
LISTS = [sessions_pb2.Update.FIELD_ACTIONS]


def by_the_rules(update: sessions_pb2.Update) -> games_pb2.ActionChoice:
    """Choose by the view alone, as a bot does that has the rules of EinStein with it."""
    assert not update.actions
    rules = any_codec("einstein")
    legal = rules.game.first_actions(rules.unpack(Kind.VIEW, update.view, "view"), 256)
    action: AnyMessage = rules.pack(Kind.ACTION, random.choice(legal))
    return games_pb2.ActionChoice(action=action)


async def test_bots_that_know_the_rules_play_without_lists(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        async with AsyncClient(deployment.grpc_address, name="Bert") as bert:
            seats = await asyncio.gather(asyncio.to_thread(ada.find_opponent, "einstein"), bert.find_opponent("einstein"))
            outcomes = await asyncio.gather(
                asyncio.to_thread(seats[0].play, by_the_rules, leave_out=LISTS), seats[1].play(by_the_rules, leave_out=LISTS)
            )
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0].winners) == 1


async def test_a_bot_that_lives_on_a_server_plays_without_lists(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client:
            running = asyncio.create_task(client.run(by_the_rules, leave_out=LISTS))
            game = await asyncio.to_thread(lambda: answered(bert, challenge(bert, bot_id)))
            seat = await asyncio.to_thread(bert.join_session, game.session_id)
            assert (await asyncio.to_thread(seat.play, by_the_rules, leave_out=LISTS)).winners
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_actions_are_listed_by_the_place_that_was_touched(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        seat = (await asyncio.to_thread(ada.create_session, "wec", [me(), me()])).seat
        whole = await asyncio.to_thread(seat.actions)
        touched = [whole[-1].places[0]]
        expected = [choice for choice in whole if choice.places[:1] == touched]
        assert 0 < len(expected) < len(whole)
        assert list(await asyncio.to_thread(seat.actions, touched)) == expected
        async with AsyncClient(deployment.grpc_address) as other:
            there = other.seat(seat.session_id, seat.number, seat.token)
            assert list(await there.actions(touched)) == expected
