"""What becomes of the shards of one deployment when an owner, a master or a replica is gone: against what can be computed."""

import random
import statistics
from collections import Counter
from typing import Any

import pytest

from loadtests.simulation.agenda import Agenda
from loadtests.simulation.costs import costs
from loadtests.simulation.deployment import Deployment, Surroundings
from loadtests.simulation.parameters import read_parameters
from loadtests.simulation.plan import plan_for
from loadtests.simulation.tally import Tally

GAMES = 16_000
AWAY_S = 20.0


class One:
    """A deployment with as many games all the time, in which nothing fails by itself."""

    def __init__(self, seed: int = 1, **values: Any) -> None:
        self.parameters = read_parameters().replaced(**values)
        self.agenda, self.tally = Agenda(), Tally()
        around = Surroundings(self.parameters, self.agenda, random.Random(seed), self.tally, costs(self.parameters))
        self.deployment = Deployment(around, plan_for(self.parameters, GAMES), "europe", 1.0, set())
        self.deployment.games = float(GAMES)
        self.owners = self.deployment.owners

    def run(self, seconds: float) -> None:
        self.agenda.run(self.agenda.now + seconds)
        self.deployment.advance()

    def has_all_shards(self) -> bool:
        weights = sum(shard.weight for shard in self.owners.shards)
        alive = all(self.owners.owners[shard.owner].is_alive for shard in self.owners.shards if shard.owner >= 0)
        return len(self.owners.shards) == 16 and alive and weights == pytest.approx(1)


def test_games_of_a_lost_owner_stand_still_for_a_lease_a_claim_and_until_they_are_read() -> None:
    found = []
    for seed in range(300):
        one = One(seed, read_ms=0, watch_ms=0)
        one.owners.lose_owner(0, AWAY_S)
        one.run(10)
        assert 2 <= one.tally.stalls.within(0.5) <= 4
        found.append(one.tally.stalls.within(0.5))
    # Uniform between 2 and 3, and between 0 and 1: 3 on average, with a deviation of 0.41, so 0.024 for the mean of 300.
    assert statistics.fmean(found) == pytest.approx(3.0, abs=0.1)


def test_reading_games_takes_what_their_new_owner_has_left_of_its_core() -> None:
    one = One(lease_s=[2, 2], claim_s=[0, 0], read_ms=2, watch_ms=0)
    mine = sum(shard.weight for shard in one.owners.shards if shard.owner == 0) * GAMES
    one.owners.lose_owner(0, AWAY_S)
    one.run(10)
    taker = next(shard.owner for shard in one.owners.shards if shard.owner != 0 and one.owners.loads[shard.owner] > 0.1)
    takers = {shard.owner for shard in one.owners.shards}
    assert taker in takers
    assert 0 not in takers
    spare = min(one.owners.spare(number) for number in takers)
    assert one.tally.stalls.longest <= 2 + mine * 0.002 / spare
    assert one.tally.stalls.longest > 2
    assert one.tally.stalls.count == pytest.approx(mine)


def test_every_shard_is_owned_by_one_that_is_alive_or_by_nobody() -> None:
    one = One()
    chance = random.Random(5)
    for _ in range(200):
        one.owners.lose_owner(chance.randrange(len(one.owners.owners)), chance.uniform(1, 40))
        one.run(chance.uniform(0, 5))
        assert one.has_all_shards()
    one.run(100)
    assert one.owners.stalled == 0
    counts = Counter(shard.owner for shard in one.owners.shards)
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len(counts) == len(one.owners.owners)


def test_stopped_games_counted_one_by_one_and_over_time_are_the_same() -> None:
    one = One()
    chance = random.Random(5)
    for _ in range(50):
        one.owners.lose_owner(chance.randrange(len(one.owners.owners)), 30)
        one.owners.lose_master(chance.randrange(len(one.owners.masters)), 10, with_node=False)
        one.run(chance.uniform(0, 20))
    one.run(100)
    assert one.tally.stalls.seconds == pytest.approx(one.tally.stalled_s + one.tally.warming_s, rel=0.01)


def test_what_replicas_have_is_not_lost() -> None:
    one = One()
    one.owners.lose_master(0, AWAY_S, with_node=True)
    one.run(60)
    assert one.tally.lost == 0
    assert one.tally.stalls.longest < 3.2


def test_without_waiting_for_a_replica_what_was_under_way_is_lost() -> None:
    one = One(waits_for_replica=0, replication_lag_s=0.01)
    share = sum(shard.weight for shard in one.owners.shards if shard.master == 0)
    one.owners.lose_master(0, AWAY_S, with_node=True)
    one.run(60)
    assert one.tally.lost == pytest.approx(GAMES * 0.23 * share * 0.01)


def test_a_master_without_replica_is_waited_for_and_loses_what_is_not_on_disk() -> None:
    one = One()
    for zone in (1, 2):
        one.owners.lose_replica(0, zone, 1000)
    one.owners.lose_master(0, 100, with_node=True)
    one.run(200)
    assert one.tally.stalls.longest >= 100
    assert one.tally.lost == one.tally.lost_when_unprotected > 0
    assert one.tally.refused > 0


def test_a_process_that_ends_loses_nothing_even_without_replica() -> None:
    one = One(replicas=0)
    one.owners.lose_master(0, 6, with_node=False)
    one.run(60)
    assert one.tally.lost == 0
    assert one.tally.stalls.longest >= 6


def test_a_lost_replica_is_replaced() -> None:
    one = One(replicas=1)
    one.owners.lose_replica(0, 1, 10)
    one.run(100)
    assert one.owners.masters[0].replicas == [1]


def test_a_released_owner_gets_its_shards_back_and_nobody_waits_for_a_lease() -> None:
    one = One(read_ms=0, watch_ms=0)
    before = [shard.owner for shard in one.owners.shards]
    for number in range(len(one.owners.owners)):
        one.owners.roll_owner(number)
    one.run(1)
    assert [shard.owner for shard in one.owners.shards] == before
    assert one.tally.stalls.longest <= 0.5
    assert one.tally.stalls.count == pytest.approx(GAMES)
