"""docs/protocol.md tells the truth: its commands work, and refusals come with the codes of its catalogue."""

import asyncio
import json
import re
import shutil
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from google.protobuf.message import Message
from websockets.frames import CloseCode

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, sessions_pb2
from gateway.endpoints import bounded_http
from gateway.http.responses import STATUSES
from gateway.limits import rates
from gateway.messages.contract import METHODS, RECORD_BYTES
from gateway.streams import connection, send_queue
from gateway.websocket import websocket
from services.runtime.channel import SERVICE_CONFIG
from services.runtime.refusal import Refused, unknown
from services.runtime.settings import Settings
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()


def test_the_service_config_is_the_one_that_we_use() -> None:
    shown = re.search(r"```json\n(\{\n  \"loadBalancingConfig.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    assert json.loads(shown[1]) == json.loads(SERVICE_CONFIG)


@pytest.mark.parametrize("number", [number for number in errors_pb2.Reason.values() if number])
def test_the_codes_of_the_catalogue_are_those_that_are_sent(number: errors_pb2.Reason.ValueType) -> None:
    refused = Refused(number, "")
    name = errors_pb2.Reason.Name(number).removeprefix("REASON_")
    assert f"| `{name}` | `{refused.code.name}` | {STATUSES[refused.refusal.code]} |" in PAGE


async def test_the_commands_work(running: RunningGateway, peer: Peer) -> None:
    session = sessions_pb2.Session(id="07abc")

    def get_game(_: object, request: Message) -> Message:
        assert isinstance(request, play_pb2.GetGameRequest)
        if request.game == "emperado":
            assert (list(request.key_prefixes), len(request.leave_out)) == (["game.name", "seat."], 2)
            return play_pb2.GetGameResponse(game=games_pb2.Game(id="emperado", name=games_pb2.Text(key="game.name")))
        raise unknown("game", "game", request.game, ("einstein", "wec"))

    def get_session(_: object, request: Message) -> Message:
        assert isinstance(request, play_pb2.GetSessionRequest)
        assert request.seat_token == "a seat"
        actions = [games_pb2.ActionChoice(notation="3 b2-c3")]
        return play_pb2.GetSessionResponse(update=sessions_pb2.Update(version=4, actions=actions))

    grants = [play_pb2.SeatGrant(seat=0, seat_token="a seat")]
    for _ in range(2):
        peer.publish(session.id)
    peer.handlers["create_session"] = lambda _, __: play_pb2.CreateSessionResponse(session=session, grants=grants)
    peer.handlers["get_game"] = get_game
    peer.handlers["get_session"] = get_session
    peer.handlers["act"] = lambda _, __: play_pb2.ActResponse(version=5, notation_played="3 b2-c3")
    peer.handlers["list_games"] = lambda _, __: play_pb2.ListGamesResponse(names={"einstein": "EinStein würfelt nicht"})
    script = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.S)).replace("http://127.0.0.1:8000", running.web)
    assert script.count(running.web) == 1
    bash = shutil.which("bash")
    assert bash is not None
    assert shutil.which("curl")
    process = await asyncio.create_subprocess_exec(bash, "-euo", "pipefail", "-c", script, stdout=PIPE, stderr=PIPE)
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, err.decode()) == (0, "curl: (22) The requested URL returned error: 404\n")
    assert [carried.call.WhichOneof("request") for carried in peer.calls] == [
        "list_games",
        "create_session",
        "get_session",
        "act",
        "get_game",
        "get_game",
        "list_games",
    ]
    created, acted = peer.calls[1], peer.calls[3].call.act
    assert created.caller.name == "Ada"
    assert [seat.WhichOneof("kind") for seat in created.call.create_session.seats] == ["me", "computer"]
    assert (acted.session_id, acted.expected_version, acted.notation) == ("07abc", 4, "3 b2-c3")
    assert '"ready":true' in out.decode()
    assert (
        '"reason": "REASON_UNKNOWN", "message": "there is no such game as \\"ludo\\"; there are: einstein, wec"' in out.decode()
    )
    *_, watched = out.decode().rpartition("curl has ended with 22\n")
    assert '"version":"2"' in watched
    assert '"code": "deadline_exceeded"' in watched
    assert watched.endswith("EinStein würfelt nicht\n")


def test_the_numbers_are_those_of_the_code() -> None:
    text = " ".join(PAGE.split())
    config = Settings()
    assert f"Up to {connection.CALLS} calls of a stream" in text
    assert f"once {send_queue.MAX_BYTES // 2**20} MiB or {send_queue.MAX_FRAMES} messages are waiting" in text
    assert f"pings every {websocket.PING_S:.0f} seconds" in text
    assert f"more than {websocket.FRAGMENTS:,} fragments" in text
    assert f"{websocket.AT_ONCE} frames that are no message, pings included, or {rates.BYTES_PER_TOKEN // 2**10} KiB" in text
    assert f"at most {bounded_http.HEAD_BYTES // 2**10} KiB and {bounded_http.FIELDS} fields" in text
    assert f"at most {bounded_http.PIPELINED} requests of a connection" in text
    assert f"more than {bounded_http.HEADERS_S:.0f} seconds, a request more than {bounded_http.REQUEST_S:.0f}" in text
    assert f"every {config.heartbeat_s:.0f} seconds unless" in text
    assert f"{config.rate_per_s:.0f} calls a second, with bursts of {config.rate_burst}" in text
    assert f"{config.streams_per_player} watches, streams and JSON calls" in text
    assert config.address_rate_per_s == 4 * config.rate_per_s
    assert config.player_token_days == 365
    for code in (CloseCode.GOING_AWAY, CloseCode.UNSUPPORTED_DATA, CloseCode.TRY_AGAIN_LATER):
        assert str(code) in text
    large = [name for name, method in METHODS.items() if method.max_bytes == RECORD_BYTES]
    assert all(f"`{name}`" in text for name in large)
