"""The shards of a deployment: who owns them, on which master they are, and what happens when either is gone."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from loadtests.simulation.agenda import Agenda
from loadtests.simulation.costs import Cost, actions_per_game
from loadtests.simulation.parameters import Parameters
from loadtests.simulation.plan import Plan
from loadtests.simulation.pods import ZONES
from loadtests.simulation.tally import Tally


@dataclass(slots=True)
class Shard:
    """A shard: its share of the games, its owner and its master."""

    weight: float
    owner: int
    """A session process, -1 while nobody has it."""
    master: int
    stalled_since: float | None = None
    cause: str = ""


@dataclass(slots=True)
class Owner:
    """A session process."""

    zone: int
    is_alive: bool = True


@dataclass(slots=True)
class Master:
    """A master of the Redis Cluster, and the zones of its replicas that keep up."""

    zone: int
    replicas: list[int]
    is_alive: bool = True


@dataclass(slots=True)
class Owners:
    """The session processes and masters of one deployment. `changing` is called before anything changes."""

    plan: Plan
    parameters: Parameters
    agenda: Agenda
    chance: random.Random
    cost: Cost
    tally: Tally
    games: Callable[[], float]
    changing: Callable[[], None]
    lost_zones: set[int]
    owners: list[Owner] = field(init=False)
    masters: list[Master] = field(init=False)
    shards: list[Shard] = field(init=False)
    loads: list[float] = field(init=False)
    """The share of the games at each owner."""
    stalled: float = field(default=0.0, init=False)
    """The share of the games in shards that nobody serves."""

    def __post_init__(self) -> None:
        count = int(self.parameters["shards"])
        self.owners = [Owner(number % ZONES) for number in range(self.plan.owners)]
        replicas = range(1, 1 + int(self.parameters["replicas"]))
        self.masters = [
            Master(number % ZONES, [(number + further) % ZONES for further in replicas]) for number in range(self.plan.masters)
        ]
        # Sessions are in random shards, so the number in each is spread like Poisson's.
        games = max(self.plan.games / count, 1.0)
        weights = [max(0.1, self.chance.gauss(1, games**-0.5)) for _ in range(count)]
        self.shards = [
            Shard(weight / sum(weights), number % self.plan.owners, number % self.plan.masters)
            for number, weight in enumerate(weights)
        ]
        self._share_out()

    def lose_owner(self, number: int, away_s: float) -> None:
        """Let a session process be gone for so long; others take its shards when its leases have run out."""
        owner = self.owners[number]
        if not owner.is_alive:
            return
        self.changing()
        owner.is_alive = False
        for shard in self._shards_of(number):
            self._stall(shard, "owner")
            shard.owner = -1
        self._share_out()
        lease, claim = self.parameters.span("lease_s"), self.parameters.span("claim_s")
        self.agenda.after(self.chance.uniform(*lease) + self.chance.uniform(*claim), self._claim)
        self.agenda.after(away_s, lambda: self._return(number))

    def roll_owner(self, number: int) -> None:
        """Replace a session process by one of a newer release, to which it hands over what it has."""
        if self.owners[number].is_alive:
            self._hand_over(self._shards_of(number), number)

    def lose_master(self, number: int, away_s: float, *, with_node: bool) -> None:
        """Let a master be gone for so long: its replica takes over, or without one nobody does until it is back."""
        master = self.masters[number]
        if not master.is_alive:
            return
        self.changing()
        master.is_alive = False
        shards = [shard for shard in self.shards if shard.master == number]
        rate = self.games() * actions_per_game(self.parameters) * sum(shard.weight for shard in shards)
        for shard in shards:
            self._stall(shard, "master")
        self._share_out()
        if master.replicas:
            if not self.parameters["waits_for_replica"]:
                self.tally.lost += rate * self.parameters["replication_lag_s"]
            before, master.zone = master.zone, master.replicas.pop(0)
            self.agenda.after(self.chance.uniform(*self.parameters.span("failover_s")), lambda: self._restore(number))
            self._replicate(master, before, away_s)
        else:
            if with_node:
                lost = rate * self.chance.uniform(0, self.parameters["fsync_s"])
                self.tally.lost += lost
                self.tally.lost_when_unprotected += lost
            self.agenda.after(away_s, lambda: self._restore(number))

    def lose_replica(self, number: int, zone: int, away_s: float) -> None:
        """Let the replica in a zone be gone for so long; meanwhile its master has one less to take over."""
        master = self.masters[number]
        if zone in master.replicas:
            master.replicas.remove(zone)
            self._replicate(master, zone, away_s)

    def _replicate(self, master: Master, zone: int, away_s: float) -> None:
        """Let a zone have a replica again after a while, and the time that it takes to copy everything."""

        def copied() -> None:
            if master.is_alive:
                master.replicas.append(zone)
            else:
                self.agenda.after(self.parameters["replica_sync_s"], copied)

        self.agenda.after(away_s + self.parameters["replica_sync_s"], copied)

    def spare(self, number: int) -> float:
        """Return how much of its core an owner has left for more than the actions of its games."""
        rate = self.loads[number] * self.games() * actions_per_game(self.parameters)
        return max(0.1, 1 - rate * self.cost.saturated)

    def _shards_of(self, number: int) -> list[Shard]:
        return [shard for shard in self.shards if shard.owner == number]

    def _share_out(self) -> None:
        self.loads = [0.0] * len(self.owners)
        self.stalled = 0.0
        for shard in self.shards:
            if shard.stalled_since is not None:
                self.stalled += shard.weight
            if shard.owner >= 0:
                self.loads[shard.owner] += shard.weight

    def _stall(self, shard: Shard, cause: str) -> None:
        if shard.stalled_since is None:
            shard.stalled_since, shard.cause = self.agenda.now, cause
        elif shard.cause != cause:
            shard.cause = "both"

    def _claim(self) -> None:
        """Let living processes take the shards that nobody has, if the store can give them a lease."""
        alive = [number for number, owner in enumerate(self.owners) if owner.is_alive]
        free = [shard for shard in self.shards if shard.owner < 0 and self.masters[shard.master].is_alive]
        if not alive or not free:
            return
        self.changing()
        counts = {number: len(self._shards_of(number)) for number in alive}
        for shard in free:
            shard.owner = min(alive, key=lambda number: (counts[number], number))
            counts[shard.owner] += 1
        self._share_out()
        for number in {shard.owner for shard in free}:
            self._resume([shard for shard in free if shard.owner == number], number, is_new=True)
        self._share_out()

    def _resume(self, shards: list[Shard], owner: int, *, is_new: bool) -> None:
        """Let games go on, one after the other as the owner gets to them; a new one has to read them first."""
        parameters = self.parameters
        each = parameters["read_ms"] + parameters["connections"] * parameters["watch_ms"] if is_new else parameters["check_ms"]
        games = self.games()
        warm = sum(shard.weight for shard in shards) * games * each / 1000 / self.spare(owner)
        for shard in shards:
            if shard.stalled_since is None:
                continue
            out = self.agenda.now - shard.stalled_since
            mine = shard.weight * games
            self.tally.stalled(shard.cause, out, out + warm, mine)
            self.tally.refused += mine / parameters["game_s"] * max(0.0, out - parameters["call_s"])
            shard.stalled_since = None

    def _return(self, number: int) -> None:
        self.changing()
        owner = self.owners[number]
        owner.is_alive = True
        if owner.zone in self.lost_zones:  # replaced elsewhere
            there = [zone for zone in range(ZONES) if zone not in self.lost_zones]
            owner.zone = min(there, key=lambda zone: sum(one.is_alive and one.zone == zone for one in self.owners))
        self.agenda.after(self.chance.uniform(*self.parameters.span("claim_s")), self._level)

    def _level(self) -> None:
        """Claim what is free, and hand shards to who has too few, as the processes do once a second."""
        self._claim()
        while True:
            counts = {number: len(self._shards_of(number)) for number, owner in enumerate(self.owners) if owner.is_alive}
            if not counts:
                return
            giver, taker = max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__)
            moving = [shard for shard in self._shards_of(giver) if shard.stalled_since is None]
            if counts[giver] - counts[taker] < 2 or not moving:
                return
            self._hand_over(moving[:1], taker)

    def _hand_over(self, shards: list[Shard], owner: int) -> None:
        self.changing()
        shards = [shard for shard in shards if shard.stalled_since is None]
        for shard in shards:
            shard.owner = owner
            shard.cause = "moved"
            shard.stalled_since = self.agenda.now - self.chance.uniform(*self.parameters.span("hand_over_s"))
            self.tally.stalled_s += shard.weight * self.games() * (self.agenda.now - shard.stalled_since)
        self._share_out()
        self._resume(shards, owner, is_new=True)
        self._share_out()

    def _restore(self, number: int) -> None:
        """Let the shards of a master go on: with its replica, or since it is back."""
        self.changing()
        self.masters[number].is_alive = True
        owned = [shard for shard in self.shards if shard.master == number and shard.owner >= 0]
        for owner in {shard.owner for shard in owned}:
            self._resume([shard for shard in owned if shard.owner == owner], owner, is_new=False)
        self._share_out()
        self.agenda.after(self.chance.uniform(*self.parameters.span("claim_s")), self._claim)
