"""The rules of talk as moderators have made them, kept in a session process: who may not talk, and which words nobody may say.

They are asked for every few seconds, and come only when they have changed. While the players service is down, what is known stays
known; a process that has just begun knows none until it has answered.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.logs import logger
from services.runtime.restriction import TALK, holds, restricted
from services.runtime.word_list import WordFile

EVERY_S = 5.0
"""How often they are asked for."""
_TIMEOUT_S = 5.0
log = logger(__name__)


class TalkRules:
    """The rules."""

    def __init__(self, address: str, words: WordFile, appeal: str, now_ms: Callable[[], int]) -> None:
        """Take where the players service is, the words that this process checks, and where players can object."""
        self._channel = open_channel(address, "session")
        self._words = words
        self._appeal = appeal
        self._now_ms = now_ms
        self._muted: Mapping[str, players_pb2.MutedTalker] = {}
        self._version = 0

    def check(self, player_id: str) -> None:
        """Return if a player may talk. Raises Refused (RESTRICTED)."""
        muted = self._muted.get(player_id)
        if muted is not None and holds(muted.until_ms, self._now_ms()):
            raise restricted(TALK, muted.until_ms, muted.why, self._appeal)

    def learn(self, rules: players_pb2.GetTalkRulesResponse) -> None:
        """Take the rules, unless they are those that are known."""
        if rules.version == self._version:
            return
        self._version = rules.version
        self._muted = {one.player_id: one for one in rules.muted}
        self._words.extend(rules.words)

    async def run(self) -> None:
        """Keep up with the players service, until cancelled."""
        stub: Any = players_pb2_grpc.PlayersServiceStub(self._channel)
        while True:
            try:
                request = players_pb2.GetTalkRulesRequest(version=self._version)
                self.learn(await stub.GetTalkRules(request, timeout=_TIMEOUT_S))
            except grpc.RpcError as error:  # also of a release that does not know them
                log.debug("the rules of talk cannot be asked for", error=str(error)[:200])
            await asyncio.sleep(EVERY_S)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()
