"""How alike the pods of a service are loaded when there are as many tables in each shard, and how soon new ones are."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator

from brettwerk.v1 import play_pb2, sessions_pb2
from loadtests.chaos.clients import Clients, Metadata, Refused, new_id
from loadtests.chaos.figures import Figures
from loadtests.machines.cluster import Cluster
from loadtests.machines.outcome import Outcome
from loadtests.machines.pod_counts import shards, within
from loadtests.owners.balance import furthest
from loadtests.run import Say

GAME = "emperado"
"""Its games last longer than this takes, whatever is played."""
SHARDS, TABLES_OF_A_SHARD = 16, 3
THINK_S = 0.5
WINDOW_S = 20.0
WITHIN = 0.15
"""How far one may be from the mean."""
SOON_S = 10.0
"""How soon a new pod has its share."""
ANSWER_S = 60.0
_OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)


class Table:
    """A session, both of whose seats one player plays at a steady pace."""

    def __init__(self, clients: Clients, metadata: Metadata, session_id: str, tokens: list[str], number: int) -> None:
        self._clients, self._metadata, self._id, self._tokens = clients, metadata, session_id, tokens
        self._dice = random.Random(number)

    async def play_on(self) -> None:
        """Play until the game is over, or this is cancelled."""
        stub, turn = self._clients.stub(), 0
        while True:
            looking = play_pb2.GetSessionRequest(session_id=self._id, seat_token=self._tokens[turn])
            update = (await self._clients.ask(stub.GetSession, looking, self._metadata, within_s=ANSWER_S)).update
            if update.session.state in _OVER:
                return
            if not update.actions:
                turn = 1 - turn
                continue
            act = play_pb2.ActRequest(
                session_id=self._id,
                seat_token=self._tokens[turn],
                expected_version=update.version,
                action=self._dice.choice(update.actions).action,
                request_id=new_id(),
            )
            with contextlib.suppress(Refused):
                await self._clients.ask(stub.Act, act, self._metadata, within_s=ANSWER_S)
            await asyncio.sleep(THINK_S * self._dice.uniform(0.5, 1.5))


class Balance:
    """Measures while tables play at a steady pace."""

    def __init__(self, cluster: Cluster, outcome: Outcome, say: Say) -> None:
        self._cluster, self._outcome, self._say = cluster, outcome, say

    async def measure(self, what: str, service: str, seconds: float) -> None:
        """See how much each pod of a service does within some seconds."""
        pods = self._cluster.pods[service]
        counts = await within(seconds, pods)
        self._note(what, counts)
        if service == "session":
            owned = {pod.name: shards(pod) for pod in pods}
            self._outcome.kept[what]["shards"] = owned
            self._outcome.must(max(owned.values()) - min(owned.values()) <= 1, f"{what}: shards are owned by {owned}")

    async def add(self, service: str, host: int) -> None:
        """Add a pod, and see whether it has its share ten seconds later."""
        await asyncio.to_thread(self._cluster.add, service, host)
        await asyncio.sleep(SOON_S)
        await self.measure(f"{service}_and_a_new_one", service, WINDOW_S / 2)

    def _note(self, what: str, counts: dict[str, float]) -> None:
        off = furthest(list(counts.values()))
        self._outcome.kept[what] = {"done": counts, "off": round(off, 3)}
        self._say(f"{what}: {counts}, one is {off:.1%} from the mean")
        self._outcome.must(off <= WITHIN, f"{what}: one is {off:.1%} from the mean: {counts}")
        self._outcome.must(min(counts.values()) > 10, f"{what}: too little was done to say anything: {counts}")


async def share(cluster: Cluster, say: Say) -> Outcome:
    """Measure it."""
    outcome, figures = Outcome("share"), Figures()
    balance = Balance(cluster, outcome, say)
    async with _tables(cluster, figures) as tables:
        playing = [asyncio.create_task(table.play_on()) for table in tables]
        try:
            await asyncio.sleep(3)
            await asyncio.gather(*(balance.measure(service, service, WINDOW_S) for service in ("session", "rules", "gateway")))
            await balance.add("session", 2)
            await balance.add("rules", 1)
        finally:
            over = sum(task.done() for task in playing)
            for task in playing:
                task.cancel()
            results = await asyncio.gather(*playing, return_exceptions=True)
    broken = [result for result in results if isinstance(result, Exception)]
    outcome.kept |= {"tables": len(tables), "over": over, "failures": dict(figures.failures)}
    outcome.must(not figures.failures, f"calls failed: {dict(figures.failures)}")
    outcome.must(not broken, f"tables broke off: {broken[:3]}")
    return outcome


@contextlib.asynccontextmanager
async def _tables(cluster: Cluster, figures: Figures) -> AsyncIterator[list[Table]]:
    """Yield as many tables of each shard; which one a session gets is chance, and who is one too many is closed."""
    clients = Clients(cluster.endpoints, figures)
    found: list[Table] = []
    filled: Counter[str] = Counter()
    try:
        while len(found) < SHARDS * TABLES_OF_A_SHARD:
            metadata = (await clients.enter(f"Player {len(found)}", ANSWER_S))[1]
            made = await asyncio.gather(*(_create(clients, metadata) for _ in range(16)))
            for created in made:
                tokens = [grant.seat_token for grant in created.grants]
                shard = created.session.id[:2]
                if filled[shard] < TABLES_OF_A_SHARD:
                    filled[shard] += 1
                    found.append(Table(clients, metadata, created.session.id, tokens, len(found)))
                else:
                    close = play_pb2.CloseSessionRequest(session_id=created.session.id, seat_token=tokens[0], request_id=new_id())
                    await clients.ask(clients.stub().CloseSession, close, metadata, within_s=ANSWER_S)
        yield found
    finally:
        await clients.close()


async def _create(clients: Clients, metadata: Metadata) -> play_pb2.CreateSessionResponse:
    seats = [play_pb2.SeatWish(me=True), play_pb2.SeatWish(me=True)]
    request = play_pb2.CreateSessionRequest(game=GAME, seats=seats, request_id=new_id())
    return await clients.ask(clients.stub().CreateSession, request, metadata, within_s=ANSWER_S)
