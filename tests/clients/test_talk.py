"""Talk at a table, in the Python client: what becomes of messages, and a running deployment."""

import asyncio
from itertools import islice

import pytest

from brettwerk.v1 import play_pb2, talk_pb2
from brettwerk_client import AsyncClient, Client, Refused, me, nobody
from brettwerk_client.talk import TalkProgress
from deploy.local.deployment import Deployment


def talk(*ids: str, whole: bool = False) -> play_pb2.WatchResponse:
    lines = [talk_pb2.TalkLine(id=one) for one in ids]
    return play_pb2.WatchResponse(talk=talk_pb2.Talk(lines=lines, whole=whole))


def test_each_line_comes_once_however_often_all_of_them_are_sent() -> None:
    progress = TalkProgress()
    messages = (talk("a", whole=True), talk("b"), talk("a", "b", "c", whole=True), talk("c"), talk("d"), play_pb2.WatchResponse())
    assert [line.id for message in messages for line in progress.take(message)] == ["a", "b", "c", "d"]


@pytest.mark.e2e
def test_bots_talk_in_words_and_phrases_which_everybody_reads_in_their_language(deployment: Deployment) -> None:
    with (
        Client(deployment.grpc_address, name="Ada") as ada,
        Client(deployment.grpc_address, name="Bert") as bert,
        Client(deployment.grpc_address, name="Clara") as clara,
    ):
        table = ada.create_session("emperado", [me(), nobody(), nobody()])
        seat, other = table.seat, bert.join_session(table.session.id, 1)
        clara.join_session(table.session.id, 2)
        seat.say("Hello")
        other.say(phrase="good_luck")
        seat.say("Peace?", to_seat=1)
        heard = list(islice(other.talk(), 3))
        assert [(line.name, line.text) for line in heard] == [("Ada", "Hello"), ("Bert", ""), ("Ada", "Peace?")]
        assert bert.phrases("emperado", "de")[heard[1].phrase] == "Viel Glück und viel Spaß!"
        with pytest.raises(Refused):
            seat.say("")


@pytest.mark.e2e
async def test_a_program_on_asyncio_talks_too(deployment: Deployment) -> None:
    async with AsyncClient(deployment.grpc_address, name="Ada") as ada, AsyncClient(deployment.grpc_address, name="Eve") as eve:
        table = await ada.create_session("einstein", [me(), nobody()])
        watcher = eve.spectator(table.session.id)
        lines = watcher.talk()
        await table.seat.say("Hello")
        async with asyncio.timeout(60):
            assert (await anext(lines)).text == "Hello"
            await watcher.say(phrase="hello")
            assert (await anext(lines)).phrase == "hello"
        assert (await eve.phrases("einstein"))["hello"] == "Hello!"
