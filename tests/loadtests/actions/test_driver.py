"""The parts of the driver: its tables find faults, its frames and messages are those of the contract, its paces keep time."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Callable

import pytest
import websockets
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, play_pb2, sessions_pb2
from loadtests.actions import lean
from loadtests.actions.frames import Frames
from loadtests.actions.pace import Creating, Pace, Rate, Thinking
from loadtests.actions.table import Score, Table
from loadtests.processes import cpu_seconds


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class WatchedTable(Table):
    """A table that is told what happens."""

    def __init__(self, watchers: int, pace: Pace) -> None:
        super().__init__(watchers, Score(), pace, random.Random(1))
        self.sent: list[tuple[int, int]] = []
        self.begun = 0

    async def create(self) -> None:
        self.begun += 1

    def send(self, watcher: int, version: int, choices: object) -> None:
        self.sent.append((watcher, version))


def begun() -> WatchedTable:
    """A table of two that is being played: the first player has sent an action for version 4."""
    pace = Pace()
    pace.resume()
    table = WatchedTable(2, pace)
    table.saw(0, 4, ["a"], over=False)
    assert table.sent == []
    table.saw(1, 4, [], over=False)
    assert table.sent == [(0, 4)]
    return table


def test_an_action_acknowledged_and_seen_by_all_is_right():
    table = begun()
    table.saw(0, 5, [], over=False)
    assert table.is_idle is False
    table.pace.pause()
    table.saw(1, 5, ["b"], over=False)
    table.answered(5)
    assert bool(table.is_idle)
    table.check()
    assert table.score.faults == []
    assert (table.score.accepted, len(table.score.latencies_s)) == (1, 1)


def test_a_watcher_that_misses_a_version_is_a_fault():
    table = begun()
    table.saw(0, 6, [], over=False)
    assert table.score.faults == ["a watcher saw version 6 after 4"]


def test_an_acknowledged_version_that_a_watcher_was_never_told_is_a_fault():
    table = begun()
    table.answered(5)
    table.saw(0, 5, [], over=False)
    assert not table.is_idle
    table.check()
    assert table.score.faults == ["1 actions acknowledged from version 4: watcher 1 is at 4"]


def test_a_version_that_nobody_was_acknowledged_is_a_fault():
    table = begun()
    table.answered(5)
    for version in (5, 6):
        for watcher in (0, 1):
            table.saw(watcher, version, [], over=False)
    table.check()
    assert table.score.faults == ["1 actions acknowledged from version 4: watcher 0 is at 6, watcher 1 is at 6"]


def test_an_answer_with_another_version_is_a_fault():
    table = begun()
    table.answered(7)
    assert table.score.faults == ["version 7 was acknowledged, and asked for were [5]"]


async def test_the_next_game_begins_when_all_have_seen_the_end_and_the_answer_is_there():
    table = begun()
    table.saw(0, 5, [], over=True)
    table.saw(1, 5, [], over=True)
    assert table.score.games == 0
    table.answered(5)
    assert table.score.games == 1
    assert table.creation is not None
    await table.creation
    assert (table.begun, table.score.faults) == (1, [])


async def test_a_table_that_is_left_counts_once_everybody_has_seen_its_game() -> None:
    pace = Creating()
    pace.resume()
    table = WatchedTable(2, pace)
    table.begin()
    table.saw(0, 4, ["a"], over=False)
    assert (table.score.accepted, table.left) == (0, 0)
    table.saw(1, 4, [], over=False)
    assert (table.score.accepted, table.left, len(table.score.latencies_s)) == (1, 1, 1)
    assert table.sent == []
    await until(lambda: table.begun == 2)
    pace.pause()
    table.saw(0, 4, ["a"], over=False)
    table.saw(1, 4, [], over=False)
    assert table.score.accepted == 1, "the next one is held"
    assert table.is_idle
    assert table.score.faults == []


class Counter:
    """A table that is ready again as soon as it has acted."""

    def __init__(self, pace: Pace) -> None:
        self.pace, self.acted = pace, 0

    def act(self, at: float) -> None:
        self.acted += 1
        self.pace.ready(self)

    def begin_another(self) -> None:
        raise AssertionError("nobody leaves this table")


@pytest.mark.parametrize("make", [lambda: Rate(200, random.Random(1)), lambda: Thinking(0.01, random.Random(1))])
async def test_a_paused_pace_holds_everybody_and_goes_on_with_all(make):
    pace, another = make(), make()
    tables, going_on = [Counter(pace) for _ in range(3)], Counter(another)
    for table in tables:
        pace.ready(table)
    another.ready(going_on)
    another.resume()
    for _ in range(2):
        before = [table.acted for table in tables]
        pace.resume()
        await until(lambda: all(table.acted > was for table, was in zip(tables, before, strict=True)))  # noqa: B023
        pace.pause()
        held, until_then = [table.acted for table in tables], going_on.acted + 5
        await until(lambda: going_on.acted >= until_then)  # noqa: B023
        assert [table.acted for table in tables] == held
    another.pause()


async def test_an_open_loop_gives_up_what_finds_no_table_for_a_second():
    pace = Rate(2000, random.Random(1))
    pace.resume()
    await until(lambda: pace.missed > 0)
    pace.pause()


async def test_messages_of_all_sizes_come_whole_however_they_arrive():
    async def echo(socket: websockets.ServerConnection) -> None:
        await socket.send(b"early")
        async for message in socket:
            await socket.send(message)

    sizes = [0, 1, 125, 126, 65535, 65536, 300_000]
    async with websockets.serve(echo, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        frames = await Frames.connect(f"127.0.0.1:{port}", "/")
        came: list[bytes] = []
        ended: list[str] = []
        frames.listen(came.append, ended.append)
        for size in sizes:
            frames.send(bytes(size))
        await until(lambda: len(came) > len(sizes))
        assert came[0] == b"early"
        assert [len(message) for message in came[1:]] == sizes
        frames.close()
    assert ended == []


async def test_a_message_that_cannot_be_understood_is_reported():
    async def greet(socket: websockets.ServerConnection) -> None:
        await socket.send(await socket.recv())
        await socket.wait_closed()

    async with websockets.serve(greet, "127.0.0.1", 0) as server:
        frames = await Frames.connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}", "/")
        ended: list[str] = []
        frames.listen(lambda message: lean.Response.FromString(b"\xff"), ended.append)
        frames.send(b"x")
        await until(lambda: bool(ended))


def test_lean_messages_are_those_of_the_contract():
    action = AnyMessage(type_url="x/y", value=b"abc")
    choice = games_pb2.ActionChoice(action=action, notation="a1", places=["b"])
    state = sessions_pb2.Session(id="s", state=sessions_pb2.Session.STATE_FINISHED)
    update = sessions_pb2.Update(session_id="s", version=300, actions=[choice, choice], session=state)
    watch = play_pb2.WatchResponse(resync=play_pb2.Resync(cause=play_pb2.Resync.CAUSE_GAP, update=update))
    read = lean.Response.FromString(play_pb2.ConnectResponse(id=7, watch=watch).SerializeToString())
    assert (read.id, read.watch.resync.update.version, len(read.watch.resync.update.actions)) == (7, 300, 2)
    assert read.watch.resync.cause == play_pb2.Resync.CAUSE_GAP
    assert read.watch.resync.update.session.state == sessions_pb2.Session.STATE_FINISHED
    act = {"session_id": "s", "seat_token": "t", "expected_version": 300, "request_id": "r"}
    act["action"] = lean.Choice.FromString(read.watch.resync.update.actions[1]).action
    sent = play_pb2.ConnectRequest.FromString(lean.Request(id=8, call={"act": act}).SerializeToString())
    wanted = play_pb2.ActRequest(session_id="s", seat_token="t", expected_version=300, request_id="r", action=action)
    assert sent == play_pb2.ConnectRequest(id=8, call=play_pb2.Call(act=wanted))


@pytest.mark.nightly
def test_cpu_time_is_that_of_a_process_and_of_its_children_even_of_those_that_ended():
    burn = "import time\nwhile time.process_time() < 0.3: pass\n"
    program = (
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])\n{burn}print('done', flush=True)\ninput()"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "done\n"
        spent = cpu_seconds({"process": process.pid, "gone": 2**22 - 1})
        process.communicate("\n")
    assert 0.55 <= spent["process"] < 1.5  # an ended child is counted in ticks
    assert spent["gone"] == 0
