"""A bot that plays all of its games in an event loop of its own, for programs that have none."""

import asyncio
from typing import TYPE_CHECKING

from brettwerk.v1 import sessions_pb2
from brettwerk_client.async_client import AsyncClient
from brettwerk_client.requests import Action
from brettwerk_client.running import Running, RunOptions
from brettwerk_client.turns import Bot

if TYPE_CHECKING:
    from brettwerk_client.client import Client


def run_in_loop(client: "Client", bot: Bot, options: RunOptions) -> None:
    """Do what `Client.run` does, and raise what it raises."""

    async def choose(update: sessions_pb2.Update) -> Action | None:
        return await asyncio.to_thread(bot, update)

    async def run() -> None:
        async with AsyncClient(client.address, token=client.token, tls=client.tls, timing=client.timing) as own:
            await Running(own, choose, options).run()

    asyncio.run(run())
