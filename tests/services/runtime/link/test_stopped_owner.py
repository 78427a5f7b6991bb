"""An owner that stands still is replaced, and is not asked any more when it goes on: with processes of their own."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused
from tests.services.runtime.link.ends import (
    channel_to,
    reason_of,
    until,
)
from tests.services.runtime.link.owning import ask


@contextlib.contextmanager
def process(where: str) -> Any:
    """Run a server that owns what its standard input says, a shard and an epoch in each line."""
    command = [sys.executable, "-m", "tests.services.runtime.link.owning", where]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as running:
        try:
            yield running
        finally:
            running.kill()


def tell(running: "subprocess.Popen[bytes]", shard: int, epoch: int) -> None:
    assert running.stdin is not None
    running.stdin.write(b"%d %d\n" % (shard, epoch))
    running.stdin.flush()


async def test_a_stopped_owner_is_replaced_before_its_link_breaks_and_one_that_wakes_is_asked_no_more(short_path: Path) -> None:
    paths = [f"unix:{short_path}/{name}" for name in "ab"]
    with process(paths[0]) as first, process(paths[1]) as second:
        async with channel_to(",".join(paths)) as stub:
            tell(first, 5, 1)
            stub.channel.get_state(try_to_connect=True)
            await until(lambda: len(stub.channel._routing.links) == 2 and stub.channel.owner(5) is not None)
            assert (await ask(stub, 5, timeout=60)).next_page_token == paths[0]
            os.kill(first.pid, signal.SIGSTOP)
            calls = [ask(stub, 5, "hang", timeout=60) for _ in range(10)]
            await until(lambda: all(call.is_sent for call in calls))
            tell(second, 5, 2)
            for call in calls:
                assert (await reason_of(call)).reason == errors_pb2.REASON_UNAVAILABLE
            assert len(stub.channel._routing.links) == 2, "its link was to live until then"
            assert (await ask(stub, 5, timeout=60)).next_page_token == paths[1]
            os.kill(first.pid, signal.SIGCONT)
            for _ in range(50):
                assert (await ask(stub, 5, timeout=60)).next_page_token == paths[1]
                await asyncio.sleep(0.002)
            second.kill()
            waiting = ask(stub, 5, timeout=60)
            with contextlib.suppress(Refused):  # if it was sent before the link broke
                await waiting
            tell(first, 5, 3)
            while True:
                try:
                    answer = await ask(stub, 5, timeout=60)
                    break
                except Refused as refused:
                    assert refused.reason == errors_pb2.REASON_UNAVAILABLE  # noqa: PT017 - until it is heard of
            assert answer.next_page_token == paths[0]
