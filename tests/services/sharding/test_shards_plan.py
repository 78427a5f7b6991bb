"""Processes share the shards fairly, whoever comes, goes and dies, and what a newer release owns stays with one."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from services.sharding.shards import SHARDS, Holding, Member, share, wanted_owners
from tests.night import examples

FREE = Holding("", is_free=True)
NAMES = [f"process {number:02}" for number in range(20)]


class Cluster:
    """Processes and the leases of the store, in which each process does its part when it has its turn."""

    def __init__(self) -> None:
        self.members: dict[str, Member] = {}
        self.holdings = [FREE] * SHARDS
        self.moves = 0

    def turn(self, name: str) -> None:
        todo = share(name, self.members, self.holdings)
        for shard in todo.claim:
            assert self.holdings[shard].is_free
            self.holdings[shard] = Holding(name, is_free=False, format=self.members[name].format)
        for shard, taker in todo.hand_over:
            assert self.holdings[shard].owner == name
            before = self.holdings[shard]
            self.holdings[shard] = (
                Holding(taker, is_free=False, format=self.members[taker].format)
                if taker
                else Holding("", is_free=True, format=before.format)
            )
            self.moves += 1

    def round(self, order: list[str] | None = None) -> None:
        for name in order or sorted(self.members):
            self.turn(name)

    def die(self, name: str) -> None:
        del self.members[name]
        self.holdings = [replace(held, is_free=True) if held.owner == name else held for held in self.holdings]

    def leave(self, name: str) -> None:
        self.members[name] = replace(self.members[name], is_leaving=True)
        self.turn(name)
        assert name not in {held.owner for held in self.holdings}
        del self.members[name]

    def loads(self) -> list[int]:
        owners = [held.owner for held in self.holdings]
        return [owners.count(name) for name in self.members]

    def are_shared(self) -> bool:
        return not any(held.is_free for held in self.holdings) and max(self.loads()) - min(self.loads()) <= 1


EVENTS = st.lists(
    st.tuples(st.sampled_from(["join", "leave", "die", "turn"]), st.integers(0, 19), st.integers(0, 3)), max_size=40
)


@given(EVENTS, st.randoms(use_true_random=False))
def test_after_any_joins_leaves_and_deaths_each_shard_has_one_owner_and_each_owner_its_share(events, rng) -> None:
    cluster = Cluster()
    for event, number, _ in events:
        name = NAMES[number]
        match event:
            case "join" if name not in cluster.members:
                cluster.members[name] = Member(1)
            case "leave" if name in cluster.members:
                cluster.leave(name)
            case "die" if name in cluster.members:
                cluster.die(name)
            case "turn" if name in cluster.members:
                cluster.turn(name)
    cluster.members.setdefault(NAMES[0], Member(1))
    for _ in range(2):
        order = sorted(cluster.members)
        rng.shuffle(order)
        cluster.round(order)
    assert cluster.are_shared(), cluster.holdings
    settled, cluster.moves = list(cluster.holdings), 0
    cluster.round()
    assert cluster.holdings == settled, "who has a share leaves it at that"


@given(st.integers(1, 16))
def test_one_more_process_costs_no_more_moves_than_its_share(count: int) -> None:
    cluster = Cluster()
    for name in NAMES[:count]:
        cluster.members[name] = Member(1)
    cluster.round()
    cluster.round()
    cluster.moves = 0
    cluster.members[NAMES[count]] = Member(1)
    cluster.round()
    cluster.round()
    assert cluster.are_shared()
    assert cluster.moves == SHARDS // (count + 1)


def test_a_process_that_is_alone_claims_all_at_once_and_one_of_two_no_more_than_its_share() -> None:
    assert share("a", {"a": Member(1)}, [FREE] * SHARDS).claim == tuple(range(SHARDS))
    two = {"a": Member(1), "b": Member(1)}
    assert len(share("a", two, [FREE] * SHARDS).claim) == SHARDS // 2
    held = [Holding("c", is_free=False)] * SHARDS
    assert not share("a", two, held).claim, "a lease that holds is nobody's to claim, whether its owner is heard of or not"


def test_a_lone_leaving_process_leaves_its_shards_free() -> None:
    held = [Holding("a", is_free=False)] * SHARDS
    assert share("a", {"a": Member(1, is_leaving=True)}, held).hand_over == tuple((shard, "") for shard in range(SHARDS))
    assert not share("b", {"b": Member(1), "a": Member(1, is_leaving=True)}, held).claim, "it waits until it is given them"


@settings(max_examples=examples(200))
@given(EVENTS, st.randoms(use_true_random=False))
def test_no_older_process_gets_what_a_newer_one_owned_while_a_newer_one_lives(events, rng) -> None:
    cluster = Cluster()
    for event, number, kind in events:
        name = NAMES[number]
        match event:
            case "join" if name not in cluster.members:
                cluster.members[name] = Member(kind)
            case "leave" if name in cluster.members and len(cluster.members) > 1:
                cluster.leave(name)
            case "die" if name in cluster.members:
                cluster.die(name)
            case "turn" if name in cluster.members:
                before = list(cluster.holdings)
                cluster.turn(name)
                for shard, (old, new) in enumerate(zip(before, cluster.holdings, strict=True)):
                    able = [member.format for member in cluster.members.values() if member.format >= old.format]
                    if new.owner != old.owner and new.owner and able:
                        assert cluster.members[new.owner].format >= old.format, (shard, old, new)
    if cluster.members:
        cluster.round()
        cluster.round()
        assert not any(held.is_free for held in cluster.holdings)


@given(st.sets(st.integers(0, SHARDS - 1), min_size=1, max_size=SHARDS))
def test_shards_unreadable_for_an_older_process_go_to_a_newer_one(unreadable: set[int]) -> None:
    cluster = Cluster()
    cluster.members["old"] = Member(1)
    cluster.round()
    cluster.members["old"] = Member(1, unreadable=frozenset(unreadable))
    cluster.round()
    assert {held.owner for held in cluster.holdings} == {"old"}, "nobody else is there"
    cluster.members["new"] = Member(2)
    cluster.round()
    cluster.round()
    theirs = {shard for shard, held in enumerate(cluster.holdings) if held.owner == "new"}
    assert unreadable <= theirs
    assert len(theirs) == max(len(unreadable), SHARDS // 2)
    settled = list(cluster.holdings)
    cluster.round()
    assert cluster.holdings == settled


def test_a_shard_of_an_owner_that_is_not_heard_of_stays_its_own_while_its_lease_holds() -> None:
    held = [Holding("gone", is_free=False)] * 8 + [FREE] * 8
    assert wanted_owners({"a": Member(1)}, held) == ["gone"] * 8 + ["a"] * 8
