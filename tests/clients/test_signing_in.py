"""Identity of the Python client, and how it gets there: links, phrases, passwords, encrypted channels; and whom it meets."""

import asyncio
import uuid
from pathlib import Path

import grpc
import pytest

from brettwerk.v1 import accounts_pb2, sessions_pb2
from brettwerk_client import AsyncClient, Client, Timing, computer, me, refusals
from deploy.local.deployment import Deployment
from tests.clients.tls_end import tls_end

pytestmark = pytest.mark.e2e
PASSWORD = "four unlikely words together"


def proof_of(client: Client, way: str) -> accounts_pb2.SignInRequest:
    """Let the player of a client have a way to sign in, and return what proves who it is."""
    if way == "link":
        return accounts_pb2.SignInRequest(link=client.call(client.service.StartLink, accounts_pb2.StartLinkRequest()).code)
    if way == "phrase":
        return accounts_pb2.SignInRequest(phrase=client.call(client.service.SetPhrase, accounts_pb2.SetPhraseRequest()).phrase)
    login = f"ada.{uuid.uuid4().hex[:12]}"
    client.call(client.service.SetPassword, accounts_pb2.SetPasswordRequest(login=login, password=PASSWORD))
    return accounts_pb2.SignInRequest(login=accounts_pb2.LoginProof(login=login, password=PASSWORD))


@pytest.mark.parametrize("way", ["link", "phrase", "password"])
async def test_a_player_who_proves_their_identity_is_the_same_player_elsewhere(deployment: Deployment, way: str) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address) as other:
        proof = await asyncio.to_thread(proof_of, ada, way)
        assert ada.player is not None
        signed_in = await asyncio.to_thread(other.sign_in, proof)
        assert (signed_in.id, signed_in.name, other.player) == (ada.player.id, "Ada", signed_in)
        assert await asyncio.to_thread(other.create_session, "einstein", [me(), computer("easy")])
        assert signed_in.device_token
        if way != "link":  # which is good for once
            async with AsyncClient(deployment.grpc_address) as third:
                proof.device_tokens.append(signed_in.device_token)
                again = await third.sign_in(proof)
                assert (again.id, again.device_token) == (ada.player.id, signed_in.device_token)
        else:
            with pytest.raises(refusals.Refused):
                await asyncio.to_thread(other.sign_in, proof)


def test_a_refusal_for_lack_of_fresh_proof_names_the_possible_ways(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        phrase = ada.call(ada.service.SetPhrase, accounts_pb2.SetPhraseRequest()).phrase
        with pytest.raises(refusals.ProofNeeded) as refused:
            ada.call(ada.service.StartLink, accounts_pb2.StartLinkRequest())
        assert (refused.value.refusal.details["ways"], refused.value.refusal.details["proof"]) == ("phrase", "missing")
        proved = accounts_pb2.StartLinkRequest(proof=accounts_pb2.FreshProof(phrase=phrase))
        assert ada.call(ada.service.StartLink, proved).code


async def test_calls_and_watches_are_encrypted_where_the_server_wants_it(deployment: Deployment, tmp_path: Path) -> None:
    async with tls_end(deployment.grpc_address, tmp_path) as (address, authority):
        trusted = grpc.ssl_channel_credentials(authority)

        def play() -> None:
            with Client(address, name="Ada", tls=trusted) as client:
                seat = client.create_session("einstein", [me(), computer("easy")]).seat
                before = seat.update()
                seat.act(before.version, before.actions[0])
                watched = next(seat.watch(after_version=before.version))
                assert watched.happening.kind == sessions_pb2.Happening.KIND_ACTED

        await asyncio.to_thread(play)
        async with AsyncClient(address, name="Bert", tls=trusted) as bert:
            table = await bert.create_session("einstein", [me(), computer("easy")])
            assert (await table.seat.update()).session.id == table.session.id


async def test_a_server_whose_authority_is_unknown_is_not_talked_to(deployment: Deployment, tmp_path: Path) -> None:
    timing = Timing(retries_s=1, call_s=1)
    async with (
        tls_end(deployment.grpc_address, tmp_path) as (address, _),
        AsyncClient(address, name="Ada", tls=True, timing=timing) as ada,
    ):
        with pytest.raises(refusals.Unavailable):
            await ada.games()


async def test_two_players_find_each_other_one_of_them_on_asyncio(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        async with AsyncClient(deployment.grpc_address, name="Bert") as bert:
            found = await asyncio.gather(asyncio.to_thread(ada.find_opponent, "einstein"), bert.find_opponent("einstein"))
            assert found[0].session_id == found[1].session_id
            assert {found[0].number, found[1].number} == {0, 1}


async def test_updates_lack_the_parts_that_were_left_out(deployment: Deployment) -> None:
    field = sessions_pb2.Update.Field
    async with AsyncClient(deployment.grpc_address, name="Ada") as ada:
        seat = (await ada.create_session("einstein", [me(), computer("easy")])).seat
        whole = await seat.update()
        assert whole.actions
        assert whole.HasField("view")
        small = await seat.update(leave_out=[field.FIELD_ACTIONS, field.FIELD_VIEW])
        assert not small.actions
        assert not small.HasField("view")
        async for watched in seat.watch(leave_out=[field.FIELD_ACTIONS]):
            assert not watched.actions
            assert watched.HasField("view")
            break
