"""Tokens of calls between services: for which service and how long they are good, and what is told without the key for them."""

import subprocess
import sys
import time

import grpc
import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk.v1 import errors_pb2
from deploy.local.folder import inner_key
from services.runtime.endpoint import CallInterceptor
from services.runtime.inner_calls import (
    HEADER,
    MAX_AGE_S,
    RENEW_S,
    Callers,
    InnerKeys,
    Tokens,
    by_all_names,
    inner_keys,
    needed_inner_keys,
    signing,
)
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from tests.given_settings import GivenSettings
from tests.night import at_night

RULES, SESSION = "brettwerk.internal.v1.RulesService", "brettwerk.internal.v1.SessionService"
OLD, NEW, OTHER = ("o" * 32, "n" * 32, "x" * 32)


def refused(keys: InnerKeys, token: str, service: str = RULES) -> str:
    with pytest.raises(Refused) as caught:
        keys.check(token, service)
    assert caught.value.reason == errors_pb2.REASON_UNKNOWN_CALLER
    assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
    return caught.value.refusal.message


def test_a_token_names_its_caller_and_is_good_for_one_service() -> None:
    keys = InnerKeys([NEW])
    token = keys.token("session", RULES)
    assert keys.check(token, RULES) == "session"
    assert "another service" in refused(keys, token, SESSION)
    assert NEW not in token


def test_a_token_is_good_for_some_minutes_by_whichever_clock_is_ahead() -> None:
    keys, now = InnerKeys([NEW]), time.time()
    for off in (-MAX_AGE_S + 30, 0, MAX_AGE_S - 30):
        assert keys.check(keys.token("session", RULES, now + off), RULES) == "session"
    for off in (-MAX_AGE_S - 30, MAX_AGE_S + 30):
        assert "clock" in refused(keys, keys.token("session", RULES, now + off))


def test_a_caller_uses_no_old_token_after_its_host_has_slept_or_its_clock_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, now_s = InnerKeys([NEW]), time.time()
    tokens = Tokens("session", keys)
    monkeypatch.setattr(time, "time", lambda: now_s)
    first = tokens.now(RULES)
    now_s += RENEW_S / 2
    assert tokens.now(RULES) == first
    for slept_s in (8 * 3600, -3600):  # meanwhile the monotonic clock has gone on by next to nothing
        now_s += slept_s
        assert keys.check(tokens.now(RULES), RULES) == "session"


@pytest.mark.parametrize(
    "token",
    [
        *("", "1", "1.session.1", "Bearer x", "x" * 8000, "\ud800", "1.a.1." + "é" * 64, "1.a.١٢." + "0" * 64),
        *(f"{start}.1790000000.{'0' * 64}" for start in ("1.session", "2.session", "1.SESSION", "1.", "1." + "a" * 33)),
    ],
)
def test_text_that_is_no_token_is_refused(token: str) -> None:
    refused(InnerKeys([NEW]), token)


def test_no_word_of_a_token_can_be_changed() -> None:
    keys = InnerKeys([NEW])
    token = keys.token("session", RULES)
    _, caller, at, signature = token.split(".")
    for forged in (f"1.gateway.{at}.{signature}", f"1.{caller}.{int(at) + 1}.{signature}", f"1.{caller}.{at}.{'0' * 64}"):
        refused(keys, forged)


def test_a_key_is_replaced_while_the_old_one_is_still_used() -> None:
    old, both, turned, new = InnerKeys([OLD]), InnerKeys([OLD, NEW]), InnerKeys([NEW, OLD]), InnerKeys([NEW])
    for before, after in ((old, both), (both, turned), (turned, new)):
        assert (
            before.check(after.token("session", RULES), RULES) == after.check(before.token("session", RULES), RULES) == "session"
        )
    refused(old, new.token("session", RULES))


def test_a_process_with_the_secret_key_makes_the_key_that_the_launcher_gives_to_all() -> None:
    derived = inner_keys(Settings(inner_key="", secret_key="s" * 32))  # type: ignore[arg-type]
    given = inner_keys(Settings(inner_key=inner_key("s" * 32), secret_key=""))  # type: ignore[arg-type]
    assert derived is not None
    assert given is not None
    assert given.check(derived.token("session", RULES), RULES) == "session"
    assert inner_keys(Settings(inner_key="", secret_key="")) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("module", "given", "sentence"),
    [
        ("services.rules", {}, "BRETTWERK_INNER_KEY is not set"),
        *(at_night(module, {}, "BRETTWERK_INNER_KEY is not set") for module in ("services.ai", "services.ai.worker")),
        at_night("services.rules", {"BRETTWERK_INNER_KEY": ",".join((OLD, NEW, OTHER))}, "BRETTWERK_INNER_KEY must be one key"),
    ],
)
def test_without_a_key_a_process_does_not_start_and_says_so(module: str, given: dict[str, str], sentence: str) -> None:
    done = subprocess.run([sys.executable, "-m", module], env=given, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert len(done.stderr.splitlines()) == 1
    assert not any(key in done.stderr for key in (OLD, NEW, OTHER))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"inner_key": "short"}, "BRETTWERK_INNER_KEY must be one key, or two"),
        ({"inner_key": ",".join((OLD, NEW, OTHER))}, "BRETTWERK_INNER_KEY must be one key, or two"),
        ({"inner_key": "", "secret_key": "short"}, "BRETTWERK_SECRET_KEY must have at least 32"),
    ],
)
def test_an_invalid_key_is_reported_and_kept_secret(
    capsys: pytest.CaptureFixture[str], given: dict[str, str], sentence: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        needed_inner_keys(GivenSettings(**given))
    assert ended.value.code == 2
    (written,) = capsys.readouterr().err.splitlines()
    assert written.startswith(sentence)
    assert not any(key in written for key in (OLD, NEW, OTHER))


class Servicer(rules_pb2_grpc.RulesServiceServicer):
    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: object) -> rules_pb2.FindGamesResponse:
        return rules_pb2.FindGamesResponse(next_page_token="answered")


async def asked(callers: Callers, *metadata: tuple[str, str], keys: InnerKeys | None = None, times: int = 1) -> str:
    """Return what a server that asks this of its callers answers: a code, or `answered`."""
    server = grpc.aio.server(interceptors=[CallInterceptor("asked", callers)])
    rules_pb2_grpc.add_RulesServiceServicer_to_server(Servicer(), by_all_names(server))  # type: ignore[abstract]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    said = set()
    try:
        for _ in range(times):
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as plain:
                channel = signing(plain, "tests", keys) if keys is not None else plain
                stub = rules_pb2_grpc.RulesServiceStub(channel)
                try:
                    said.add((await stub.FindGames(rules_pb2.FindGamesRequest(), metadata=metadata, timeout=20)).next_page_token)
                except grpc.aio.AioRpcError as error:
                    said.add(error.code().name)
    finally:
        await server.stop(None)
    (answer,) = said
    return answer


async def test_a_caller_without_a_token_is_named_in_the_logs_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert await asked(Callers(InnerKeys([NEW])), times=3) == "UNAUTHENTICATED"
    logged = [line for line in capsys.readouterr().out.splitlines() if "unknown caller" in line]
    assert len(logged) == 1
    assert "127.0.0.1" in logged[0]
    assert "no token of this installation" in logged[0]


async def test_while_a_version_without_tokens_is_replaced_only_a_token_that_is_no_good_is_refused() -> None:
    offered = Callers(InnerKeys([NEW]), are_required=False)
    assert await asked(offered) == "answered"
    assert await asked(offered, keys=InnerKeys([NEW])) == "answered"
    assert await asked(offered, keys=InnerKeys([OTHER])) == "UNAUTHENTICATED"
    assert await asked(offered, (HEADER, "nonsense")) == "UNAUTHENTICATED"


async def test_a_token_goes_beside_what_else_a_call_tells() -> None:
    assert await asked(Callers(InnerKeys([NEW])), ("traceparent", "00-" + "1" * 32 + "-" + "1" * 16 + "-01"), keys=InnerKeys([NEW])) == "answered"  # fmt: skip # noqa: E501
