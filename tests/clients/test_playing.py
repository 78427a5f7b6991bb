"""The Python client against a running deployment, also over a cable that is cut."""

import asyncio
import random
import time

import pytest

from brettwerk.v1 import accounts_pb2, errors_pb2, games_pb2, plateau_pb2, play_pb2, sessions_pb2
from brettwerk_client import Action, AsyncClient, Client, Refused, Timing, computer, me, nobody, refusals
from deploy.local.deployment import Deployment
from tests.clients.cable import Cable
from tests.e2e.stranger import FEWEST_MOVES, in_background

pytestmark = pytest.mark.e2e


def any_action(update: sessions_pb2.Update) -> Action:
    return random.choice(update.actions)


def void(_: object) -> None:
    """Forget what came of something."""


def test_a_bot_is_a_function_from_an_update_to_an_action(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")]).seat
        outcome = seat.play(any_action)
        assert sorted(outcome.places) == [1, 2]
        assert seat.update().session.state == sessions_pb2.Session.STATE_FINISHED


def test_a_board_is_learnt_without_playing_with_options_and_on_asyncio(deployment: Deployment) -> None:
    options = plateau_pb2.PlateauOptions(size=plateau_pb2.PLATEAU_SIZE_FIRST)
    with Client(deployment.grpc_address) as nobody_yet:
        assert len(nobody_yet.board("emperado").places) == 60
        board = nobody_yet.board("plateau", options, seats=3)
    assert (len(board.places), [group.owner_seat for group in board.groups]) == (264, [0, 1, 2])

    async def asked() -> games_pb2.Board:
        async with AsyncClient(deployment.grpc_address) as client:
            return await client.board("plateau", options, 3)

    assert asyncio.run(asked()) == board


def test_two_bots_play_each_other_one_with_threads_and_one_on_asyncio(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        table = ada.create_session("einstein", [me(), nobody()], public=True, title="For one more")
        assert table.session.id in [session.id for session in ada.open_sessions("einstein")]

        async def join_and_play() -> list[int]:
            async with AsyncClient(deployment.grpc_address, name="Bert") as bert:
                seat = await bert.join_session(table.session.id)

                async def think(update: sessions_pb2.Update) -> Action:
                    await asyncio.sleep(0)
                    return update.actions[0].notation

                return list((await seat.play(think)).winners)

        winners: list[int] = []
        bert = in_background(lambda: winners.extend(asyncio.run(join_and_play())))
        outcome = table.seat.play(any_action)
        bert.join(60)
        assert winners == list(outcome.winners)
        assert len(winners) == 1


@pytest.mark.parametrize("is_answer_lost", [False, True], ids=["between actions", "when the server has acted"])
def test_a_cable_that_is_cut_again_and_again_loses_nothing_and_repeats_nothing(
    deployment: Deployment, is_answer_lost: bool
) -> None:
    with Cable(deployment.grpc_address) as cable, Client(cable.address, name="Ada") as client:
        seat, other = client.create_session("einstein", [me(), me()]).seats
        seen: list[tuple[int, int]] = []
        played: list[str] = []

        def cut_and_choose(update: sessions_pb2.Update) -> Action:
            seen.append((update.version, update.happening.ply))
            if is_answer_lost:
                cable.cut_before_the_next_answer()
            else:
                cable.cut()
            played.append(update.actions[0].notation)
            return update.actions[0]

        playing = in_background(lambda: void(other.play(any_action)))
        outcome = seat.play(cut_and_choose)
        playing.join(60)
        assert cable.cuts >= len(played) >= FEWEST_MOVES
        assert len(outcome.winners) == 1
        request = play_pb2.ListUpdatesRequest(session_id=seat.session_id, seat_token=seat.token, page_size=1000)
        updates = client.call(client.service.ListUpdates, request).updates
        acted = [each.happening for each in updates if each.happening.kind == sessions_pb2.Happening.KIND_ACTED]
        assert [happening.notation for happening in acted if happening.seat == 1] == played
        assert len(acted) == updates[-1].session.plies


DEAD_S = 10.0
"""How soon a line that is open and carries nothing is given up for another while an answer is awaited."""


def test_a_line_that_is_dead_during_an_action_is_given_up_and_the_action_carried_out_once(deployment: Deployment) -> None:
    with Cable(deployment.grpc_address) as cable, Client(cable.address, name="Ada") as client:
        seat, other = client.create_session("einstein", [me(), me()]).seats
        update = seat.update()
        mover = seat if seat.number in update.to_act else other
        seen = mover.update()
        cable.die_before_the_next_answer()
        began = time.monotonic()
        acted = mover.act(seen, seen.actions[0])
        assert time.monotonic() - began < DEAD_S
        assert acted.version == seen.version + 1 == mover.update().version


async def test_a_line_that_is_dead_during_a_call_is_given_up_on_asyncio(deployment: Deployment) -> None:
    with Cable(deployment.grpc_address) as cable:
        async with AsyncClient(cable.address, name="Ada") as client:
            await client.token()
            cable.die_before_the_next_answer()
            began = time.monotonic()
            assert (await client.create_session("einstein", [me(), me()])).seats
            assert time.monotonic() - began < DEAD_S


async def test_a_watch_on_asyncio_goes_on_where_it_was_cut(deployment: Deployment) -> None:
    with Cable(deployment.grpc_address) as cable:
        async with AsyncClient(deployment.grpc_address, name="Ada") as ada, AsyncClient(cable.address) as nobody_in_particular:
            table = await ada.create_session("einstein", [me(), computer("easy")])
            playing = asyncio.create_task(table.seat.play(any_action))
            versions = []
            async for update in nobody_in_particular.spectator(table.session.id).watch():
                versions.append(update.version)
                cable.cut()
            await playing
            assert versions == list(range(versions[0], versions[-1] + 1))
            assert update.session.outcome.winners


def test_refusals_are_exceptions_that_say_what_the_server_says(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as client, Client(deployment.grpc_address) as nobody_in_particular:
        seat = client.create_session("einstein", [me(), me()]).seats[0]
        with pytest.raises(refusals.Unknown):
            client.join_session("07aaaaaaaaaaaaaaaaaaaaaa")
        with pytest.raises(refusals.NoToken):
            nobody_in_particular.create_session("einstein", [me(), computer("easy")])
        with pytest.raises(refusals.Malformed) as malformed:
            client.create_session("einstein", [me()] * 7)
        assert malformed.value.refusal.field == "seats"
        with pytest.raises(refusals.StaleVersion) as stale:
            seat.act(seat.update().position_version - 1, seat.update().actions[0])
        assert stale.value.refusal.head_version == seat.update().version
        login = accounts_pb2.LoginProof(login="nobody.here", password="not the password")
        with pytest.raises(Refused) as guessed:
            nobody_in_particular.sign_in(accounts_pb2.SignInRequest(login=login))
        assert guessed.value.reason in (errors_pb2.REASON_NO_TOKEN, errors_pb2.REASON_UNKNOWN)


def test_kept_tokens_give_the_same_player_at_the_same_seat(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")]).seat
        player, token = client.player, client.token
    with Client(deployment.grpc_address, token=token) as again:
        mine = again.call(again.service.ListSessions, play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE))
        assert [session.id for session in mine.sessions] == [seat.session_id]
        assert player is not None
        assert mine.sessions[0].seats[0].occupant.person.player_id == player.id
        again.seat(seat.session_id, seat.number, seat.token).resign()


def test_a_server_that_is_not_there_is_asked_again_for_as_long_as_said(deployment: Deployment) -> None:
    with Cable("127.0.0.1:9") as cable, Client(cable.address, timing=Timing(retries_s=1.5, call_s=0.5)) as client:
        with pytest.raises(refusals.Unavailable):
            client.games()
        with pytest.raises(refusals.Unavailable):
            list(client.spectator("07aaaaaaaaaaaaaaaaaaaaaa").watch())
