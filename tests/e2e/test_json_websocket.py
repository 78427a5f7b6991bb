"""A whole game over the WebSocket in JSON, by a client that knows no protobuf; and the example of docs/protocol.md."""

import asyncio
import json
import random
import re
import shutil
import uuid
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from deploy.local.deployment import Deployment
from tests.e2e.stranger import FEWEST_MOVES

pytestmark = pytest.mark.e2e

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


class Player:
    """Somebody with a WebSocket and a JSON parser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last = 0

    async def ask(self, **request: Any) -> Any:
        """Send a request and return what it is answered by; only watches and earlier answers may come in the meantime."""
        await self.send(**request)
        while (response := await self.receive())["id"] != str(self._last):
            assert "watch" in response or int(response["id"]) < self._last
        return response["answer"]

    async def send(self, **request: Any) -> None:
        self._last += 1
        await self._socket.send(json.dumps({"id": self._last, **request}))

    async def receive(self) -> dict[str, Any]:
        text = await asyncio.wait_for(self._socket.recv(), 60)
        assert isinstance(text, str)
        response: dict[str, Any] = json.loads(text)
        return response

    async def call(self, method: str, **request: Any) -> Any:
        return (await self.ask(call={method: request}))[method]

    async def update(self) -> Any:
        """Return the next update of the watch."""
        while True:
            watch = (await self.receive()).get("watch", {})
            if update := watch.get("update") or watch.get("resync", {}).get("update"):
                return update


async def test_a_whole_game_is_played_in_json_only(deployment: Deployment) -> None:
    address = f"ws://{deployment.web_address}/v1/connect"
    async with connect(address, subprotocols=[Subprotocol("brettwerk.v1+json")], max_size=2**24) as socket:
        player = Player(socket)
        token = (await player.call("createPlayer", name="Ada"))["playerToken"]
        assert await player.ask(authenticate={"playerToken": token}) == {}
        seats = [{"me": True}, {"computer": {"level": "easy"}}]
        made = await player.call("createSession", game="einstein", seats=seats, requestId=uuid.uuid4().hex)
        own = {"sessionId": made["session"]["id"], "seatToken": made["grants"][0]["seatToken"]}
        await player.send(watch=own)
        versions, acted = [], 0
        while (update := await player.update())["session"]["state"] != "STATE_FINISHED":
            versions.append(int(update["version"]))
            if not update["actions"]:
                continue
            # By the action itself, whose Any is spelled out, and by its notation.
            choice = random.choice(update["actions"])
            what = {"action": choice["action"]} if acted % 2 else {"notation": choice["notation"]}
            acted += 1
            request = {**own, **what, "expectedVersion": update["version"], "requestId": uuid.uuid4().hex}
            await player.send(call={"act": request})
        assert acted >= FEWEST_MOVES
        assert versions == sorted(set(versions))
        assert sorted(update["session"]["outcome"]["places"]) == [1, 2]
        refused = await player.ask(call={"act": {**request, "requestId": uuid.uuid4().hex}})
        assert refused["refusal"]["reason"] == "REASON_GAME_OVER"


async def test_the_example_of_the_documentation_plays_a_game(deployment: Deployment, tmp_path: Path) -> None:
    node = shutil.which("node")
    assert node is not None
    (example,) = re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL)
    assert "ws://127.0.0.1:8000" in example
    script = tmp_path / "example.mjs"
    script.write_text(example.replace("ws://127.0.0.1:8000", f"ws://{deployment.web_address}"))
    process = await asyncio.create_subprocess_exec(node, "--experimental-websocket", str(script), stdout=PIPE, stderr=PIPE)
    out, err = await asyncio.wait_for(process.communicate(), 120)
    assert re.fullmatch(r"winner: seat [01]\n", out.decode()), err.decode()
