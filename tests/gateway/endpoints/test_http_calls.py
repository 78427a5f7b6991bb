"""Calls as JSON: whatever is sent, the answer is JSON with a status that fits."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, sessions_pb2
from gateway.http.responses import STATUSES
from gateway.messages import json_faults
from gateway.messages.contract import MESSAGE_BYTES, METHODS
from services.runtime.refusal import Refused
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.sharing import shared_peer, shared_running
from tests.night import examples
from tests.web_client import web_client

peer, running = shared_peer, shared_running


JSON = {"content-type": "application/json"}
EINSTEIN_ACTION = "type.googleapis.com/brettwerk.v1.EinsteinAction"
EINSTEIN_OPTIONS = "type.googleapis.com/brettwerk.v1.EinsteinOptions"
REASONS = [number for name, number in errors_pb2.Reason.items() if number]


async def test_a_call_is_a_post_of_its_request(client: httpx.AsyncClient, peer: Peer, token: str) -> None:
    update = sessions_pb2.Update(session_id="07abc", version=2**53 + 1, to_act=[0])
    update.view.Pack(games_pb2.Text(key="die"))
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=update)
    response = await client.post("/v1/GetSession", json={"sessionId": "07abc"}, headers={"authorization": f"Bearer {token}"})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    found = response.json()["update"]
    assert (found["version"], found["toAct"], found["moreActions"]) == (str(2**53 + 1), [0], False)
    assert found["view"] == {"@type": "type.googleapis.com/brettwerk.v1.Text", "key": "die", "args": {}}
    assert peer.calls[0].caller.name == "Ada"


async def test_a_value_of_an_unknown_game_is_empty_and_the_rest_is_there(client: httpx.AsyncClient, peer: Peer) -> None:
    listed = play_pb2.ListSessionsResponse()
    for type_url in ("type.googleapis.com/gone.v1.GoneOptions", EINSTEIN_OPTIONS):
        session = listed.sessions.add(id="07abc")
        session.options.type_url = type_url
    peer.handlers["list_sessions"] = lambda _, __: listed
    response = await client.post("/v1/ListSessions", json={})
    assert response.status_code == 200
    assert [session["options"].get("@type") for session in response.json()["sessions"]] == [None, EINSTEIN_OPTIONS]
    assert [session["id"] for session in response.json()["sessions"]] == ["07abc", "07abc"]


async def test_fields_may_be_spelled_as_in_the_contract(client: httpx.AsyncClient, peer: Peer) -> None:
    assert (await client.post("/v1/GetSession", json={"session_id": "07abc"})).status_code == 200
    assert peer.calls[0].call.get_session.session_id == "07abc"


async def test_an_action_is_spelled_with_its_type(client: httpx.AsyncClient, peer: Peer) -> None:
    action = {"@type": "type.googleapis.com/brettwerk.v1.Text", "key": "a"}
    response = await client.post("/v1/Act", json={"sessionId": "x", "action": action, "requestId": "12345678"})
    assert response.status_code == 200
    text = games_pb2.Text()
    assert peer.calls[0].call.act.action.Unpack(text)
    assert text.key == "a"


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"]
)
async def test_a_form_is_not_a_call(client: httpx.AsyncClient, peer: Peer, content_type: str) -> None:
    response = await client.post("/v1/GetSession", content=b"{}", headers={"content-type": content_type})
    assert response.status_code == 415
    assert response.json()["refusal"]["reason"] == "REASON_MALFORMED"
    assert not peer.calls


async def test_the_content_type_may_name_its_charset(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/GetSession", content=b"{}", headers={"content-type": "Application/JSON; charset=utf-8"})
    assert response.status_code == 200


@pytest.mark.parametrize("name", ["Nope", "act", "Act/", "Watch", "Connect", "", "a" * 5000])
async def test_an_unknown_method_is_not_found(client: httpx.AsyncClient, name: str) -> None:
    response = await client.post(f"/v1/{name}", json={})
    assert response.status_code == 404
    assert response.json()["refusal"]["reason"] == "REASON_NO_SUCH_METHOD"


@pytest.mark.parametrize("verb", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_other_verbs_are_not_allowed(client: httpx.AsyncClient, verb: str) -> None:
    response = await client.request(verb, "/v1/Act")
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"
    assert response.json()["refusal"]["reason"] == "REASON_MALFORMED"
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("reason", REASONS)
async def test_every_refusal_has_a_status(client: httpx.AsyncClient, peer: Peer, reason: int) -> None:
    def refuse(_: object, __: Message) -> Message:
        raise Refused(reason, "because", retry_after_ms=1200)  # type: ignore[arg-type]

    peer.handlers["act"] = refuse
    response = await client.post("/v1/Act", json={"sessionId": "x"})
    refusal = response.json()["refusal"]
    assert refusal["reason"] == errors_pb2.Reason.Name(reason)  # type: ignore[arg-type]
    assert response.status_code == STATUSES[refusal["code"]] >= 400
    assert response.headers["retry-after"] == "2"
    assert ("www-authenticate" in response.headers) == (response.status_code == 401)


async def test_a_body_beyond_the_bound_is_not_read(client: httpx.AsyncClient, peer: Peer) -> None:
    response = await client.post("/v1/GetSession", content=b" " * (MESSAGE_BYTES + 1), headers=JSON)
    assert response.status_code == 413

    async def pieces() -> Any:
        for _ in range(MESSAGE_BYTES // 65536 + 2):
            yield b" " * 65536

    response = await client.post("/v1/GetSession", content=pieces(), headers=JSON)
    assert response.status_code == 413
    assert not peer.calls


async def test_a_record_may_be_large(client: httpx.AsyncClient, peer: Peer) -> None:
    import base64

    sealed = base64.b64encode(b"x" * 3_000_000).decode()
    response = await client.post("/v1/CheckRecord", json={"record": {"sealed": sealed}})
    assert response.status_code == 200
    assert len(peer.calls[0].call.check_record.record.sealed) == 3_000_000


@pytest.mark.parametrize("authorization", ["Bearer", "Bearer x", "Basic eDp5", "Bearer bwp1.AAAA"])
async def test_a_token_that_is_not_good_is_refused(client: httpx.AsyncClient, peer: Peer, authorization: str) -> None:
    response = await client.post("/v1/ListGames", json={}, headers={"authorization": authorization})
    assert response.status_code == 401
    assert response.json()["refusal"]["reason"] == "REASON_NO_TOKEN"
    assert not peer.calls


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"sessionId": 7}',
        b'{"sessionId": "\xff"}',
        b'{"nonsense": 1}',
        b'{"action": {"@type": "type.googleapis.com/brettwerk.v1.Nothing"}}',
        b'{"action": {"key": "no type"}}',
        b'{"expectedVersion": -1}',
        b'{"expectedVersion": 1e400}',
        b"[" * 100_000,
        b'{"a":' * 5000,
        b'{"expectedVersion": ' + b"9" * 5000 + b"}",
    ],
)
async def test_bodies_that_are_no_request_are_malformed(client: httpx.AsyncClient, body: bytes) -> None:
    response = await client.post("/v1/Act", content=body, headers=JSON)
    assert response.status_code == 400
    assert response.json()["refusal"]["reason"] == "REASON_MALFORMED"


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("CreateSession", {"game": 5}, "game"),
        ("CreateSession", {"seats": [{"me": True}, {"me": "x"}]}, "seats[1].me"),
        ("CreateSession", {"seats": [None]}, "seats[0]"),
        ("CreateSession", {"seats": {}}, "seats"),
        ("CreateSession", {"seats": [{"open": True, "me": True}]}, "seats[0].me"),
        ("CreateSession", {"gaem": "einstein"}, "gaem"),
        ("Act", {"expectedVersion": -1}, "expected_version"),
        ("Act", {"action": {"move": 1}}, "action"),
        ("Act", {"action": {"@type": "x/brettwerk.v1.Nothing"}}, "action.@type"),
        ("Act", {"action": {"@type": EINSTEIN_ACTION, "move": {"stone": "z"}}}, "action.move.stone"),
        ("Act", {"action": {"@type": EINSTEIN_ACTION, "mvoe": {}}}, "action.mvoe"),
        ("ListSessions", {"filter": "LIST_NOTHING"}, "filter"),
        ("ImportSession", {"record": {"entries": [{}, {"atMs": "x"}]}}, "record.entries[1].at_ms"),
        ("ImportSession", {"record": {"entries": [{}] * 5000 + [{"atMs": "x"}]}}, "record.entries[5000].at_ms"),
        ("Propose", {"proposal": {"options": {"@type": EINSTEIN_OPTIONS, "first": "X"}}}, "proposal.options.first"),
    ],
)
async def test_an_unreadable_field_is_named_by_its_path(client: httpx.AsyncClient, name: str, body: Any, field: str) -> None:
    refusal = (await client.post(f"/v1/{name}", json=body)).json()["refusal"]
    assert (refusal["reason"], refusal["field"]) == ("REASON_MALFORMED", field)
    assert refusal["message"].startswith(f"{field} ")


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("SearchGames", {"gaem": "einstein"}, "gaem is no field of SearchGamesRequest; there are: playerId, game, sinceMs"),
        (
            "ListSessions",
            {"filter": "LIST_NOTHING"},
            "filter is LIST_NOTHING, which is no value of ListFilter; there are: LIST_FILTER_UNSPECIFIED, LIST_FILTER_OPEN",
        ),
    ],
)
async def test_an_unknown_name_is_refused_with_the_known_ones(client: httpx.AsyncClient, name: str, body: Any, said: str) -> None:
    refusal = (await client.post(f"/v1/{name}", json=body)).json()["refusal"]
    assert refusal["message"].startswith(said)


@pytest.mark.parametrize(
    ("value", "said"),
    [(1, "1"), ("ja", '"ja"'), (1.5, "1.5"), (["x"], "a list"), ({"x": 1}, "an object"), ("ä" * 200, f'"{"ä" * 100}"')],
)
async def test_a_value_of_the_wrong_type_is_named(client: httpx.AsyncClient, value: Any, said: str) -> None:
    refusal = (await client.post("/v1/CreateSession", json={"seats": [{"me": value}]})).json()["refusal"]
    assert refusal["message"] == f"seats[0].me is {said}, not true or false"


async def test_a_value_that_should_be_a_text_is_not_repeated_since_it_may_be_a_secret(client: httpx.AsyncClient) -> None:
    refusal = (await client.post("/v1/SignIn", json={"login": {"login": "ada", "password": 271828}})).json()["refusal"]
    assert refusal["message"] == "login.password is not a text"


async def test_a_key_that_is_there_twice_is_refused(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/Act", content=b'{"sessionId": "a", "sessionId": "b"}', headers=JSON)
    assert "sessionId twice" in response.json()["refusal"]["message"]


def test_looking_for_what_cannot_be_read_ends_where_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    value: dict[str, Any] = {"record": {"entries": [{}] * 10_000 + [{"atMs": "x"}]}}
    monkeypatch.setattr(json_faults, "LOOKING_S", 0.0)
    assert json_faults.found(play_pb2.ImportSessionRequest(), value).field in ("", "record", "record.entries")


names = st.sampled_from(
    sorted({field.json_name for method in METHODS.values() for field in method.request.DESCRIPTOR.fields} | {"@type", "value"})
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["type.googleapis.com/brettwerk.v1.ActRequest", "type.googleapis.com/google.protobuf.Any", "@type"])
)
anything = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4), max_leaves=12
)


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(METHODS)), body=st.dictionaries(names, anything, max_size=4) | anything)
async def test_any_json_gets_an_answer_or_a_typed_refusal(client: httpx.AsyncClient, name: str, body: Any) -> None:
    response = await client.post(f"/v1/{name}", content=json.dumps(body).encode(), headers=JSON)
    # The gateway itself renames, and players only, and shows operators how all is; no players service runs here.
    own = {401: 16} if name == "RenamePlayer" else {404: 5, 429: 8} if METHODS[name].is_for_operators else {}
    codes = {200: 0, 400: 3} | own | ({503: 14} if METHODS[name].is_for_players else {})
    assert response.status_code in codes, response.text
    assert isinstance(response.json(), dict)
    assert response.status_code == 200 or response.json()["refusal"]["code"] == codes[response.status_code]


async def test_a_flood_says_when_to_come_again(open_gateway: OpenGateway) -> None:
    running = await open_gateway(address_rate_per_s=0.5, address_rate_burst=2)
    async with web_client(base_url=running.web) as client:
        statuses = [(await client.post("/v1/ListGames", json={})).status_code for _ in range(4)]
        assert statuses == [200, 200, 429, 429]
        response = await client.post("/v1/ListGames", json={})
        assert 1 <= int(response.headers["retry-after"]) <= 2
        large = await client.post("/v1/ListGames", content=b"not even JSON", headers=JSON)
        assert large.status_code == 429


async def test_tokens_that_are_not_good_count_as_requests(open_gateway: OpenGateway) -> None:
    running = await open_gateway(address_rate_per_s=0.1, address_rate_burst=2)
    async with web_client(base_url=running.web, headers={"authorization": "Bearer x"}) as client:
        assert [(await client.post("/v1/ListGames", json={})).status_code for _ in range(4)] == [401, 401, 429, 429]


async def test_a_player_may_have_so_many_calls_under_way(open_gateway: OpenGateway, peer: Peer) -> None:
    own = Peer()
    await own.start()
    running = await open_gateway(streams_per_address=2, session_link_address=f"127.0.0.1:{own.port}")
    own.hold.clear()
    async with web_client(base_url=running.web) as client:
        waiting = [asyncio.create_task(client.post("/v1/ListGames", json={})) for _ in range(2)]
        await own.until(lambda: len(own.calls) == 2)
        assert (await client.post("/v1/ListGames", json={})).json()["refusal"]["reason"] == "REASON_FULL"
        own.hold.set()
        assert [(await one).status_code for one in waiting] == [200, 200]
        assert (await client.post("/v1/ListGames", json={})).status_code == 200
    await running.stop()
    await own.stop()


async def test_rates_count_clients_behind_a_trusted_proxy_each_alone(open_gateway: OpenGateway) -> None:
    running = await open_gateway(address_rate_per_s=0.5, address_rate_burst=1, trusted_proxies="127.0.0.0/8")
    async with web_client(base_url=running.web) as client:
        for address, status in (("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.1", 429), ("192.0.2.9, 192.0.2.1", 429)):
            response = await client.post("/v1/ListGames", json={}, headers={"x-forwarded-for": address})
            assert response.status_code == status


async def test_the_callers_trace_goes_on(client: httpx.AsyncClient) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    response = await client.post(
        "/v1/GetSession", json={"sessionId": "x" * 99}, headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    )
    assert response.json()["refusal"]["traceId"] == trace
