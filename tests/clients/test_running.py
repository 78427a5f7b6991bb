"""Bots that live on a server: owned, challenged, and played from one process with an API token."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brettwerk.v1 import games_pb2, opponents_pb2, play_pb2, sessions_pb2
from brettwerk_client import Action, AsyncClient, AsyncSeat, Client, Refused, Seat, me, nobody
from brettwerk_client.refusals import NoToken
from deploy.local.deployment import Deployment
from tests.clients.owned_bots import (
    answered,
    bot_of,
    challenge,
    choose,
    rematch,
    revoke,
    until_declined,
    until_it_may_act,
    until_state,
)
from tests.night import at_night

pytestmark = pytest.mark.e2e
EXAMPLE = Path(__file__).parents[2] / "examples" / "citizen.py"


@contextlib.asynccontextmanager
async def living(client: AsyncClient, **how: object) -> AsyncIterator["asyncio.Task[None]"]:
    task = asyncio.create_task(client.run(choose, **how))  # type: ignore[arg-type]
    yield task
    task.cancel()
    await asyncio.wait([task])


async def test_a_bot_accepts_what_its_filter_does_plays_two_games_and_ends_with_its_token(deployment: Deployment) -> None:
    ended: asyncio.Queue[games_pb2.Outcome] = asyncio.Queue()

    async def note(_seat: AsyncSeat, outcome: games_pb2.Outcome) -> None:
        await ended.put(outcome)

    with (
        Client(deployment.grpc_address, name="Ada") as owner,
        Client(deployment.grpc_address, name="Bert") as bert,
        Client(deployment.grpc_address, name="Cleo") as cleo,
    ):
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with (
            AsyncClient(deployment.grpc_address, token=made.api_token) as client,
            living(client, accepts=lambda one: not one.competitive, ended=note) as task,
        ):
            wanted = [await asyncio.to_thread(challenge, one, bot_id) for one in (bert, cleo)]
            refused = await asyncio.to_thread(challenge, owner, bot_id, competitive=True)
            games = [await asyncio.to_thread(answered, one, each) for one, each in zip((bert, cleo), wanted, strict=True)]
            declined = await asyncio.to_thread(answered, owner, refused)
            assert declined.state == opponents_pb2.Challenge.STATE_DECLINED
            assert all(game.challenged.bot for game in games)
            seats = [one.join_session(game.session_id) for one, game in zip((bert, cleo), games, strict=True)]
            await asyncio.gather(*(asyncio.to_thread(seat.play, choose) for seat in seats))
            for _ in seats:
                assert (await asyncio.wait_for(ended.get(), 30)).rule
            await asyncio.to_thread(revoke, owner, made)
            with pytest.raises(NoToken):
                await asyncio.wait_for(task, 30)


@pytest.mark.nightly
async def test_a_bot_that_was_killed_goes_on_with_its_game(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client:
            async with living(client):
                game = await asyncio.to_thread(answered, bert, await asyncio.to_thread(challenge, bert, bot_id))
                seat = await asyncio.to_thread(bert.join_session, game.session_id)
                started = await asyncio.to_thread(
                    lambda: next(one for one in seat.watch() if one.session.state == sessions_pb2.Session.STATE_RUNNING)
                )
                assert started.session.seats
            async with living(client):
                outcome = await asyncio.to_thread(seat.play, choose)
    assert outcome.places


def test_the_example_answers_and_plays(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        process = subprocess.Popen([sys.executable, EXAMPLE, deployment.grpc_address, made.api_token])
        try:
            game = answered(bert, challenge(bert, bot_id))
            assert bert.join_session(game.session_id).play(choose).places
        finally:
            process.kill()
            process.wait()


def test_a_token_acts_for_its_own_player_only(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner:
        _, made = bot_of(owner)
        other_id, _ = bot_of(owner, "Other")
        with Client(deployment.grpc_address, token=made.api_token) as client:
            session = client.call(client.service.ListSessions, play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE))
            assert not session.sessions
            one = challenge(owner, other_id)
            answer = opponents_pb2.AnswerChallengeRequest(challenge_id=one, accept=True)
            with pytest.raises(Exception, match="challenge"):
                client.call(client.service.AnswerChallenge, answer)


async def test_an_exception_of_a_bot_ends_its_run_and_another_run_goes_on_with_its_game(deployment: Deployment) -> None:
    def raises(_: sessions_pb2.Update) -> Action:
        raise LookupError("no idea")

    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        with Client(deployment.grpc_address, token=made.api_token) as client:
            running = asyncio.create_task(asyncio.to_thread(client.run, raises))
            game = await asyncio.to_thread(answered, bert, await asyncio.to_thread(challenge, bert, bot_id))
            seat = await asyncio.to_thread(bert.join_session, game.session_id)
            playing = asyncio.create_task(asyncio.to_thread(seat.play, choose))
            with pytest.raises(LookupError, match="no idea"):
                await running
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as again, living(again):
            assert (await playing).places


def begun(client: Client, bot_id: str) -> Seat:
    """Return a seat at a game with a bot that has begun: the bot may sit down later than its opponent."""
    seat = client.join_session(answered(client, challenge(client, bot_id)).session_id)
    until_state(seat, sessions_pb2.Session.STATE_RUNNING, sessions_pb2.Session.STATE_FINISHED)
    return seat


async def test_accepts_is_asked_about_a_rematch_and_an_unwanted_one_is_declined(deployment: Deployment) -> None:
    asked: list[opponents_pb2.Challenge] = []

    def once(one: opponents_pb2.Challenge) -> bool:
        asked.append(one)
        return len(asked) < 3

    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client, living(client, accepts=once):
            seat = await asyncio.to_thread(begun, bert, bot_id)
            await asyncio.to_thread(seat.resign)
            again = await asyncio.to_thread(rematch, seat)
            await asyncio.to_thread(until_state, again, sessions_pb2.Session.STATE_RUNNING)
            await asyncio.to_thread(again.resign)
            last = await asyncio.to_thread(rematch, again)
            await asyncio.wait_for(asyncio.to_thread(until_declined, last), 30)
    player = bert.player
    assert player is not None
    questions = [(one.challenge_id != "", one.session_id, one.challenger.player_id, one.game) for one in asked]
    assert questions == [
        (True, "", player.id, "einstein"),
        (False, again.session_id, player.id, "einstein"),
        (False, last.session_id, player.id, "einstein"),
    ]


async def test_a_rematch_waits_until_the_bot_has_room_also_across_a_restart(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client:
            async with living(client, at_once=1):
                seat = await asyncio.to_thread(begun, bert, bot_id)
                await asyncio.to_thread(seat.resign)
                other = await asyncio.to_thread(begun, owner, bot_id)
                again = await asyncio.to_thread(rematch, seat)
                late = await asyncio.to_thread(answered, bert, await asyncio.to_thread(challenge, bert, bot_id))
                assert late.decline_reason == opponents_pb2.DECLINE_REASON_LATER
                assert (await asyncio.to_thread(again.update)).session.state == sessions_pb2.Session.STATE_WAITING
            async with living(client, at_once=1):
                await asyncio.to_thread(other.resign)
                await asyncio.wait_for(asyncio.to_thread(until_state, again, sessions_pb2.Session.STATE_RUNNING), 30)


async def test_a_table_that_a_bot_has_only_created_is_left_to_others(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client:
            created = await client.create_session("einstein", [nobody(), nobody()])
            sits = await client.create_session("einstein", [me(), nobody()])
            async with living(client):
                await asyncio.to_thread(begun, bert, bot_id)  # by now it has looked at its tables
                tables = [(await client.spectator(one.session.id).update()).session for one in (created, sits)]
    assert [sum(seat.HasField("occupant") for seat in table.seats) for table in tables] == [0, 1]


@pytest.mark.parametrize("how", ["leave", "resign", "function"])
async def test_a_game_is_left_resigned_or_up_to_a_function_after_a_mistake(deployment: Deployment, how: str) -> None:
    noted: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def decide(seat: AsyncSeat, mistake: Refused) -> None:
        await seat.say("Sorry")
        await noted.put((seat.session_id, type(mistake).__name__))

    def note(seat: AsyncSeat, _outcome: games_pb2.Outcome) -> None:
        noted.put_nowait((seat.session_id, "ended"))

    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client:
            on_mistake = decide if how == "function" else how
            task = asyncio.create_task(client.run(lambda _: "no notation", on_mistake=on_mistake, ended=note))  # type: ignore[arg-type]
            seat = await asyncio.to_thread(begun, bert, bot_id)
            playing = asyncio.create_task(asyncio.to_thread(seat.play, choose))
            if how == "resign":
                assert (await asyncio.wait_for(playing, 30)).winners == [seat.number]
                assert await asyncio.wait_for(noted.get(), 30) == (seat.session_id, "ended")
            elif how == "function":
                assert await asyncio.wait_for(noted.get(), 30) == (seat.session_id, "Malformed")
            else:
                await asyncio.to_thread(begun, owner, bot_id)  # the bot goes on with others
            if how != "resign":
                assert (await asyncio.to_thread(seat.update)).session.state == sessions_pb2.Session.STATE_RUNNING
                await asyncio.to_thread(seat.resign)
                await playing
            task.cancel()
            await asyncio.wait([task])


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("over", [105, at_night(5000)])
async def test_a_bot_that_was_started_again_finds_its_game_behind_all_that_are_over(deployment: Deployment, over: int) -> None:
    with contextlib.ExitStack() as stack:
        owner, *others = [stack.enter_context(Client(deployment.grpc_address, name=name)) for name in "ABCDEF"]
        _, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client:

            async def begin(other: Client) -> tuple[AsyncSeat, Seat]:
                table = await asyncio.to_thread(other.create_session, "einstein", [nobody(), me()])
                return await client.join_session(table.session.id), table.seat

            _, waiting = await begin(owner)
            for number in range(over):
                seat, _ = await begin(others[number % len(others)])  # it is the bot's turn, which is news
                await seat.resign()
            async with living(client):
                assert (await asyncio.wait_for(asyncio.to_thread(waiting.play, choose), 60)).places


async def test_a_bot_takes_its_seat_back_when_its_token_has_become_void(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with AsyncClient(deployment.grpc_address, token=made.api_token) as client, living(client):
            seat = await asyncio.to_thread(begun, bert, bot_id)
            await asyncio.to_thread(until_it_may_act, seat)
            await client.join_session(seat.session_id, 1 - seat.number)  # the bot only watches now
            assert (await asyncio.wait_for(asyncio.to_thread(seat.play, choose), 60)).places
