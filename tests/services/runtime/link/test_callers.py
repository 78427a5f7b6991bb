"""The right to call over a link: tokens, and certificates where connections are encrypted."""

import asyncio
import ssl
from pathlib import Path
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc, rules_pb2
from brettwerk.v1 import errors_pb2
from services.runtime import identity
from services.runtime.identity import Identity
from services.runtime.inner_calls import InnerKeys, signing
from services.runtime.link.addresses import Place
from services.runtime.link.link import Link
from tests.certificates import Authority
from tests.services.runtime.link.ends import Awaited, channel_to, reason_of, say, served, slow_echo, until

KEY, OTHER = InnerKeys(["n" * 32]), InnerKeys(["x" * 32])


async def test_a_link_needs_a_token_of_the_installation_for_the_service(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor may a client hear of it as if its own token were bad: it would throw that away."""
    async with served(Awaited(slow_echo), keys=KEY) as (_, where):  # type: ignore[abstract]
        async with channel_to(where, keys=KEY) as stub:
            assert (await stub.FindGames(say("x"), timeout=20)).next_page_token == "x"
        async with channel_to(where, keys=OTHER) as stub:
            assert (await reason_of(stub.FindGames(say("x"), timeout=20))).reason == errors_pb2.REASON_UNAVAILABLE
        async with channel_to(where, keys=KEY) as stub:
            stub.channel._terms.grpc_service = "brettwerk.internal.v1.SessionService"  # a token that leaked from another service
            assert (await reason_of(stub.FindGames(say("x"), timeout=20))).reason == errors_pb2.REASON_UNAVAILABLE
        async with grpc.aio.insecure_channel(where) as channel:
            stream = link_pb2_grpc.LinkServiceStub(channel).Open()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stream.read()
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    logged = [line for line in capsys.readouterr().out.splitlines() if "unknown caller" in line]
    assert len(logged) == 1


def own_of(authority: Authority, name: str) -> Identity:
    files = authority.issue(name)
    return Identity(*(files[f"BRETTWERK_TLS_{part}"] for part in ("CERTIFICATE", "KEY", "AUTHORITY")))


async def test_both_sides_show_certificates_of_one_authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deployment, strangers = Authority(tmp_path), Authority(tmp_path, "strangers")
    known, unknown = own_of(deployment, "known"), own_of(strangers, "unknown")
    async with served(Awaited(slow_echo), own=own_of(deployment, "server")) as (server, where):  # type: ignore[abstract]
        monkeypatch.setattr("services.runtime.link.channel.identity", lambda: known)
        async with channel_to(where) as stub:
            page = await stub.FindGame(rules_pb2.FindGameRequest(game="3000000"), timeout=20)
            assert len(page.rules_page) == 3_000_000
        for own in (unknown, None):
            monkeypatch.setattr("services.runtime.link.channel.identity", lambda own=own: own)
            async with channel_to(where) as stub:
                assert (await reason_of(stub.FindGames(say("x"), timeout=20))).reason == errors_pb2.REASON_UNAVAILABLE
        await until(lambda: not server._connections)
        for name in ("somebody.else",):  # the name in the certificate is that of the address
            monkeypatch.setattr("services.runtime.link.channel.identity", lambda: known)
            async with channel_to(where) as stub:
                (place,) = await stub.channel._servers._address.places()
                elsewhere = type(place)(host=place.host, port=place.port, name=name)
                link = stub.channel._servers
                with pytest.raises(ssl.SSLCertVerificationError):
                    await link._connect(_new_link(stub, elsewhere), elsewhere)


def _new_link(stub: Any, place: Place) -> Link:
    return Link(stub.channel._terms, place)


async def test_grpcio_speaks_to_us_encrypted(tmp_path: Path) -> None:
    deployment = Authority(tmp_path)
    async with served(Awaited(slow_echo), own=own_of(deployment, "server"), keys=KEY) as (_, where):  # type: ignore[abstract]
        secure = grpc.aio.secure_channel(where, own_of(deployment, "caller").for_channel())
        async with signing(secure, "tests", KEY) as channel:
            # A token for the service that the link is to carry calls of.
            stream = link_pb2_grpc.LinkServiceStub(channel).Open()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stream.read()
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        async with grpc.aio.secure_channel(where, own_of(deployment, "caller").for_channel()) as channel:
            token = KEY.token("tests", "brettwerk.internal.v1.RulesService")
            stream = link_pb2_grpc.LinkServiceStub(channel).Open(metadata=(("brettwerk-caller", token),))
            call = link_pb2.LinkCall(
                id=1, method="/brettwerk.internal.v1.RulesService/FindGames", request=say("x").SerializeToString()
            )
            await stream.write(link_pb2.OpenRequest(calls=[call]))
            answers = await stream.read()
            assert isinstance(answers, link_pb2.OpenResponse)
            assert answers.answers[0].response == b"\x12\x01x"
            stream.cancel()


async def test_renewed_certificates_are_shown_to_the_next_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "LOOK_S", 0.02)
    deployment = Authority(tmp_path)
    own = own_of(deployment, "server")
    async with served(Awaited(slow_echo), own=own) as (_, where):  # type: ignore[abstract]
        host, _, port = where.rpartition(":")

        async def shown() -> bytes:
            context = own_of(deployment, "caller").caller_context()
            connected = asyncio.open_connection(host, int(port), ssl=context, server_hostname=host)
            _, writer = await connected
            certificate: bytes = writer.get_extra_info("ssl_object").getpeercert(True)
            writer.close()
            return certificate

        first = await shown()
        assert await shown() == first
        deployment.issue("server")
        while await shown() == first:  # noqa: ASYNC110 - the files are looked at in between
            await asyncio.sleep(0.01)


async def test_a_caller_without_http2_is_cut_off(tmp_path: Path) -> None:
    deployment = Authority(tmp_path)
    async with served(Awaited(slow_echo), own=own_of(deployment, "server")) as (server, where):  # type: ignore[abstract]
        host, _, port = where.rpartition(":")
        context = own_of(deployment, "caller").caller_context()
        context.set_alpn_protocols(["http/1.1"])
        reader, writer = await asyncio.open_connection(host, int(port), ssl=context, server_hostname=host)
        assert await reader.read() == b""
        writer.close()
        await until(lambda: not server._connections)
