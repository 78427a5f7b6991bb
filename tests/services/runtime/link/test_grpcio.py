"""Our callers, and a server of links that gRPC's own library runs: what is on the wire is gRPC."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc, rules_pb2, session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.inner_calls import by_all_names
from services.runtime.link import LinkChannel
from services.runtime.refusal import Refused, malformed, status_details
from tests.certificates import Authority, credentials_of
from tests.services.runtime.link.ends import channel_to, reason_of, say, until
from tests.services.runtime.link.test_callers import own_of


class Served(link_pb2_grpc.LinkServiceServicer, session_pb2_grpc.SessionServiceServicer):
    """Answers each call with what it was asked, in as many bytes as it says; waits before those that say so."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.given_up: list[int] = []

    async def Open(self, request_iterator: Any, context: Any) -> AsyncIterator[link_pb2.OpenResponse]:
        async for batch in request_iterator:
            self.given_up += batch.given_up
            response = link_pb2.OpenResponse()
            for call in batch.calls:
                text = rules_pb2.FindGamesRequest.FromString(call.request).page_token
                if text == "refuse":
                    response.answers.add(id=call.id, refusal=malformed("x", "no").refusal)
                elif text == "end":
                    refusal = malformed("y", "not so").refusal
                    await context.abort(
                        grpc.StatusCode.INVALID_ARGUMENT, "not so", (("grpc-status-details-bin", status_details(refusal)),)
                    )
                elif text != "never":
                    answer = rules_pb2.FindGamesResponse(next_page_token=text * 3)
                    response.answers.add(id=call.id, response=answer.SerializeToString())
            yield response

    async def TailSessions(self, request_iterator: Any, context: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        async for request in request_iterator:
            for number in request.unfollow:
                yield session_pb2.TailSessionsResponse(tails=[session_pb2.Tail(ids=[number], message=bytes(200_000))])


@contextlib.asynccontextmanager
async def running(credentials: grpc.ServerCredentials | None = None) -> AsyncIterator[tuple[Served, str, grpc.aio.Server]]:
    server = grpc.aio.server(options=(("grpc.max_receive_message_length", -1),))
    servicer = Served()  # type: ignore[abstract]
    link_pb2_grpc.add_LinkServiceServicer_to_server(servicer, by_all_names(server))
    session_pb2_grpc.add_SessionServiceServicer_to_server(servicer, by_all_names(server))
    where = "127.0.0.1:0"
    port = server.add_secure_port(where, credentials) if credentials else server.add_insecure_port(where)
    await server.start()
    try:
        yield servicer, f"127.0.0.1:{port}", server
    finally:
        await server.stop(None)


@pytest.mark.parametrize("is_encrypted", [False, True], ids=["plain", "encrypted"])
async def test_calls_are_answered_refused_and_given_up(
    is_encrypted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = Authority(tmp_path)
    if is_encrypted:
        caller = own_of(deployment, "caller")
        monkeypatch.setattr("services.runtime.link.channel.identity", lambda: caller)
    async with (
        running(credentials_of(deployment, "server") if is_encrypted else None) as (servicer, where, _),
        channel_to(where) as stub,
    ):
        texts = [str(n) for n in range(2000)]
        answers = await asyncio.gather(*(stub.FindGames(say(text), timeout=20) for text in texts))
        assert [answer.next_page_token for answer in answers] == [text * 3 for text in texts]
        large = await asyncio.gather(*(stub.FindGames(say("x" * 700_000), timeout=60) for _ in range(4)))
        assert {len(answer.next_page_token) for answer in large} == {2_100_000}
        assert (await reason_of(stub.FindGames(say("refuse"), timeout=20))).field == "x"
        assert (await reason_of(stub.FindGames(say("never"), timeout=0.1))).reason == errors_pb2.REASON_DEADLINE
        await until(lambda: len(servicer.given_up) == 1)
        assert (await reason_of(stub.FindGames(say("end"), timeout=20))).field == "y"
        while True:  # the stream has ended, and is opened anew
            try:
                answer = await stub.FindGames(say("on"), timeout=20)
                break
            except Refused as refused:
                assert refused.reason == errors_pb2.REASON_UNAVAILABLE  # noqa: PT017 - until it is
        assert answer.next_page_token == "ononon"


async def test_a_server_that_goes_is_left() -> None:
    async with running() as (_, where, server), channel_to(where) as stub:
        await stub.FindGames(say("on"), timeout=20)
        waiting = stub.FindGames(say("never"), timeout=60)
        await until(lambda: waiting.is_sent)
        stopping = asyncio.create_task(server.stop(0.2))
        assert (await reason_of(waiting)).reason == errors_pb2.REASON_UNAVAILABLE
        await stopping


async def test_long_streams_keep_both_windows() -> None:
    async with running() as (_, where, _), LinkChannel(where, "other side") as channel:
        stream: Any = session_pb2_grpc.SessionServiceStub(channel).TailSessions()
        for number in range(100):
            await stream.write(session_pb2.TailSessionsRequest(unfollow=[number]))
        await stream.done_writing()
        got = [(response.tails[0].ids[0], len(response.tails[0].message)) async for response in stream]
        assert got == [(number, 200_000) for number in range(100)]
