"""boardgame.io of a pinned version as yardstick: its server in a process of its own, its tables under the same driver.

It keeps matches in memory as it ships, in files by its own durable store (FlatFile, on node-persist), or in a Redis that is set
up as the deployment's own (`redis_store.js`).
"""

import asyncio
import contextlib
import itertools
import json
import random
import re
import secrets
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import redis.backoff
import redis.retry

from deploy.local import node
from deploy.local import redis as own_redis
from deploy.local.launcher_error import LauncherError
from loadtests.actions.frames import TEXT, Frames
from loadtests.actions.pace import Pace
from loadtests.actions.table import Score, Table
from loadtests.processes import free_port
from loadtests.run import folder

Store = Literal["memory", "flatfile", "redis"]
FOLDER = Path(__file__).parent
_PATH = "/socket.io/?EIO=4&transport=websocket"
_GAME = "/einstein,"
_HEAD = f"42{_GAME}".encode()
_PING, _PONG, _OPEN, _CONNECTED = b"2", b"3", b"0{", f"40{_GAME}".encode()
_NUMBER = re.compile(rb'"_stateID":(\d+)')
_SIDE = 5
_MATCHES = itertools.count(1)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs."""

    address: str
    pids: Mapping[str, int]
    """The processes whose CPU time is the yardstick's."""


def prepare(say: Callable[[str], None]) -> node.Node:
    """Return the Node.js that runs the server, its packages installed as the lock file has them. Raises LauncherError."""
    found = node.find(say)
    lock, installed = FOLDER / "package-lock.json", FOLDER / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        say("installing the yardstick's packages")
        done = subprocess.run(  # noqa: S603
            [found.npm, "ci", "--silent"], cwd=FOLDER, env=found.environment, check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise LauncherError(f"the yardstick's packages could not be installed: {done.stderr[-500:]}")
        installed.touch()
    return found


@contextlib.contextmanager
def serve(found: node.Node, store: Store = "memory") -> Iterator[Running]:
    """Run the server with a store that is gone afterwards. Raises LauncherError when it does not start."""
    with contextlib.ExitStack() as stack:
        if store == "memory":
            yield stack.enter_context(_server(found))
        elif store == "flatfile":
            yield stack.enter_context(_server(found, store, str(stack.enter_context(folder(None)))))
        else:
            url, pid = stack.enter_context(_redis())
            running = stack.enter_context(_server(found, store, url))
            yield Running(running.address, {**running.pids, "redis": pid})


@contextlib.contextmanager
def _server(found: node.Node, *arguments: str) -> Iterator[Running]:
    environment = found.environment | {"NODE_ENV": "production"}
    with subprocess.Popen(  # noqa: S603
        ["node", "server.js", *arguments],  # noqa: S607 - the one that `found` puts first on the path
        cwd=FOLDER,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("listening "):
                    yield Running(f"127.0.0.1:{int(line.split()[1])}", {"server": process.pid})
                    return
            raise LauncherError("the yardstick's server does not start")
        finally:
            process.kill()


@contextlib.contextmanager
def _redis() -> Iterator[tuple[str, int]]:
    """Run a Redis with the deployment's own configuration (`appendfsync everysec`); yields its URL and its process."""
    port, password = free_port(), secrets.token_hex(16)
    with folder(None) as data:
        file = own_redis.write_configuration(data, port, password)
        with subprocess.Popen([own_redis.find_server(), file], stdout=subprocess.DEVNULL) as process:  # noqa: S603
            try:
                url = own_redis.url(port, password, 0)
                retry = redis.retry.Retry(redis.backoff.ConstantBackoff(0.1), 50)
                with redis.Redis.from_url(url, retry=retry) as client:
                    client.ping()
                yield url, process.pid
            finally:
                process.kill()


class Socket:
    """A socket.io connection. `on_event` gets the text of each event."""

    def __init__(self, frames: Frames, score: Score) -> None:
        self._frames = frames
        self.on_event: Callable[[bytes], None] = lambda _text: None
        self.close = frames.close
        self._connected: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        frames.listen(self._message, score.fault)

    @classmethod
    async def open(cls, address: str, score: Score) -> "Socket":
        """Return a connection to the game."""
        made = cls(await Frames.connect(address, _PATH, TEXT), score)
        await made._connected
        return made

    def send(self, event: str) -> None:
        """Send an event, given as JSON."""
        self._frames.send(f"42{_GAME}{event}".encode())

    def _message(self, data: bytes) -> None:
        if data.startswith(_HEAD):
            self.on_event(data)
        elif data == _PING:
            self._frames.send(_PONG)
        elif data.startswith(_OPEN):
            self._frames.send(_CONNECTED)
        elif data.startswith(_CONNECTED):
            self._connected.set_result(None)


class BoardgameTable(Table):
    """A match after the other. The first two watchers are its players, the others spectators."""

    def __init__(self, sockets: list[Socket], score: Score, pace: Pace, dice: random.Random) -> None:
        super().__init__(len(sockets), score, pace, dice)
        self._sockets = sockets
        self._match = ""
        self._moves: dict[int, int] = {}
        """The watchers who made the versions that are not here yet."""

    async def create(self) -> None:
        """Let the server make a match by asking for it, and watch it with everybody."""
        self._match = f"m{next(_MATCHES)}"
        self._moves.clear()
        came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for number, socket in enumerate(self._sockets):
            socket.on_event = self._feed(number, came if number == 0 else None)
        self._sync(0)
        await came  # two who ask for a match that is not there yet would make it twice
        for number in range(1, len(self._sockets)):
            self._sync(number)

    def _sync(self, number: int) -> None:
        self._sockets[number].send(json.dumps(["sync", self._match, str(number) if number < 2 else None, None, 2]))

    def send(self, watcher: int, version: int, choices: object) -> None:
        """Send a random legal move; `choices` is the text of the newest event."""
        assert isinstance(choices, bytes)
        text = choices[choices.index(b'{"cells"') :].decode()
        state, _ = _DECODER.raw_decode(text)
        start, target = self.dice.choice(legal(state["cells"], state["die"], watcher))
        self._moves[version + 1] = watcher
        self._sockets[watcher].send(
            f'["update",{{"type":"MAKE_MOVE","payload":{{"type":"step","args":[{start},{target}],"playerID":"{watcher}",'
            f'"credentials":null}}}},{version},"{self._match}","{watcher}"]'
        )

    def _feed(self, number: int, came: asyncio.Future[None] | None) -> Callable[[bytes], None]:
        update = _HEAD + f'["update","{self._match}"'.encode()
        sync = _HEAD + f'["sync","{self._match}"'.encode()
        own = f'"currentPlayer":"{number}"'.encode()

        def feed(data: bytes) -> None:
            new = data.startswith(update)
            if not new and not data.startswith(sync):
                return
            found = _NUMBER.search(data)
            assert found is not None
            version = int(found[1])
            context = data.index(b'"ctx":')
            acts = data.find(b'"currentPlayer":', context) == data.find(own, context)
            if new and self._moves.get(version) == number:  # the server gives no answer but the new state
                del self._moves[version]
                self.answered(version)
            self.saw(number, version, acts and data, over=b'"gameover":' in data)
            if came is not None and not came.done():
                came.set_result(None)

        return feed


def legal(cells: list[dict[str, int] | None], die: int, seat: int) -> list[tuple[int, int]]:
    """Return the legal moves as squares from and to, as server.js has them."""
    own = {stone["number"]: cell for cell, stone in enumerate(cells) if stone and stone["seat"] == seat}
    if die in own:
        stones = [own[die]]
    else:
        below, above = [n for n in own if n < die], [n for n in own if n > die]
        stones = [own[n] for n in ([max(below)] if below else []) + ([min(above)] if above else [])]
    step = 1 if seat == 0 else -1
    moves = []
    for cell in stones:
        y, x = divmod(cell, _SIDE)
        steps = ((x + step, y), (x, y + step), (x + step, y + step))
        moves += [(cell, b * _SIDE + a) for a, b in steps if 0 <= a < _SIDE and 0 <= b < _SIDE]
    return moves
