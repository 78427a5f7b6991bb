"""A service with nothing to do but to say how it is: `python -m tests.services.runtime.little`.

The file that LITTLE_READY names makes it ready; a FindGames call with the token `slow 3` takes three seconds; `turn 3`, `block 3`
and `turns 3` keep its event loop busy for so many: computing in one turn, blocked in one, and computing in many small ones.
LITTLE_FAILS makes a part of its end fail or hang. Over links it tells that it owns shard 3.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from services.runtime import server
from services.runtime.link import LinkServer
from services.runtime.logs import logger
from services.runtime.settings import settings

log = logger(__name__)


async def keep_busy(how: str = "", seconds: str = "0") -> None:
    end = time.monotonic() + float(seconds)
    if how == "slow":
        log.info("working")
        await asyncio.sleep(float(seconds))  # the call is to be slow
        log.info("worked")
    if how == "block":
        time.sleep(float(seconds))  # noqa: ASYNC251 - this is the fault
    while how == "turn" and time.monotonic() < end:
        pass
    while how == "turns" and time.monotonic() < end:
        await keep_busy("turn", "0.02")
        await asyncio.sleep(0)


class Servicer(rules_pb2_grpc.RulesServiceServicer):
    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Any) -> rules_pb2.FindGamesResponse:
        await keep_busy(*request.page_token.split())
        return rules_pb2.FindGamesResponse()


class Little:
    name = "little"
    full_names: Sequence[str] = ("brettwerk.internal.v1.RulesService",)

    def link_by(self, links: LinkServer) -> None:
        links.announce({3: 7})

    async def start(self, server: grpc.aio.Server) -> None:
        rules_pb2_grpc.add_RulesServiceServicer_to_server(Servicer(), server)  # type: ignore[abstract]

    async def is_ready(self) -> bool:
        text = Path(os.environ["LITTLE_READY"]).read_text()  # noqa: ASYNC240 - a small file
        if text == "hang":
            await asyncio.Event().wait()
        return text == "yes"

    async def hand_over(self) -> None:
        log.info("handed over")

    async def drain(self) -> None:
        log.info("drained")
        await self._end("drain")

    async def stop(self) -> None:
        log.info("let go")
        await self._end("stop")

    async def _end(self, part: str) -> None:
        match os.environ.get("LITTLE_FAILS", "").split():
            case [failing, "raise"] if failing == part:
                raise RuntimeError(part)
            case [failing, "hang"] if failing == part:
                await asyncio.Event().wait()


if __name__ == "__main__":
    server.run(Little, settings().listen, os.environ.get("BRETTWERK_LINK_LISTEN", ""))
