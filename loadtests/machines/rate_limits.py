"""How far rate limits hold for two gateways together: a player, and an address, ask as fast as they can at one, then at both."""

import asyncio
import time
from collections.abc import Sequence

import grpc

from brettwerk.v1 import play_pb2, play_pb2_grpc
from loadtests.chaos.clients import Metadata, new_id
from loadtests.machines.cluster import Cluster
from loadtests.machines.outcome import Outcome
from loadtests.machines.pods import PORTS, Pod
from loadtests.run import Say
from services.runtime.settings import Settings

WINDOW_S = 8.0
SLOWER = 5
"""How many times less than by default is allowed here: a busy machine does not carry much more."""
AT_ONCE = 16
"""Calls that are under way at once at each gateway."""


async def rate(cluster: Cluster, say: Say) -> Outcome:
    """Measure it, at two gateways of its own."""
    outcome = Outcome("rates")
    fields = Settings.model_fields
    names = ("rate_per_s", "rate_burst", "address_rate_per_s", "address_rate_burst")
    limits = {name: float(fields[name].default) / SLOWER for name in names}
    own = {f"BRETTWERK_{name.upper()}": f"{limit:g}" for name, limit in limits.items()}
    gateways = [await asyncio.to_thread(cluster.add, "gateway", host, own) for host in (2, 3)]
    try:
        found = {}
        for count in (1, 2):
            for whose, per_s in (("player", limits["rate_per_s"]), ("address", limits["address_rate_per_s"])):
                accepted = await _flood(gateways[:count], whose)
                found[f"{whose}_at_{count}"] = round(accepted, 1)
                say(f"one {whose} at {count}: {accepted:.0f} calls a second accepted, the limit is {per_s:g}")
        outcome.kept |= {"limits": limits, "accepted_per_s": found}
        for whose in ("player", "address"):
            more = found[f"{whose}_at_2"] / found[f"{whose}_at_1"]
            outcome.kept[f"{whose}_times"] = round(more, 2)
            outcome.must(more <= 2.2, f"two gateways let {more:.1f} times as much of one {whose} through as one")
    finally:
        for pod in gateways:
            await asyncio.to_thread(cluster.drain, pod)
    return outcome


async def _flood(gateways: Sequence[Pod], whose: str) -> float:
    """Return how many calls a second are accepted of one player, or of one address, once the first burst is over."""
    channels = [grpc.aio.insecure_channel(f"{pod.address}:{PORTS['gateway']}") for pod in gateways]
    stubs = [play_pb2_grpc.PlayServiceStub(channel) for channel in channels]
    metadata: Metadata = ()
    accepted = 0
    until = 0.0

    async def ask(stub: "play_pb2_grpc.PlayServiceAsyncStub") -> None:
        nonlocal accepted
        while time.monotonic() < until:
            try:
                await stub.ListGames(play_pb2.ListGamesRequest(), metadata=metadata, timeout=5)
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                await asyncio.sleep(0.02)
            else:
                accepted += 1

    try:
        if whose == "player":
            created = await stubs[0].CreatePlayer(play_pb2.CreatePlayerRequest(name="Fast", request_id=new_id()), timeout=20)
            metadata = (("authorization", f"Bearer {created.player_token}"),)
        for seconds in (6.0, WINDOW_S):  # the first is the burst
            accepted, until = 0, time.monotonic() + seconds
            await asyncio.gather(*(ask(stub) for stub in stubs for _ in range(AT_ONCE)))
        return accepted / WINDOW_S
    finally:
        for channel in channels:
            await channel.close()
